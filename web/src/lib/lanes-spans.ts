// What of a row is drawn at a zoom, without lying (../shared/reference/timeline.md 2b): an event at least a pixel long,
// or alone in its pixel, is drawn as it is; the others are counted together, a span a pixel, as tall as the pixel is
// busy, and in a family's colour only where that family has half of the busy time. Pixels are counted from the
// profile's start, not from the edge of the view, so that nothing flickers while panning.
import type { Lane } from "./lanes";
import { findInRow, type Row } from "./lanes-rows";
import { spanOf, type TimeRange } from "./time";

export interface Span {
  /** Pixels from the view's left edge; from the first to before the second. */
  x0: number;
  x1: number;
  /** Places in the row, from (inclusive) to to (exclusive). One event is drawn exactly, several are an aggregate. */
  first: number;
  end: number;
  /** Of an aggregate, the share of its pixel that is busy, 0 to 1; 1 for one event. */
  busy: number;
  /** -1 where no family has half of it. */
  family: number;
}

/** Time and pixels of a view. */
export interface Scale {
  range: TimeRange;
  width_px: number;
}

export function nsOfPixel(scale: Scale): number {
  return spanOf(scale.range) / Math.max(scale.width_px, 1);
}

/** The pixel column of a time, counted from the view's left edge. */
export function columnOf(scale: Scale, at: number): number {
  const ns = nsOfPixel(scale);
  return Math.floor(at / ns) - Math.floor(scale.range.from / ns);
}

/** The spans of a row in this view, by time. */
export function takeSpans(lane: Lane, row: Row, scale: Scale): Span[] {
  const pixel_ns = nsOfPixel(scale);
  const [from, to] = findInRow(row, scale.range);
  const origin = Math.floor(scale.range.from / pixel_ns);
  const spans: Span[] = [];
  for (let i = from; i < to;) {
    const column = Math.floor(row.start[i]! / pixel_ns);
    if (row.end[i]! - row.start[i]! >= pixel_ns) {
      const x1 = Math.max(Math.floor(row.end[i]! / pixel_ns), column + 1);
      spans.push(spanOfOne(lane, row, i, column - origin, x1 - origin));
      i++;
      continue;
    }
    const next = endOfColumn(row, i, to, (column + 1) * pixel_ns, pixel_ns);
    if (next === i + 1) {
      spans.push(spanOfOne(lane, row, i, column - origin, column + 1 - origin));
    } else {
      const busy_ns = row.busyBefore[next]! - row.busyBefore[i]!;
      spans.push({
        x0: column - origin,
        x1: column + 1 - origin,
        first: i,
        end: next,
        busy: Math.min(busy_ns / pixel_ns, 1),
        family: findMajority(lane, row, i, next, busy_ns),
      });
    }
    i = next;
  }
  return spans;
}

/** What is drawn of a row, found once however often it is asked for. */
export function keepSpans(lanes: readonly Lane[], scale: Scale): (lane: number, row: number) => readonly Span[] {
  const kept = new Map<Row, Span[]>();
  return (l, r) => {
    const lane = lanes[l];
    const row = lane?.rows[r];
    if (lane === undefined || row === undefined) return [];
    let spans = kept.get(row);
    if (spans === undefined) kept.set(row, (spans = takeSpans(lane, row, scale)));
    return spans;
  };
}

function spanOfOne(lane: Lane, row: Row, i: number, x0: number, x1: number): Span {
  return { x0, x1, first: i, end: i + 1, busy: 1, family: lane.family[row.event[i]!]! };
}

/** The first place from i on that is not of the pixel that ends at `limit_ns`: it starts later, or is a pixel long. */
function endOfColumn(row: Row, i: number, to: number, limit_ns: number, pixel_ns: number): number {
  let next = i + 1;
  while (next < to && row.start[next]! < limit_ns && row.end[next]! - row.start[next]! < pixel_ns) next++;
  return next;
}

/** The family with at least half of the busy time, by Boyer and Moore's vote and a count that certifies it; else -1. */
function findMajority(lane: Lane, row: Row, from: number, to: number, busy_ns: number): number {
  let candidate = -1;
  let votes = 0;
  for (let i = from; i < to; i++) {
    const family = lane.family[row.event[i]!]!;
    const weight = row.end[i]! - row.start[i]!;
    if (family === candidate) votes += weight;
    else if (weight <= votes) votes -= weight;
    else {
      candidate = family;
      votes = weight - votes;
    }
  }
  let share_ns = 0;
  for (let i = from; i < to; i++) {
    if (lane.family[row.event[i]!] === candidate) share_ns += row.end[i]! - row.start[i]!;
  }
  return share_ns * 2 >= busy_ns ? candidate : -1;
}

export interface Aggregate {
  count: number;
  busy: number;
  /** The name with the most time, and its share of the busy time. */
  topLabel: number;
  topShare: number;
  longest: number;
  range: TimeRange;
}

/** What an aggregate holds, for its tooltip. longest is an event of the lane. */
export function describeAggregate(lane: Lane, row: Row, span: Span): Aggregate {
  const byLabel = new Map<number, number>();
  let longest = row.event[span.first]!;
  for (let i = span.first; i < span.end; i++) {
    const event = row.event[i]!;
    byLabel.set(lane.label[event]!, (byLabel.get(lane.label[event]!) ?? 0) + lane.dur[event]!);
    if (lane.dur[event]! > lane.dur[longest]!) longest = event;
  }
  const [topLabel, top_ns] = [...byLabel].reduce((best, entry) => (entry[1] > best[1] ? entry : best));
  const busy_ns = row.busyBefore[span.end]! - row.busyBefore[span.first]!;
  return {
    count: span.end - span.first,
    busy: span.busy,
    topLabel,
    topShare: busy_ns > 0 ? top_ns / busy_ns : 1,
    longest,
    range: { from: row.start[span.first]!, to: row.end[span.end - 1]! },
  };
}
