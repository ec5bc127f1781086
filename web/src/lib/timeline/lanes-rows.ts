// Rows: the events of a lane that do not overlap, with a running sum of their lengths, so that any moment is found by
// halving and the busy time of any range is two lookups and its two ends.
import { findAbove, type TimeRange } from "../time";

/** Events of one row, by start; none overlap. */
export interface Row {
  /** Indices into the lane's columns. */
  event: Uint32Array;
  start: Float64Array;
  end: Float64Array;
  /** busyBefore[i] is the length of the events before i, summed; one longer than the others. */
  busyBefore: Float64Array;
}

export function cutRows(start: Float64Array, dur: Float64Array, row: Uint32Array, rowCount: number): Row[] {
  const counts = new Uint32Array(rowCount);
  for (const r of row) counts[r]!++;
  const rows: Row[] = Array.from(counts, (n) => ({
    event: new Uint32Array(n),
    start: new Float64Array(n),
    end: new Float64Array(n),
    busyBefore: new Float64Array(n + 1),
  }));
  const filled = new Uint32Array(rowCount);
  for (let i = 0; i < row.length; i++) {
    const r = rows[row[i]!]!;
    const at = filled[row[i]!]!++;
    r.event[at] = i;
    r.start[at] = start[i]!;
    r.end[at] = start[i]! + dur[i]!;
    r.busyBefore[at + 1] = r.busyBefore[at]! + dur[i]!;
  }
  return rows;
}

/** Rows above an event that are asked for what holds it; only events that overlap without nesting leave any out. */
const kHolderReach = 64;

/** The event that holds each one, in the nearest row above that has such; -1 where none does. Events come by start, the outer before the inner. */
export function findHolders(start: Float64Array, dur: Float64Array, row: Uint32Array, rows: number): Int32Array {
  const holder = new Int32Array(start.length).fill(-1);
  const last = new Int32Array(rows).fill(-1);
  for (let i = 0; i < start.length; i++) {
    const end = start[i]! + dur[i]!;
    const highest = Math.max(row[i]! - kHolderReach, 0);
    for (let above = row[i]! - 1; above >= highest && holder[i]! < 0; above--) {
      const outer = last[above]!;
      if (outer >= 0 && start[outer]! + dur[outer]! >= end) holder[i] = outer;
    }
    last[row[i]!] = i;
  }
  return holder;
}

/** The length of the union of events that come by start. */
export function sumUnion(start: Float64Array, dur: Float64Array, clip?: TimeRange): number {
  let sum = 0;
  let covered = clip?.from ?? -Infinity;
  const limit = clip?.to ?? Infinity;
  for (let i = 0; i < start.length; i++) {
    const end = Math.min(start[i]! + dur[i]!, limit);
    const from = Math.max(start[i]!, covered);
    if (end > from) {
      sum += end - from;
      covered = end;
    }
  }
  return sum;
}

/** Places in the row, from (inclusive) to to (exclusive), of the events that touch the range. */
export function findInRow(row: Row, range: TimeRange): [from: number, to: number] {
  const to = findAbove(row.start, range.to);
  // Ends rise as starts do, since events of a row do not overlap.
  const from = findAbove(row.end, range.from);
  return [Math.min(from, to), to];
}

/** How much of the range the row's events cover. */
export function busyInRow(row: Row, range: TimeRange): number {
  const [from, to] = findInRow(row, range);
  if (from >= to) return 0;
  const inside = row.busyBefore[to]! - row.busyBefore[from]!;
  return inside - Math.max(range.from - row.start[from]!, 0) - Math.max(row.end[to - 1]! - range.to, 0);
}

/** The event of the row at this moment, or the nearest one within `reach_ns`; -1 where there is none. */
export function findEventAt(row: Row, at: number, reach_ns = 0): number {
  const next = findAbove(row.start, at);
  const before = next - 1;
  if (before >= 0 && row.end[before]! >= at) return row.event[before]!;
  const gapBefore = before >= 0 ? at - row.end[before]! : Infinity;
  const gapAfter = next < row.start.length ? row.start[next]! - at : Infinity;
  if (Math.min(gapBefore, gapAfter) > reach_ns) return -1;
  return row.event[gapBefore <= gapAfter ? before : next]!;
}
