// Time on the axis as cycles of a clock that a lane was timed with.
import { formatFrequency } from "./counter";
import type { LaneInfo } from "./timeline";
import { formatDuration } from "../text";
import { formatMoment, makeTicks, spanOf, stepOfTicks, type TimeRange, type TimeTick } from "../time";

/** Cycles a second; null for time itself. */
export type Clock = number | null;

const kGrouped = new Intl.NumberFormat("en-US");
const kUnits = [
  { cycles: 1e9, name: "G cycles" },
  { cycles: 1e6, name: "M cycles" },
  { cycles: 1e3, name: "k cycles" },
  { cycles: 1, name: "cycles" },
];

/** The clocks of a profile, the fastest first. */
export function listClocks(lanes: readonly LaneInfo[]): number[] {
  const found = new Set(lanes.flatMap(({ hz }) => (hz === null ? [] : [hz])));
  return [...found].sort((a, b) => b - a);
}

/** From time to the first clock, to the next, and back to time. */
export function nextClock(clocks: readonly number[], clock: Clock): Clock {
  return clocks[clock === null ? 0 : clocks.indexOf(clock) + 1] ?? null;
}

export function formatClock(clock: Clock): string {
  return clock === null ? "time" : formatFrequency(clock);
}

/** Ticks at whole numbers of cycles, counted from the profile's start. */
export function makeAxisTicks(range: TimeRange, width_px: number, clock: Clock): TimeTick[] {
  if (clock === null) return makeTicks(range, width_px);
  const cycle_ns = 1e9 / clock;
  const cycles = spanOf(range) / cycle_ns;
  const step = stepOfTicks(cycles, width_px, 110);
  const unit = kUnits.find((u) => step >= u.cycles) ?? kUnits[kUnits.length - 1]!;
  const ticks: TimeTick[] = [];
  for (let i = Math.ceil(range.from / cycle_ns / step); i * step * cycle_ns <= range.to; i++) {
    ticks.push({
      at: i * step * cycle_ns,
      label: `${kGrouped.format(Math.round((i * step) / unit.cycles) + 0)} ${unit.name}`,
    });
  }
  return ticks;
}

export function formatMomentBy(ns: number, clock: Clock): string {
  return clock === null ? formatMoment(ns) : formatCycles(ns, clock);
}

export function formatDurationBy(ns: number, clock: Clock): string {
  return clock === null ? formatDuration(ns) : formatCycles(ns, clock);
}

function formatCycles(ns: number, clock: number): string {
  return `${kGrouped.format(Math.round((ns * clock) / 1e9) + 0)} cycles`;
}
