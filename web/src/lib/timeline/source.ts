// The interface of a profile on the server to the timeline's view: it draws what has come, and answers each
// question.
import type { ReadonlySignal } from "@preact/signals";
import type { WireEventMemory, WireLifeDetail } from "../allocator";
import type { WireNaming } from "../replays";
import type { Result } from "../result";
import type { TimeRange } from "../time";
import type { CaptureClock } from "./beside";
import type { CounterStep } from "./counter";
import type { EventOrder } from "./event-order";
import type { AllocationItem, EventDetail, EventItem, EventRef } from "./events";
import type { DrawnGap, IdleGap } from "./idle";
import type { MemoryOrder, MemoryPicture } from "./memory-picture";
import type { Scale, Span, SpanPlace, Tick } from "./spans";
import type { StackTable } from "./stacks";
import type { Area, AreaStats, DurationSums, StatsLines } from "./stats";
import type { Timeline } from "./timeline";

export interface Hits {
  total: number;
  /** In the order that was asked for: all, or the first thousand. */
  items: readonly EventItem[];
}

/** The spans, ticks and steps that can be drawn now, at a zoom; better once more has come. */
export interface Picture {
  spansOf(lane: number, row: number): readonly Span[];
  /** Where the search's hits are. */
  ticksOf(lane: number, row: number): readonly Tick[];
  stepsOf(lane: number, counter: number): readonly CounterStep[];
}

/** The lanes that are on screen. */
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
  /** More of the capture is still being read. */
  isBeginning: boolean;
  /** The profile's start on the capture's own clock, where that is known. */
  start_ns: bigint | null;
  clock: CaptureClock;
  /** Counts what has come since; a picture may be better after each. */
  arrived: ReadonlySignal<number>;
  /** Says what is on screen, so that it can be fetched. */
  look(view: View): void;
  /** The picture that can be drawn of this view now; find is the search's text. */
  picture(scale: Scale, find: string): Picture;
  /** The picture of a lane's memory that is there. */
  memoryPicture(lane: number, range: TimeRange, order: MemoryOrder): MemoryPicture | null;
  /** A range of time as numbers of allocations and frees, where the memory is drawn in their order. */
  changesOf(lane: number, range: TimeRange, order: MemoryOrder): TimeRange;
  detail(ref: EventRef): Promise<Result<EventDetail>>;
  /** The time at which the device of a lane did nothing; null where it worked, or has no work there. */
  gapAt(lane: number, at: number): Promise<Result<IdleGap | null>>;
  /** Such times of all devices in a range, of at least that length, the longest thousand. */
  gapsIn(range: TimeRange, least_ns: number): Promise<Result<readonly DrawnGap[]>>;
  /** The figures of a span that came rounded. */
  sumSpan(lane: number, row: number, place: SpanPlace): Promise<Result<SpanSums>>;
  /** The longest event of a row in a range. */
  longestIn(lane: number, row: number, range: TimeRange): Promise<Result<EventItem>>;
  search(text: string, order: EventOrder): Promise<Result<Hits>>;
  /**
   * The hit so many after an event (before, where `by` is below 0), or, without one, from the end; around it to the
   * other.
   */
  stepHit(text: string, from: EventItem | null, by: number): Promise<Result<EventItem | null>>;
  /** The event of the same name so many on, in any lane; the last one that way, null where there is none. */
  stepName(from: EventItem, by: number): Promise<Result<EventItem | null>>;
  /** The event so many on in the same row, likewise. */
  stepInRow(from: EventItem, by: number): Promise<Result<EventItem | null>>;
  /** An event to begin with, at a time or soon after it. */
  firstAfter(at: number): Promise<Result<EventItem | null>>;
  /** The nearest events of these lanes that begin before a range, and after its beginning. */
  nearest(range: TimeRange, lanes: readonly number[]): Promise<Result<NearestEvents>>;
  /** The place of an event among the search's hits. */
  placeInHits(text: string, item: EventItem): Promise<Result<EventPlace>>;
  /** Its place among the events of its name. */
  placeInName(item: EventItem): Promise<Result<EventPlace>>;
  /** How long the events of its name are in its lane. */
  sumDurations(item: EventItem): Promise<Result<DurationSums>>;
  /** What names an event that is a part of a graph's replay; null for any other. */
  naming(ref: EventRef): Promise<Result<WireNaming | null>>;
  sumArea(area: Area, lines: StatsLines): Promise<Result<AreaStats>>;
  /** Where the lanes stood in a range, as sampled. */
  listStacks(area: Area): Promise<Result<StackTable>>;
  allocation(lane: number, allocation: number): Promise<Result<AllocationUses>>;
  /** The name of the capture that a lane is of; null: of the one on screen. */
  captureOf(lane: number): string | null;
  /** What an event has to do with the memories of a snapshot of its run, which is a capture's id. */
  memoryOf(ref: EventRef, snapshot: string): Promise<Result<WireEventMemory>>;
  /** An allocation of a memory whose allocator told of itself; trace: the id of one of its run, which tells who asked. */
  lifeOf(lane: number, allocation: number, trace: string | null): Promise<Result<WireLifeDetail>>;
  /** An event by its place in a URL. */
  formatEvent(item: EventItem): string;
  findEvent(key: string): Promise<Result<EventItem | null>>;
}

export interface NearestEvents {
  before: EventItem | null;
  after: EventItem | null;
}

/** An allocation with the events that touch it, in order of start, and the one of them that made it. */
export interface AllocationUses {
  item: AllocationItem;
  madeBy: EventItem | null;
  kernels: readonly EventItem[];
}

/** The exact figures that an aggregate stands for. */
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
