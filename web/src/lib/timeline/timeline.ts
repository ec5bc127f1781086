// A whole timeline as the page knows it: its lanes, names and markers; never its events.

import type { Run } from "./runs";
import type { WireTrace, WireTracedRun } from "./wire";

export interface Marker {
  at: number;
  name: string;
  colour: string;
}

export interface MemoryInfo {
  peak_bytes: number;
  peak_ns: number;
  /** Never freed. */
  end_bytes: number;
  /** Top of the highest rectangle; above the peak by what the packing wastes. */
  height_bytes: number;
  /** Whether offsets are addresses that the capture knows; else they are packed. */
  isAddressed: boolean;
  /** Whether its allocator told of itself entry by entry. */
  hasLog?: boolean;
  /** What the allocator says that it holds beside what is listed; null where it says nothing. */
  unlisted_bytes: number | null;
}

export interface CounterInfo {
  name: string;
  unit: string;
  min: number;
  max: number;
}

export interface ArgumentInfo {
  name: string;
  unit: string;
  /** Events that have it. */
  events: number;
}

/** Sums of a device's work in a lane. */
export interface LaneWork {
  compute_ns: number;
  communication_ns: number;
  memory_ns: number;
  /** In which any of it runs. */
  busy_ns: number;
}

export interface LaneInfo {
  name: string;
  /** Names from the root of the tree of tracks down to it: what it is known by. */
  path: string;
  /** The same for people to read. */
  title: string;
  /** "rank", "process", "device", "stream", …; "" for others. */
  kind: string;
  /** Tracks that it stands under, the root first. */
  above: readonly number[];
  /** Among all tracks as they are listed: after those that it stands under. */
  place: number;
  rowCount: number;
  eventCount: number;
  relaned: number;
  /** Sums of a device's work in it; null where it has none. */
  work: LaneWork | null;
  /** How often its events launched a device's work. */
  launches: number;
  /** Time with at least one event. */
  busy_ns: number;
  /** The rate of the clock that timed it, where that is known. */
  hz: number | null;
  counters: readonly CounterInfo[];
  /** The arguments of its events. */
  arguments: readonly ArgumentInfo[];
  /** Stacks sampled. */
  sampleCount: number;
  memory: MemoryInfo | null;
  /** What replays of graphs are of: drawn over the lane of their work, and no work itself. */
  isOfReplays?: boolean;
  /** Set for a thread trace or for samples: each wave counts, however little it has to show. */
  isOfTrace?: boolean;
}

/** The thread trace that a timeline is of. */
export interface TraceInfo extends Omit<WireTrace, "clock_cycle" | "clock_ns"> {
  /** Readings of the real-time clock: at which cycles, and nanoseconds after the first. */
  clockCycle: Float64Array;
  clock_ns: Float64Array;
}

export interface Timeline {
  /** The thread trace that it is of: its times are cycles then, here and in all that is asked of it. */
  trace?: TraceInfo;
  /** The runs that thread traces tell of: the capture's, or those of the capture that this trace is of. */
  tracedRuns?: readonly WireTracedRun[];
  dur_ns: number;
  /** Texts by number, names of events among them; those that are not there yet are missing. */
  strings: readonly string[];
  /** How many there are once all are there, where that is known. */
  nameCount?: number;
  /** The strings without colours. */
  plain: readonly string[];
  /** By name's number what work of a device it is: "c", "x", "m", "-" (lib/timeline/work-class.ts). */
  nameClasses: readonly string[];
  lanes: readonly LaneInfo[];
  markers: readonly Marker[];
  runs: readonly Run[];
  eventCount: number;
}

/** What a lane's memory is called: "cuda:0 memory". */
export const nameOfMemory = (name: string): string => (isNamedMemory(name) ? name : `${name} memory`);
/** How an allocation is told from others of its memory: by its address, or by the capture's number of its buffer. */
export const nameOfBuffer = ({ isAddressed }: { isAddressed: boolean }, key: number): string =>
  isAddressed ? `0x${key.toString(16)}` : `buffer ${key}`;
export const isNamedMemory = (name: string): boolean => /\bmemory\b/i.test(name);

/**
 * The number of the lane that a path names, or, where none has it, of the first of that name; -1 where there is none.
 */
export function findLane({ lanes }: Timeline, path: string | undefined): number {
  const found = lanes.findIndex((lane) => lane.path === path);
  return found >= 0 ? found : lanes.findIndex((lane) => lane.name === path);
}
