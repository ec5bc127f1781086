// A linear scale from values to pixels, and round ticks on it. Pure.

export interface Scale {
  least: number;
  most: number;
  at(value: number): number;
}

/** The values' whole range over the pixels; one value alone stands in the middle. */
export function spread(values: readonly number[], from_px: number, to_px: number): Scale {
  let least = Infinity;
  let most = -Infinity;
  for (const value of values) {
    least = Math.min(least, value);
    most = Math.max(most, value);
  }
  const span = most - least;
  return {
    least,
    most,
    at: (value) => (span > 0 ? from_px + ((value - least) / span) * (to_px - from_px) : (from_px + to_px) / 2),
  };
}

/** About so many round values (1, 2 or 5 of a power of ten apart) within the range. */
export function makeTicks(least: number, most: number, count: number): number[] {
  const span = most - least;
  if (!(span > 0)) return Number.isFinite(least) ? [least] : [];
  const rough = span / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find((times) => times * power >= rough)! * power;
  const ticks: number[] = [];
  for (let at = Math.ceil(least / step); at * step <= most && ticks.length <= 2 * count; at++) ticks.push(at * step);
  return ticks;
}
