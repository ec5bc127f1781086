// The runs of programs that thread traces or samples tell of: which one an event is of, and which come before and after one.
import type { EventItem } from "./events";
import type { LaneInfo } from "./timeline";
import type { WireTracedRun } from "./wire";

export interface TracedRunsAround {
  before: WireTracedRun | null;
  now: WireTracedRun | null;
  after: WireTracedRun | null;
}

/** The runs around a run, by what its trace is called. */
export function tracedRunsAround(runs: readonly WireTracedRun[], trace: string): TracedRunsAround {
  const at = runs.findIndex((each) => each.trace === trace);
  if (at < 0) return { before: null, now: null, after: null };
  return { before: runs[at - 1] ?? null, now: runs[at]!, after: runs[at + 1] ?? null };
}

/** The lanes of a device's waves stand under a track of this name. */
const kWaves = " thread traces";

/** The run that an event of the capture's timeline is of: the kernel itself, or one of its waves; null: of none. */
export function tracedRunOf(
  runs: readonly WireTracedRun[],
  lane: LaneInfo,
  { event, start }: Pick<EventItem, "event" | "start">,
): WireTracedRun | null {
  const itself = runs.find((run) => run.event?.lane === lane.path && run.event.index === event);
  if (itself !== undefined) return itself;
  const ofDevice = runs.filter((run) => lane.path.startsWith(`${run.device}${kWaves}`));
  let nearest: WireTracedRun | null = null;
  let least_ns = Infinity;
  for (const run of ofDevice) {
    if (run.event === null) continue;
    const { start_ns, dur_ns } = run.event;
    // Clocks differ by a little: a wave may seem to begin before its kernel.
    const apart_ns = Math.max(start_ns - start, start - (start_ns + dur_ns), 0);
    if (apart_ns < least_ns) [nearest, least_ns] = [run, apart_ns];
  }
  return nearest;
}
