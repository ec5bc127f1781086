// The strip under the graph: for each column of pixels, the most that a match under it made and removed. The most, and
// not the mean, so that no peak is lost, however many matches share a pixel.

export interface StripBins {
  made: Float32Array;
  removed: Float32Array;
  /** The largest value of either. */
  most: number;
}

/** made and removed are by state; state 0 is no match. Fewer matches than columns: a match gets several columns. */
export function binStrip(made: Int32Array, removed: Int32Array, columns: number): StripBins {
  const bins = { made: new Float32Array(columns), removed: new Float32Array(columns), most: 0 };
  const matches = made.length - 1;
  if (matches <= 0) return bins;
  for (let column = 0; column < columns; column++) {
    const from = 1 + Math.floor((column * matches) / columns);
    const to = Math.max(1 + Math.floor(((column + 1) * matches) / columns), from + 1);
    for (let state = from; state < to && state <= matches; state++) {
      bins.made[column] = Math.max(bins.made[column]!, made[state]!);
      bins.removed[column] = Math.max(bins.removed[column]!, removed[state]!);
    }
    bins.most = Math.max(bins.most, bins.made[column]!, bins.removed[column]!);
  }
  return bins;
}

/** Where a state's playhead stands, 0 to 1. */
export function positionOf(state: number, stateCount: number): number {
  return stateCount <= 1 ? 0 : state / (stateCount - 1);
}

export function stateAt(position: number, stateCount: number): number {
  return Math.round(Math.min(Math.max(position, 0), 1) * (stateCount - 1));
}
