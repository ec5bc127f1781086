// What a timeline counts: nanoseconds, or, of a thread trace, cycles of the shader's clock, of which one takes less than
// a nanosecond. Where the shader read the real-time clock now and then, cycles are nanoseconds too.
import { formatDuration, formatPlural } from "../text";
import { findAbove, formatMoment, stepOfTicks, spanOf, type TimeRange, type TimeTick } from "../time";
import type { Timeline, TraceInfo } from "./timeline";

/** How the times of a timeline are written. */
export interface Times {
  unit: "ns" | "cycles";
  moment(at: number): string;
  duration(time: number, ps?: number): string;
}

const kTime: Times = { unit: "ns", moment: formatMoment, duration: formatDuration };
const formatCycles = (cycles: number) => `${formatPlural(Math.round(cycles) + 0, "cycle")}`;
const kCycles: Times = { unit: "cycles", moment: formatCycles, duration: formatCycles };

export const timesOf = ({ trace }: Pick<Timeline, "trace">): Times => (trace == null ? kTime : kCycles);

/** Nanoseconds since the first reading; null where the trace has no two. Between readings the clock is even. */
export function nsOfCycle({ clockCycle, clock_ns }: TraceInfo, cycle: number): number | null {
  if (clockCycle.length < 2) return null;
  const next = Math.min(Math.max(findAbove(clockCycle, cycle), 1), clockCycle.length - 1);
  const [c0, c1] = [clockCycle[next - 1]!, clockCycle[next]!];
  const [n0, n1] = [clock_ns[next - 1]!, clock_ns[next]!];
  return n0 + ((cycle - c0) * (n1 - n0)) / (c1 - c0);
}

/** "12.3 ns" of so many cycles from one on; null where no clock tells. */
export function formatByClock(trace: TraceInfo, from: number, cycles: number): string | null {
  const [begin, end] = [nsOfCycle(trace, from), nsOfCycle(trace, from + cycles)];
  if (begin === null || end === null) return null;
  const ns = end - begin;
  return ns < 100 ? `${ns.toFixed(1)} ns` : formatDuration(ns);
}

/** Ticks at whole cycles, each with its time by the clock line where there is one. */
export function makeCycleTicks(range: TimeRange, width_px: number, trace: TraceInfo): TimeTick[] {
  const hasClock = trace.clockCycle.length >= 2;
  const step = Math.max(1, stepOfTicks(spanOf(range), width_px, hasClock ? 170 : 110));
  const ticks: TimeTick[] = [];
  for (let i = Math.ceil(range.from / step); i * step <= range.to; i++) {
    const ns = nsOfCycle(trace, i * step);
    ticks.push({
      at: i * step,
      label: `${formatCycles(i * step)}${ns === null ? "" : ` · ${Math.round(ns).toLocaleString("en-US")} ns`}`,
    });
  }
  return ticks;
}
