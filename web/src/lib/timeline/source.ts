// What the timeline's views know of a profile, and what they ask for: the same whether all of it is in the page
// (lib/timeline/whole-source.ts) or only what is looked at comes from the server, tile by tile (views/timeline/state/tiled-source.ts).
import type { ReadonlySignal } from "@preact/signals";
import type { CounterStep } from "./counter";
import type { EventRef, Marker, Profile } from "./lanes";
import type { Area, AreaStats, DurationSums } from "./lanes-stats";
import type { Scale, Span, SpanPlace } from "./lanes-spans";
import type { MemoryOrder } from "./memory-axis";
import type { MemoryPicture } from "./memory-picture";
import type { Result } from "../result";
import type { TimeRange } from "../time";

export interface MemoryInfo {
  peak_bytes: number;
  peak_ns: number;
  /** Never freed. */
  end_bytes: number;
  /** Top of the highest rectangle; above the peak by what the packing wastes. */
  height_bytes: number;
  /** Whether offsets are addresses that the capture knows; else they are packed. */
  isAddressed: boolean;
}

export interface CounterInfo {
  name: string;
  unit: string;
  min: number;
  max: number;
}

export interface LaneInfo {
  name: string;
  /** Names from the root of the tree of tracks down to it: what it is known by. */
  path: string;
  /** The process, device or rank that it stands under; "" where it stands alone. */
  group: string;
  rowCount: number;
  eventCount: number;
  relaned: number;
  /** Time with at least one event. */
  busy_ns: number;
  /** Of the clock that timed it, where that is known. */
  hz: number | null;
  counters: readonly CounterInfo[];
  memory: MemoryInfo | null;
}

export interface Timeline {
  dur_ns: number;
  /** Texts by number, names of events among them; those that are not there yet are missing. */
  strings: readonly string[];
  /** The strings without colours. */
  plain: readonly string[];
  lanes: readonly LaneInfo[];
  markers: readonly Marker[];
  eventCount: number;
}

/** An event by itself. */
export interface EventItem extends EventRef {
  row: number;
  /** A number that two events share where their names are equal, colours aside. */
  name: number;
  /** With colours. */
  label: string;
  start: number;
  dur: number;
  /** Beyond dur: 0 to 999. */
  dur_ps: number;
  kind: "span" | "instant" | "unfinished" | "asynchronous";
  isError: boolean;
}

export interface EventArgument {
  name: string;
  unit: string;
  value: number | string;
}

export interface EventDetail {
  item: EventItem;
  self_ns: number;
  category: string;
  /** Where the event leads: a context and a pass of it, -1 where there is none. */
  context: number;
  pass: number;
  arguments: readonly EventArgument[];
  previous: EventItem | null;
  next: EventItem | null;
  /** What holds it. */
  parent: EventItem | null;
  /** Launches that lead here, kernels that it leads to. */
  incoming: readonly EventItem[];
  outgoing: readonly EventItem[];
  allocations: readonly { lane: number; allocation: number }[];
}

export interface MemorySummary {
  /** Names of categories, in the order of their colours. */
  categories: readonly string[];
  /** Known where addresses are: free bytes between those in use at the peak, as a share of the span they lie in. */
  fragmentation: { share: number; largest_bytes: number } | null;
}

/** One allocation by itself. */
export interface AllocationItem {
  lane: number;
  allocation: number;
  key: number;
  size_bytes: number;
  /** Of the set that it is listed in. */
  share: number;
  count: number;
  dtype: string;
  category: string;
  birth: number;
  /** Infinity where it was never freed. */
  death: number;
  offset: number;
  /** Events that touch it; null where the capture does not tell. */
  uses: number | null;
}

export interface AllocationSet {
  bytes: number;
  count: number;
  /** The largest first, all or the first thousand. */
  items: readonly AllocationItem[];
}

/** Alive at the peak, or never freed. */
export type MemorySet = "peak" | "end";

export interface Hits {
  total: number;
  /** By start: all, or the first thousand. */
  items: readonly EventItem[];
}

/** A place on a row where something that was asked for lies, at any zoom. Pixels from the view's left edge. */
export interface Tick {
  x0: number;
  x1: number;
  /** How many such events it stands for. */
  count: number;
}

