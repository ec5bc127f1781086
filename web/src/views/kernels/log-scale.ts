// A logarithmic axis: where values are drawn, moved and zoomed.

export interface LogScale {
  least: number;
  most: number;
  /** Where the value is drawn. */
  at(value: number): number;
  /** The axis moved by so many pixels. */
  shifted(px: number): LogScale;
}

/** From the pixel of the least value to that of the most. */
export function makeScale(least: number, most: number, from_px: number, to_px: number): LogScale {
  const [low, high] = [Math.log10(least), Math.log10(most)];
  const perDecade = (to_px - from_px) / Math.max(high - low, 1e-9);
  return {
    least,
    most,
    at: (value) => from_px + (Math.log10(value) - low) * perDecade,
    shifted: (px) => makeScale(10 ** (low + px / perDecade), 10 ** (high + px / perDecade), from_px, to_px),
  };
}

/** A scale that all values lie in, with half a decade around them. */
export function fitScale(values: readonly number[], from_px: number, to_px: number): LogScale {
  const known = values.filter((value) => value > 0 && Number.isFinite(value));
  const least = Math.min(...known, 1e300);
  const most = Math.max(...known, 1e-300);
  const kRoom = Math.sqrt(10);
  return known.length === 0 ? makeScale(1, 10, from_px, to_px) : makeScale(least / kRoom, most * kRoom, from_px, to_px);
}

/** Zoomed about the pixel, which keeps its value. */
export function zoomScale(scale: LogScale, factor: number, px: number): LogScale {
  const [from_px, to_px] = [scale.at(scale.least), scale.at(scale.most)];
  const [low, high] = [Math.log10(scale.least), Math.log10(scale.most)];
  const fixed = low + ((px - from_px) / (to_px - from_px)) * (high - low);
  return makeScale(10 ** (fixed - (fixed - low) / factor), 10 ** (fixed + (high - fixed) / factor), from_px, to_px);
}

/** The powers of ten in it: at most eight, evenly apart. */
export function makeDecades({ least, most }: LogScale): number[] {
  const [low, high] = [Math.ceil(Math.log10(least)), Math.floor(Math.log10(most))];
  const step = Math.max(1, Math.ceil((high - low + 1) / 8));
  const decades = [];
  for (let decade = low; decade <= high; decade += step) decades.push(10 ** decade);
  return decades;
}
