// Where a moment of a lane's memory stands across the view: by time, as the events above it do, or by order, where each
// allocation and free of the visible time takes as much room as any other, so that bursts can be told apart.
import { nsOfPixel, type Scale } from "./lanes-spans";
import type { Memory } from "./memory";
import { findAbove } from "../time";

export type MemoryOrder = "time" | "events";

export interface MemoryAxis {
  /** Pixels from the view's left edge. */
  xOf(at: number): number;
  timeOf(x_px: number): number;
  /** Changes of the live bytes in view: places in live.at, from (inclusive) to to (exclusive). */
  from: number;
  to: number;
  /** The pixel column of such a change. */
  columnOf(change: number): number;
}

export function makeMemoryAxis(memory: Memory, scale: Scale, order: MemoryOrder): MemoryAxis {
  const { range, width_px } = scale;
  const { at } = memory.live;
  const from = findAbove(at, range.from);
  const to = Math.max(findAbove(at, range.to), from);
  if (order === "time") {
    const pixel_ns = nsOfPixel(scale);
    return {
      xOf: (time) => (time - range.from) / pixel_ns,
      timeOf: (x) => range.from + x * pixel_ns,
      from,
      to,
      columnOf: (change) => Math.floor((at[change]! - range.from) / pixel_ns),
    };
  }
  // A change stands at the left end of its share; what lasts to the next one reaches over it.
  const change_px = width_px / Math.max(to - from, 1);
  return {
    xOf: (time) => (countBefore(at, time) - from) * change_px,
    timeOf: (x) => at[Math.min(Math.max(from + Math.floor(x / change_px), 0), at.length - 1)] ?? range.from,
    from,
    to,
    columnOf: (change) => Math.floor((change - from) * change_px),
  };
}

/** How many values of a rising column lie below a limit. */
function countBefore(column: Float64Array, limit: number): number {
  let low = 0;
  let high = column.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (column[middle]! < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
