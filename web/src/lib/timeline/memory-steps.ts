// The live bytes as they are drawn at a zoom: a step a pixel column, with the least and the most that it held, so that
// a peak shorter than a pixel still shows.
import type { Memory } from "./memory";
import type { MemoryAxis } from "./memory-axis";

export interface LiveStep {
  /** Pixels from the view's left edge. */
  column: number;
  /** Live bytes on entering and on leaving the column, and the extremes between. */
  before: number;
  after: number;
  low: number;
  high: number;
}

/** The changes of the live bytes in view, one a pixel column, from its left edge to `last`, the column where the profile ends. */
export function takeSteps(memory: Memory, axis: MemoryAxis, last: number): LiveStep[] {
  const { bytes } = memory.live;
  let current = axis.from === 0 ? 0 : bytes[axis.from - 1]!;
  const flat = (column: number): LiveStep => ({ column, before: current, after: current, low: current, high: current });
  const steps = [flat(0)];
  for (let i = axis.from; i < axis.to;) {
    const column = axis.columnOf(i);
    const step = flat(column);
    for (; i < axis.to && axis.columnOf(i) === column; i++) {
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
