// The shapes of server/http/API.md, under its names: a timeline and what is asked of it.
import type { WireFigures } from "../executions";
import type { LinkedEvent } from "../linked-event";
import type { IdleCause } from "./idle-cause";

/** A lane as /api/v1/lanes has it. While the capture is being read there may be no more than its name. */
export interface WireLaneInfo {
  name: string;
  /** Names from the root of the tree of tracks down to it: what it is known by. */
  path?: string;
  /** "rank", "process", "device", "stream", …; "" for others. */
  kind?: string;
  /** Its place among the tracks; -1 at the root. */
  parent?: number;
  events?: number;
  rows?: number;
  relaned?: number;
  busy_ns?: number;
  hz?: number | null;
  counters?: { name: string; unit: string; samples: number; min: number; max: number }[];
  arguments?: { name: string; unit: string; events: number }[];
  /** Stacks sampled. */
  samples?: number;
  memory?: null | {
    allocations: number;
    peak_bytes: number;
    peak_ns: number;
    end_bytes: number;
    height_bytes: number;
    addressed: boolean;
    /** Whether its allocator told of itself entry by entry (/api/v1/allocator). */
    has_log?: boolean;
    /** What the allocator says that it holds beside what is listed; null where it says nothing. */
    unlisted_bytes: number | null;
  };
}

export interface WireTrace {
  name: string;
  /** Its run, as /api/v1/counters numbers it: "2"; "s2" of samples of program counters. */
  trace: string;
  of: "instructions" | "samples";
  part: number;
  parts: number;
  /** Or samples; of a beginning those that are shown. */
  instructions: number;
  /** Its program's number; -1 where the capture has none. */
  program: number;
  clock_cycle: number[];
  clock_ns: number[];
  /** From its first event to its last: a trace goes on long before and after its waves. */
  work: [from: number, to: number];
  notes: readonly string[];
}

/** A run of a program that thread traces or samples tell of. */
export interface WireTracedRun {
  /** As WireTrace has it. */
  trace: string;
  kernel: string;
  device: string;
  /** The event in the capture's timeline; null if that does not say when it ran. */
  event: LinkedEvent | null;
}

export interface WireLanes {
  capture: string;
  /** Set for a thread trace, or for samples, whose times are cycles. */
  trace?: WireTrace;
  /** The traced runs of the capture, or of the one that the thread trace belongs to; left out if there are none. */
  traced_runs?: WireTracedRun[];
  revision: number;
  /** "none": it is read, and has no profile. */
  status: "ready" | "opening" | "none";
  /** While it is opening. What follows is then of as much as can be shown already; without a key nothing can. */
  progress?: { what: string; unit?: string; done: number; of: number | null };
  lanes?: WireLaneInfo[];
  /** While it is opening: there are none yet, but they are being made. */
  lanes_soon?: boolean;
  /** Tracks as they are listed: each before those under it. */
  order?: number[];
  /** Letters by name's number (lib/timeline/work-class.ts). */
  name_classes?: string;
  /** By lane, in columns. */
  work?: { lane: number[]; compute_ns: number[]; communication_ns: number[]; memory_ns: number[]; busy_ns: number[] };
  launches?: { lane: number[]; count: number[] };
  /** For /api/v1/replay-lanes: by lane, the capture's lane that it is drawn over; -1: none. */
  over?: number[];
  key: string;
  /** The profile's start on the capture's own clock: a whole number too large for one of JSON's. */
  start?: string;
  /** The clock that its times count from; unix_start: the profile's start in Unix time, where that is known. */
  clock?: { name: string; unix_start: string | null };
  dur_ns: number;
  events: number;
  flows: number;
  names: string[];
  name_count: number;
  markers: { at: number; name: string; colour: string }[];
  runs?: { kind: string; name: string; number: number; from_ns: number; to_ns: number }[];
}

export interface WireEvent {
  lane: number;
  index: number;
  row: number;
  name: number;
  label: string;
  start_ns: number;
  dur_ns: number;
  /** Beyond dur_ns: 0 to 999. */
  dur_ps: number;
  kind: "span" | "instant" | "unfinished" | "asynchronous";
  error: boolean;
  /** Where they were asked for. */
  arguments?: WireArgument[];
}

export interface WireArgument {
  name: string;
  unit: string;
  value: number | string;
}

export interface WireEventDetail extends WireEvent {
  self_ns: number;
  category: string;
  context: number;
  pass: number;
  arguments: WireArgument[];
  parent: WireEvent | null;
  previous: WireEvent | null;
  next: WireEvent | null;
  incoming: WireEvent[];
  outgoing: WireEvent[];
  launched_in: { event: WireEvent; category: string; role: string; forward: boolean }[];
  allocations: { lane: number; index: number }[];
}

/** A time in which a device did nothing. */
export interface WireGap {
  device: string;
  from_ns: number;
  to_ns: number;
  cause: IdleCause;
  ended_by: WireEvent;
  call: WireEvent | null;
  host: WireEvent | null;
}

/** Such times, in columns. */
export interface WireGaps {
  total: number;
  lane: number[];
  from_ns: number[];
  to_ns: number[];
  cause: IdleCause[];
}

/** One span of a tile. */
export interface WireSpan {
  events: number;
  start_ns: number;
  end_ns: number;
  busy_ns: number;
  name: number | null;
  name_ns: number;
  first: WireEvent;
  longest: WireEvent;
}

export interface WireHits {
  total: number;
  /** The rank of the first item among all. */
  rank: number | null;
  items: WireEvent[];
}

export interface WireStacks {
  samples: number;
  weight: number;
  total: number;
  stacks: { samples: number; weight: number; frames: { function: string; file: string; line: number }[] }[];
}

export interface WireDurations extends WireFigures {
  least_ns: number;
  share: number;
  wall_share: number;
  worst: { lane: number; index: number; start_ns: number };
  bins: { edges_ns: number[]; count: number[] };
}

export interface WireRange {
  /** The number of lanes with events. */
  lanes: number;
  events: number;
  busy_ns: number;
  wall_ns: number;
  exact: boolean;
  names: (WireFigures & {
    name: number;
    label: string;
    /** Only where each line is a name in one lane. */
    lane?: number;
    share: number;
    wall_share: number;
    worst: { lane: number; index: number; start_ns: number };
  })[];
  others: { names: number; count: number; total_ns: number };
}

export interface WireAllocation {
  index: number;
  key: number;
  size_bytes: number;
  share: number;
  count: number;
  dtype: string;
  category: string;
  birth_ns: number;
  /** -1 where it was never freed. */
  death_ns: number;
  offset: number;
  uses: number | null;
  /** What it was made in, and how that is known: the thread that asked, its first use, or what ran then. */
  made_in: WireEvent | null;
  origin: AllocationOrigin;
  module: string | null;
  /** "FILE(LINE): FUNCTION". */
  line: string | null;
  /** It was there when the capture began. */
  earlier: boolean;
}

export type AllocationOrigin = "none" | "thread" | "use" | "time";

/** An allocation with the events that it was made in, the outermost first, and those that touch it. */
export interface WireAllocationDetail extends WireAllocation {
  made_by: WireEvent | null;
  kernels: WireEvent[];
  around: WireEvent[];
}

export interface WireMemorySummary {
  /** Allocations and frees. */
  orders: number;
  fragmentation: { at_peak: number; largest_hole_bytes: number } | null;
  categories: { name: string; allocations: number; peak_bytes: number; total_bytes: number }[];
}

export interface WireAllocationSet {
  at_ns: number;
  bytes: number;
  count: number;
  items: WireAllocation[];
}
