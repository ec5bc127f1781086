// The part of a timeline that a scope is of: its time, and the lanes of its rank and device. Pure.
import type { Scope } from "../scope";
import { timeOfScope } from "./runs";
import type { Area } from "./stats";
import type { LaneInfo, Timeline } from "./timeline";

/** All that the scope does not narrow. A rank or device that no lane is of narrows nothing. */
export function areaOfScope({ dur_ns, lanes, runs }: Timeline, scope: Scope): Area {
  const kept = lanes.flatMap((lane, l) =>
    isUnder(lanes, lane, l, "rank", scope.rank) && isUnder(lanes, lane, l, "device", scope.device) ? [l] : [],
  );
  return {
    range: timeOfScope(runs, scope) ?? { from: 0, to: dur_ns },
    lanes: kept.length > 0 ? kept : lanes.map((_, l) => l),
  };
}

/** Whether a lane is the track of that kind and name, or stands under it; name: as rows about devices tell it. */
function isUnder(
  lanes: readonly LaneInfo[],
  lane: LaneInfo,
  at: number,
  kind: "rank" | "device",
  name: string | null,
): boolean {
  if (name === null) return true;
  const names = [name, `${kind === "rank" ? "rank" : "GPU"} ${name}`];
  return [...lane.above, at].some((track) => lanes[track]!.kind === kind && names.includes(lanes[track]!.name));
}
