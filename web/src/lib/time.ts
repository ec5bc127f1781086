// Time on an axis: ranges in nanoseconds from the profile's start, moved and zoomed; ticks and their labels. Ranges are
// plain numbers: a double is exact to 2^53 ns, 104 days.

export interface TimeRange {
  from: number;
  to: number;
}

/** The shortest range that zooming reaches. */
export const kShortestNs = 20;

export function spanOf(range: TimeRange): number {
  return range.to - range.from;
}

/** The whole of a profile, with a little room at its ends so that the first and the last event stand free. */
export function wholeRange(dur_ns: number): TimeRange {
  const room = Math.max(dur_ns, kShortestNs) * 0.01;
  return { from: -room, to: Math.max(dur_ns, kShortestNs) + room };
}

/** Keeps a range within the bounds: moved where it leaves them, cut where it is longer. */
export function clampRange(range: TimeRange, bounds: TimeRange): TimeRange {
  const span = Math.min(Math.max(spanOf(range), kShortestNs), spanOf(bounds));
  const from = Math.min(Math.max(range.from, bounds.from), bounds.to - span);
  return { from, to: from + span };
}

/** Zooms by a factor (below 1 is closer) so that the time `at` stays where it is. */
export function zoomRange(range: TimeRange, factor: number, at: number, bounds: TimeRange): TimeRange {
  const span = Math.min(Math.max(spanOf(range) * factor, kShortestNs), spanOf(bounds));
  const share = spanOf(range) > 0 ? (at - range.from) / spanOf(range) : 0.5;
  const from = at - span * share;
  return clampRange({ from, to: from + span }, bounds);
}

/** Moves by a share of what is visible. */
export function panRange(range: TimeRange, share: number, bounds: TimeRange): TimeRange {
  const by = spanOf(range) * share;
  return clampRange({ from: range.from + by, to: range.to + by }, bounds);
}

/** A range that shows this one with room on both sides. */
export function frameRange(range: TimeRange, bounds: TimeRange, room = 0.25): TimeRange {
  const span = Math.max(spanOf(range), kShortestNs);
  return clampRange({ from: range.from - span * room, to: range.to + span * room }, bounds);
}

/** Moves, where needed, so that this time is visible; keeps the zoom. */
export function revealTime(range: TimeRange, shown: TimeRange, bounds: TimeRange): TimeRange {
  if (shown.from < range.to && shown.to > range.from && (shown.from >= range.from || shown.to <= range.to))
    return range;
  const middle = (shown.from + shown.to) / 2;
  return clampRange({ from: middle - spanOf(range) / 2, to: middle + spanOf(range) / 2 }, bounds);
}

/**
 * The time in view and some around it, in steps of half its length: what is fetched for it holds while moving a little.
 */
export function windowAround({ from, to }: TimeRange, bounds: TimeRange): TimeRange {
  const step = 2 ** Math.floor(Math.log2(Math.max(to - from, 2) / 2));
  const whole_ns = Math.floor(bounds.to);
  return {
    from: Math.min(Math.max(Math.floor(from / step) * step, 0), whole_ns),
    to: Math.min(Math.ceil(to / step) * step, whole_ns),
  };
}

/** The first index whose value is above `limit`, in a rising column. */
export function findAbove(column: ArrayLike<number>, limit: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle]! > limit) high = middle;
    else low = middle + 1;
  }
  return low;
}

interface Unit {
  ns: number;
  name: string;
}

const kUnits: readonly Unit[] = [
  { ns: 1e9, name: "s" },
  { ns: 1e6, name: "ms" },
  { ns: 1e3, name: "µs" },
  { ns: 1, name: "ns" },
];

export interface TimeTick {
  at: number;
  label: string;
}

const kGrouped = new Intl.NumberFormat("en-US");

/** The step between ticks: 1, 2 or 5 times a power of ten of nanoseconds, at least `least_px` apart. */
export function stepOfTicks(span_ns: number, width_px: number, least_px: number): number {
  const least_ns = Math.max((span_ns * least_px) / Math.max(width_px, 1), 1);
  const power = 10 ** Math.floor(Math.log10(least_ns));
  const step = [1, 2, 5, 10].find((m) => m * power >= least_ns * (1 - 1e-9)) ?? 10;
  return step * power;
}

/** Ticks at whole numbers of the largest unit that the step is whole in: "932 ms", "1,290,018 µs". */
export function makeTicks(range: TimeRange, width_px: number, least_px = 90): TimeTick[] {
  const step = stepOfTicks(spanOf(range), width_px, least_px);
  const unit = kUnits.find((u) => step >= u.ns) ?? kUnits[kUnits.length - 1]!;
  const ticks: TimeTick[] = [];
  const first = Math.ceil(range.from / step);
  const last = Math.floor(range.to / step);
  for (let i = first; i <= last; i++) {
    const at = i * step;
    ticks.push({ at, label: `${kGrouped.format(Math.round(at / unit.ns) + 0)} ${unit.name}` });
  }
  return ticks;
}

/** A moment, exact to the nanosecond, in the unit that suits: "1,289.321640 ms". */
export function formatMoment(ns: number): string {
  const whole = Math.round(ns);
  const unit = kUnits.find((u) => Math.abs(whole) >= u.ns) ?? kUnits[kUnits.length - 1]!;
  const digits = Math.round(Math.log10(unit.ns));
  return `${(whole / unit.ns).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits })} ${unit.name}`;
}

/** "from..to" in whole nanoseconds, as it stands in the URL. */
export function formatRange(range: TimeRange): string {
  return `${Math.round(range.from)}..${Math.round(range.to)}`;
}

export function parseRange(text: string | undefined): TimeRange | null {
  const match = /^(-?\d{1,16})\.\.(-?\d{1,16})$/.exec(text ?? "");
  if (match === null) return null;
  const [from, to] = [Number(match[1]), Number(match[2])];
  return from < to ? { from, to } : null;
}
