// The state of the timeline's view (state/timeline.ts makes it): the profile, and what of it is looked at.
import type { ReadonlySignal, Signal } from "@preact/signals";
import type { ProgramText } from "../../../lib/links";
import type { Problem, Result } from "../../../lib/result";
import type { TimeRange } from "../../../lib/time";
import type { Beside } from "../../../lib/timeline/beside";
import type { Clock } from "../../../lib/timeline/clock";
import type { EventOrder } from "../../../lib/timeline/event-order";
import type { AllocationItem, AllocationRef, EventDetail, EventItem, EventRef } from "../../../lib/timeline/events";
import type { IdleGap } from "../../../lib/timeline/idle";
import type { ColourBy, DetailsTab, MemoryView, TableLook, Top } from "../../../lib/timeline/sight";
import type { Hits, TimelineSource } from "../../../lib/timeline/source";
import type { Area } from "../../../lib/timeline/stats";
import type { Opening } from "../../../state/opening";
import type { LaneArrangement } from "./lane-arrangement";

export type TimelineItem = EventItem | AllocationItem;
/** An event or an allocation, by itself or by where it is. */
export type TimelineRef = TimelineItem | EventRef | AllocationRef;

export interface TimelineState {
  /** Null until it is there. */
  source: ReadonlySignal<TimelineSource | null>;
  problem: ReadonlySignal<Problem | null>;
  /** How far the capture is read, before there is a source. */
  opening: ReadonlySignal<Opening | null>;
  /** Asks for the profile, now and after reloads. */
  want(): void;

  bounds: ReadonlySignal<TimeRange>;
  range: Signal<TimeRange>;
  selected: ReadonlySignal<TimelineItem | null>;
  selectedEvent: ReadonlySignal<EventItem | null>;
  selectedAllocation: ReadonlySignal<AllocationItem | null>;
  /** The detail of the selected event; null until it is there. */
  detail: ReadonlySignal<EventDetail | null>;
  /** The time of idleness whose cause is told. */
  gap: ReadonlySignal<IdleGap | null>;
  /** Tells what the device of a lane waited for at a time; clears the selection. */
  explainGap(lane: number, at: number): void;
  /** The source of events' colours. */
  colourBy: Signal<ColourBy>;
  area: Signal<Area | null>;
  marks: Signal<readonly TimeRange[]>;
  lanes: LaneArrangement;
  /** Captures that lie beside the one on screen. */
  beside: ReadonlySignal<readonly Beside[]>;
  setBeside(list: readonly Beside[]): void;
  memory: Signal<MemoryView>;
  /** The unit of the axis. */
  clock: Signal<Clock>;
  find: Signal<string>;
  /** The hits of the search; null without a search, and until they are known. */
  hits: ReadonlySignal<Hits | null>;
  /** In which they are listed. */
  hitOrder: Signal<EventOrder>;
  /** The hit last stepped to. */
  hit: Signal<EventItem | null>;
  /** The tab of the details that is open, and how the events of a range are listed there. */
  tab: Signal<DetailsTab>;
  table: Signal<TableLook>;
  /** How far the lanes are scrolled, as the stage says. */
  top: Signal<Top | null>;
  /** How far they should be, as a place says; a new object each time. */
  arrivedTop: ReadonlySignal<{ top: Top | null } | null>;
  /** The item that the lanes should scroll to; a new object each time. */
  revealed: ReadonlySignal<{ item: TimelineItem } | null>;

  select(item: TimelineItem | null): void;
  /** Selects, and brings it into view. */
  show(ref: TimelineRef): void;
  /** The same with as much of the view as it can have. */
  frame(ref: TimelineRef): void;
  /** Brings a time into view. */
  showTime(time: TimeRange): void;
  /** Goes to the rewrites that the event leads to; one that leads nowhere is framed. */
  open(ref: EventRef): void;
  /** Goes to the program that the event runs or makes; stays where there is none. */
  openProgram(ref: EventRef, text: ProgramText): void;
  /**
   * Runs `then` with the answer, or `otherwise` where there is none, unless the profile is another by then; problems are
   * shown. Ends after that.
   */
  ask<T>(
    question: (source: TimelineSource) => Promise<Result<T>>,
    then: (answer: T) => void,
    otherwise?: () => void,
  ): Promise<void>;
  steps: Steps;
}

/** Each takes a step: on, or back where `by` is -1. */
export interface Steps {
  /** To the next event of the selected one's row; without one, to the first on screen. */
  inRow(by: 1 | -1): void;
  /** To the next of its name. */
  inName(by: 1 | -1): void;
  /** To the next that the search finds. */
  inHits(by: 1 | -1): void;
  /** Along the arrows: to what the event led to, or to what led to it. */
  alongFlow(by: 1 | -1): void;
  /** Opens what the event leads to, and its program. */
  open(): void;
  openProgram(text: ProgramText): void;
}