/** Adds a tick behind others; one that touches the last makes that longer instead. */
export function addTick(ticks: Tick[], tick: Tick): void {
  const last = ticks[ticks.length - 1];
  if (last === undefined || tick.x0 > last.x1) return void ticks.push(tick);
  last.x1 = Math.max(last.x1, tick.x1);
  last.count += tick.count;
}

/** What can be drawn now, at a zoom; better once more has come. */
export interface Picture {
  spansOf(lane: number, row: number): readonly Span[];
  /** Where the search's hits are. */
  ticksOf(lane: number, row: number): readonly Tick[];
  stepsOf(lane: number, counter: number): readonly CounterStep[];
}

/** What is on screen of the lanes. */
export interface View {
  scale: Scale;
  /** Rows of lanes, from (inclusive) to to (exclusive). */
  rows: readonly { lane: number; from: number; to: number }[];
  counters: readonly { lane: number; counter: number }[];
  find: string;
  /** Memories of lanes, and how tall they are drawn. */
  memories: readonly { lane: number; height_px: number }[];
  order: MemoryOrder;
}

export interface TimelineSource {
  timeline: Timeline;
  /** All of it, where all of it is in the page. */
  whole: Profile | null;
  /** More of the capture is still being read. */
  isBeginning: boolean;
  /** The profile's start on the capture's own clock, where that is known. */
  start_ns: bigint | null;
  /** Counts what has come since; a picture may be better after each. */
  arrived: ReadonlySignal<number>;
  /** Says what is on screen, so that it can be fetched. */
  look(view: View): void;
  /** What is there for this view; find is the search's text. */
  picture(scale: Scale, find: string): Picture;
  /** What there is of a lane's memory, where that is not in the page as a whole. */
  memoryPicture(lane: number, range: TimeRange, order: MemoryOrder): MemoryPicture | null;
  /** A range of time as numbers of allocations and frees, where the memory is drawn in their order. */
  changesOf(lane: number, range: TimeRange, order: MemoryOrder): TimeRange;
  detail(ref: EventRef): Promise<Result<EventDetail>>;
  /** The figures of a span that came rounded. */
  sumSpan(lane: number, row: number, place: SpanPlace): Promise<Result<SpanSums>>;
  /** The longest event of a row in a range. */
  longestIn(lane: number, row: number, range: TimeRange): Promise<Result<EventItem>>;
  search(text: string): Promise<Result<Hits>>;
  /** The hit so many after an event (before, where `by` is below 0), or, without one, from the end; around it to the other. */
  stepHit(text: string, from: EventItem | null, by: number): Promise<Result<EventItem | null>>;
  /** So many on of the same name, in any lane; the last there is that way, null where there is none. */
  stepName(from: EventItem, by: number): Promise<Result<EventItem | null>>;
  /** So many on in the same row, likewise. */
  stepInRow(from: EventItem, by: number): Promise<Result<EventItem | null>>;
  /** An event to begin with, at a time or soon after it. */
  firstAfter(at: number): Promise<Result<EventItem | null>>;
  /** Which hit of the search an event is. */
  placeInHits(text: string, item: EventItem): Promise<Result<EventPlace>>;
  /** Which event of its name it is. */
  placeInName(item: EventItem): Promise<Result<EventPlace>>;
  /** How long the events of its name are. */
  sumDurations(item: EventItem): Promise<Result<DurationSums>>;
  sumArea(area: Area): Promise<Result<AreaStats>>;
  /** The runs of a context: how many, how long together, and the longest. */
  listRuns(context: number, name: string): Promise<Result<Runs>>;
  memorySummary(lane: number): Promise<Result<MemorySummary>>;
  listSet(lane: number, set: MemorySet): Promise<Result<AllocationSet>>;
  allocation(
    lane: number,
    allocation: number,
  ): Promise<Result<{ item: AllocationItem; kernels: readonly EventItem[] }>>;
  /** An event by its place in a URL. */
  formatEvent(item: EventItem): string;
  findEvent(key: string): Promise<Result<EventItem | null>>;
}

/** What an aggregate stands for, exactly. */
export interface SpanSums {
  place: SpanPlace;
  count: number;
  longest: EventItem;
  /** How much of its busy time is certainly of the name that has half of it, 0 to 1; 0 where none has. */
  share: number;
}

/** By start, counted from 0, and among how many. */
export interface EventPlace {
  at: number;
  count: number;
}

export interface Runs {
  count: number;
  total_ns: number;
  longest: EventItem | null;
}
