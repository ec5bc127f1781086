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

/** By column, the rule of most of its matches; -1 where none is known. rules are by state; state 0 has none. */
export function binRules(rules: Int32Array, matches: number, columns: number): Int32Array {
  const bins = new Int32Array(columns).fill(-1);
  for (let column = 0; column < columns && matches > 0; column++) {
    const from = 1 + Math.floor((column * matches) / columns);
    const to = Math.max(1 + Math.floor(((column + 1) * matches) / columns), from + 1);
    const hits = new Map<number, number>();
    for (let state = from; state < Math.min(to, rules.length); state++) {
      const count = (hits.get(rules[state]!) ?? 0) + 1;
      hits.set(rules[state]!, count);
      if (count > (hits.get(bins[column]!) ?? 0)) bins[column] = rules[state]!;
    }
  }
  return bins;
}

/** Rules by how often they match, the most first: which of them get a colour of their own. */
export function rankRules(rules: Int32Array): number[] {
  const hits = new Map<number, number>();
  for (const rule of rules) if (rule >= 0) hits.set(rule, (hits.get(rule) ?? 0) + 1);
  return [...hits].sort((a, b) => b[1] - a[1] || a[0] - b[0]).map(([rule]) => rule);
}

/** Where a state's playhead stands, 0 to 1. */
export function positionOf(state: number, stateCount: number): number {
  return stateCount <= 1 ? 0 : state / (stateCount - 1);
}

export function stateAt(position: number, stateCount: number): number {
  return Math.round(Math.min(Math.max(position, 0), 1) * (stateCount - 1));
}
