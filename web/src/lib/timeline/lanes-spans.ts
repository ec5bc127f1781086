// What of a row is drawn at a zoom, without lying: an event at least a pixel long, or alone in its pixel, is drawn as
// it is; the others are counted together, a span a pixel, as tall as the pixel is
// busy, and in a family's colour only where that family has half of the busy time. Pixels are counted from the
// profile's start, not from the edge of the view, so that nothing flickers while panning.
import type { Lane } from "./lanes";
import { findInRow, type Row } from "./lanes-rows";
import { spanOf, type TimeRange } from "../time";

export interface Span {
  /** Pixels from the view's left edge; from the first to before the second. */
  x0: number;
  x1: number;
  /** The first event's index in its lane; of an aggregate it may be kUnknown. */
  event: number;
  /** One event is drawn exactly, several are an aggregate. */
  count: number;
  /** Where it came in a tile, its figures rounded: the server has them exactly. Null where they are exact. */
  place: SpanPlace | null;
  /** Of an aggregate, the share of its pixel that is busy, 0 to 1; 1 for one event. */
  busy: number;
  /** Index into Timeline.strings; of an aggregate the name that may have most of its busy time. */
  name: number;
  /** Of an aggregate, how much of its busy time is certainly of that name, 0 to 1. */
  share: number;
  /** -1 where no family has half of it. */
  family: number;
  /** Of the longest event: exact for one, of an aggregate within a quarter. */
  longest_ns: number;
}

export interface SpanPlace {
  level: number;
  tile: number;
  /** Counted from the tile's start. */
  span: number;
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
      spans.push(spanOfMany(lane, row, i, next, column - origin, pixel_ns));
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
  const event = row.event[i]!;
  const [name, family] = [lane.label[event]!, lane.family[event]!];
  return { x0, x1, event, count: 1, place: null, busy: 1, name, share: 1, family, longest_ns: lane.dur[event]! };
}

function spanOfMany(lane: Lane, row: Row, from: number, to: number, x0: number, pixel_ns: number): Span {
  const busy_ns = row.busyBefore[to]! - row.busyBefore[from]!;
  const family = findMost(row, from, to, (event) => lane.family[event]!);
  const name = findMost(row, from, to, (event) => lane.label[event]!);
  let longest_ns = 0;
  for (let i = from; i < to; i++) longest_ns = Math.max(longest_ns, row.end[i]! - row.start[i]!);
  return {
    x0,
    x1: x0 + 1,
    event: row.event[from]!,
    count: to - from,
    place: null,
    busy: Math.min(busy_ns / pixel_ns, 1),
    name: name.candidate,
    share: busy_ns > 0 ? name.sum_ns / busy_ns : 0,
    family: family.sum_ns * 2 >= busy_ns ? family.candidate : -1,
    longest_ns,
  };
}

/** The first place from i on that is not of the pixel that ends at `limit_ns`: it starts later, or is a pixel long. */
function endOfColumn(row: Row, i: number, to: number, limit_ns: number, pixel_ns: number): number {
  let next = i + 1;
  while (next < to && row.start[next]! < limit_ns && row.end[next]! - row.start[next]! < pixel_ns) next++;
  return next;
}

/** The only one that may have at least half of the time, by Boyer and Moore's vote, and what it has. */
function findMost(
  row: Row,
  from: number,
  to: number,
  keyOf: (event: number) => number,
): { candidate: number; sum_ns: number } {
  let candidate = -1;
  let votes = 0;
  for (let i = from; i < to; i++) {
    const key = keyOf(row.event[i]!);
    const weight = row.end[i]! - row.start[i]!;
    if (key === candidate) votes += weight;
    else if (weight <= votes) votes -= weight;
    else {
      candidate = key;
      votes = weight - votes;
    }
  }
  let sum_ns = 0;
  for (let i = from; i < to; i++) {
    if (keyOf(row.event[i]!) === candidate) sum_ns += row.end[i]! - row.start[i]!;
  }
  if (candidate < 0) candidate = keyOf(row.event[from]!); // none of them takes any time
  return { candidate, sum_ns };
}
