// The live bytes as they are drawn at a zoom: a step a pixel column, with the least and the most that it held, so that
// a peak shorter than a pixel still shows.
import { nsOfPixel, type Scale } from "./lanes-spans";
import type { Memory } from "./memory";
import { findAbove } from "./time";

export interface LiveStep {
  /** Pixels from the view's left edge. */
  column: number;
  /** Live bytes on entering and on leaving the column, and the extremes between. */
  before: number;
  after: number;
  low: number;
  high: number;
}

/** The changes of the live bytes in this view, one a pixel column, from its left edge to the profile's end or its right. */
export function takeSteps(memory: Memory, scale: Scale, end_ns: number): LiveStep[] {
  const { at, bytes } = memory.live;
  const pixel_ns = nsOfPixel(scale);
  const last = Math.min(Math.max(Math.floor((end_ns - scale.range.from) / pixel_ns), 0), scale.width_px);
  let i = findAbove(at, scale.range.from);
  let current = i === 0 ? 0 : bytes[i - 1]!;
  const flat = (column: number): LiveStep => ({ column, before: current, after: current, low: current, high: current });
  const steps = [flat(0)];
  while (i < at.length && at[i]! <= scale.range.to) {
    const column = Math.floor((at[i]! - scale.range.from) / pixel_ns);
    const step = flat(column);
    for (; i < at.length && Math.floor((at[i]! - scale.range.from) / pixel_ns) === column; i++) {
      current = bytes[i]!;
      step.low = Math.min(step.low, current);
      step.high = Math.max(step.high, current);
    }
    step.after = current;
    steps.push(step);
  }
  steps.push(flat(last));
  return steps;
}
