// The class of the work that an event is: by it the timeline is coloured, and the overview's bars are.
import type { LaneInfo, LaneWork, Timeline } from "./timeline";

export const kWorkClasses = ["compute", "communication", "memory", "host", "other"] as const;
export type WorkClass = (typeof kWorkClasses)[number];

const kLetters: Readonly<Record<string, WorkClass>> = { c: "compute", x: "communication", m: "memory" };
/** Several names drawn as one have a class where so much of the lane's work is of it. */
const kNearlyAll = 0.95;

/** The class of an event by its name's number; -1 stands for several names. Null if they are of several classes. */
export function classOfEvent({ lanes, nameClasses }: Timeline, lane: number, name: number): WorkClass | null {
  const { work } = lanes[lane]!;
  if (work === null) return isOfDevice(lanes, lanes[lane]!) ? "other" : "host";
  return name < 0 ? mainClass(work) : (kLetters[nameClasses[name] ?? ""] ?? "other");
}

/** The class that nearly all work of a lane is of; null where there is none. */
export function mainClass({ compute_ns, communication_ns, memory_ns }: Omit<LaneWork, "busy_ns">): WorkClass | null {
  const total_ns = compute_ns + communication_ns + memory_ns;
  if (compute_ns >= kNearlyAll * total_ns) return "compute";
  if (communication_ns >= kNearlyAll * total_ns) return "communication";
  return memory_ns >= kNearlyAll * total_ns ? "memory" : null;
}

function isOfDevice(lanes: readonly LaneInfo[], lane: LaneInfo): boolean {
  const isDevice = ({ kind }: LaneInfo) => kind === "device" || kind === "engine" || kind === "stream";
  return isDevice(lane) || lane.above.some((track) => isDevice(lanes[track]!));
}

/** The classes that a timeline has, in their order. */
export function listClasses({ lanes }: Timeline): WorkClass[] {
  const sums = { compute_ns: 0, communication_ns: 0, memory_ns: 0 };
  const found = new Set<WorkClass>();
  for (const lane of lanes) {
    if (lane.isOfReplays === true) continue;
    if (lane.work === null && lane.eventCount > 0) found.add(isOfDevice(lanes, lane) ? "other" : "host");
    sums.compute_ns += lane.work?.compute_ns ?? 0;
    sums.communication_ns += lane.work?.communication_ns ?? 0;
    sums.memory_ns += lane.work?.memory_ns ?? 0;
  }
  if (sums.compute_ns > 0) found.add("compute");
  if (sums.communication_ns > 0) found.add("communication");
  if (sums.memory_ns > 0) found.add("memory");
  return kWorkClasses.filter((each) => found.has(each));
}
