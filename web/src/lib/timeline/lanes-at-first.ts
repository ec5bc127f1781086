// How the lanes stand before anybody has arranged them: devices and their streams first, then the threads that launch
// their work, then memory and counters, then the rest, and last what has next to nothing to show. Where it is known who
// launches, the rest is folded. Ranks and captures stay as they are listed, each ordered by itself. So do the lanes of a
// thread trace or of samples, all of them, with the counters of what they stand under.
import type { LaneInfo } from "./timeline";

/** In the order in which lanes stand. */
export const kStandings = ["device", "launches", "figures", "rest", "empty"] as const;
export type Standing = (typeof kStandings)[number];

const kDeviceKinds = new Set(["device", "engine", "stream"]);
/** Tracks that keep their own order: what is under one never mixes with what is under another. */
const kWholes = new Set(["capture", "rank"]);
/** A track with fewer events has next to nothing to show. */
const kLeastEvents = 2;

export interface LanesAtFirst {
  /** The rank of a lane's events and counters, or of its memory: less comes first. */
  rankOf(lane: number, isMemory: boolean): readonly number[];
  /** Paths of tracks. */
  folded: ReadonlySet<string>;
}

const known = new WeakMap<readonly LaneInfo[], LanesAtFirst>();

export function lanesAtFirst(lanes: readonly LaneInfo[]): LanesAtFirst {
  let found = known.get(lanes);
  if (found === undefined) known.set(lanes, (found = arrangeAtFirst(lanes)));
  return found;
}

function arrangeAtFirst(lanes: readonly LaneInfo[]): LanesAtFirst {
  if (lanes.some(({ isOfTrace }) => isOfTrace)) {
    return { rankOf: (lane) => [lanes[lane]!.place], folded: new Set() };
  }
  const isLaunchKnown = lanes.some(({ launches }) => launches > 0);
  const standings = lanes.map((lane) => standingOf(lanes, lane, isLaunchKnown));
  const whole = lanes.map(({ above }) => above.findLast((track) => kWholes.has(lanes[track]!.kind)) ?? -1);
  return {
    rankOf(lane, isMemory) {
      const isFigure = isMemory || lanes[lane]!.rowCount === 0;
      const standing = kStandings.indexOf(isFigure ? "figures" : standings[lane]!);
      const track = whole[lane]!;
      // Lanes under none of several ranks that have nothing to show come after them all.
      const outer = track >= 0 ? lanes[track]!.place : standing === kStandings.indexOf("empty") ? Infinity : -1;
      return [outer, standing, lanes[lane]!.place];
    },
    folded: foldRest(lanes, standings),
  };
}

/** Which standing a lane has, by its events. */
function standingOf(lanes: readonly LaneInfo[], lane: LaneInfo, isLaunchKnown: boolean): Standing {
  if (lane.work !== null || lane.isOfReplays === true) return "device";
  if (lane.launches > 0) return "launches";
  if (lane.eventCount < kLeastEvents && lane.counters.length === 0) return "empty";
  const isInDevice = lane.above.some((track) => kDeviceKinds.has(lanes[track]!.kind));
  if (isInDevice && !kDeviceKinds.has(lane.kind)) return "device"; // as an engine's batches and functions
  return isLaunchKnown || kDeviceKinds.has(lane.kind) ? "rest" : "launches";
}

/** The outermost tracks that hold nothing else than the rest. Where that is all there is, nothing is folded. */
function foldRest(lanes: readonly LaneInfo[], standings: readonly Standing[]): Set<string> {
  const folds = (lane: LaneInfo, l: number) =>
    lane.eventCount > 0 && (standings[l] === "rest" || standings[l] === "empty");
  const stays = (lane: LaneInfo, l: number) =>
    lane.memory !== null || lane.counters.length > 0 || (lane.eventCount > 0 && !folds(lane, l));
  const staying = new Set(lanes.flatMap((lane, l) => (stays(lane, l) ? [l, ...lane.above] : [])));
  if (staying.size === 0) return new Set();
  return new Set(
    lanes.flatMap((lane, l) => {
      if (!folds(lane, l)) return [];
      const outermost = [...lane.above, l].find((track) => !staying.has(track));
      return outermost === undefined ? [] : [lanes[outermost]!.path];
    }),
  );
}
