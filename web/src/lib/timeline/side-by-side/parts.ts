// The captures that lie side by side, each with the place that its lanes, names and times have among the others'.
import type { TimeRange } from "../../time";
import type { AllocationItem, EventDetail, EventItem } from "../events";
import type { DrawnGap } from "../idle";
import type { Scale, Span } from "../spans";
import type { TimelineSource, View } from "../source";

/** A capture among others. */
export interface Part {
  /** As the session has it: no two parts share one. */
  name: string;
  source: TimelineSource;
  /** Added to its times; the least shift of all parts counts as 0. */
  shift_ns: number;
}

/**
 * A part in its place. Its methods translate between the capture's own numbers and times and those of the whole: `…In`
 * from the capture's own, `…Of` to them.
 */
export class PlacedPart implements Part {
  readonly name: string;
  readonly source: TimelineSource;

  constructor(
    part: Part,
    readonly shift_ns: number,
    /** Its place among the parts, and how many these are. */
    readonly at: number,
    private readonly count: number,
    /** Where its lanes begin. */
    readonly firstLane: number,
    /** Where its names begin; without that names are dealt out in turn. */
    private readonly firstName: number | null = null,
  ) {
    this.name = part.name;
    this.source = part.source;
  }

  laneIn(lane: number): number {
    return lane + this.firstLane;
  }

  laneOf(lane: number): number {
    return lane - this.firstLane;
  }

  /** An item of the whole with its lane as the capture has it. */
  itemOf<T extends { lane: number }>(item: T): T {
    return { ...item, lane: this.laneOf(item.lane) };
  }

  /** An item of the capture with its lane as the whole has it. */
  itemIn<T extends { lane: number }>(item: T): T {
    return { ...item, lane: this.laneIn(item.lane) };
  }

  nameIn(name: number): number {
    return this.firstName === null ? name * this.count + this.at : name + this.firstName;
  }

  eventIn(event: EventItem): EventItem {
    return { ...this.itemIn(event), name: this.nameIn(event.name), start: event.start + this.shift_ns };
  }

  eventOf(event: EventItem): EventItem {
    const name = this.firstName === null ? (event.name - this.at) / this.count : event.name - this.firstName;
    return { ...this.itemOf(event), name, start: event.start - this.shift_ns };
  }

  maybeEventIn(event: EventItem | null): EventItem | null {
    return event === null ? null : this.eventIn(event);
  }

  allocationIn(item: AllocationItem): AllocationItem {
    return {
      ...this.itemIn(item),
      birth: item.birth + this.shift_ns,
      death: item.death + this.shift_ns,
      madeIn: this.maybeEventIn(item.madeIn),
    };
  }

  spanIn(span: Span): Span {
    return { ...span, name: this.nameIn(span.name) };
  }

  rangeOf({ from, to }: TimeRange): TimeRange {
    return { from: from - this.shift_ns, to: to - this.shift_ns };
  }

  scaleOf(scale: Scale): Scale {
    return { ...scale, range: this.rangeOf(scale.range) };
  }

  gapIn<T extends DrawnGap>(gap: T): T {
    return { ...this.itemIn(gap), from: gap.from + this.shift_ns, to: gap.to + this.shift_ns };
  }

  /** Contexts and passes are told of the first part alone: the page shows those of the capture on screen. */
  detailIn(detail: EventDetail): EventDetail {
    const isMain = this.at === 0;
    return {
      ...detail,
      item: this.eventIn(detail.item),
      context: isMain ? detail.context : -1,
      pass: isMain ? detail.pass : -1,
      previous: this.maybeEventIn(detail.previous),
      next: this.maybeEventIn(detail.next),
      parent: this.maybeEventIn(detail.parent),
      incoming: detail.incoming.map((event) => this.eventIn(event)),
      outgoing: detail.outgoing.map((event) => this.eventIn(event)),
      launchedIn: detail.launchedIn.map((frame) => ({ ...frame, item: this.eventIn(frame.item) })),
      allocations: detail.allocations.map((allocation) => this.itemIn(allocation)),
    };
  }
}

/** All parts in their places. There is at least one. */
export class PlacedParts {
  readonly list: readonly PlacedPart[];
  readonly main: PlacedPart;

  /** firstNames: by part, where it is known how many names each has. */
  constructor(given: readonly Part[], firstNames: readonly number[] | null = null) {
    const least = Math.min(...given.map(({ shift_ns }) => shift_ns));
    let firstLane = 0;
    this.list = given.map((part, at) => {
      const placed = new PlacedPart(part, part.shift_ns - least, at, given.length, firstLane, firstNames?.[at] ?? null);
      firstLane += part.source.timeline.lanes.length;
      return placed;
    });
    this.main = this.list[0]!;
  }

  /** The part that a lane of the whole belongs to. */
  of(lane: number): PlacedPart {
    return this.list.findLast((part) => part.firstLane <= lane)!;
  }

  /** Returns the lanes that belong to a part, numbered as in the part. */
  lanesOf(part: PlacedPart, lanes: readonly number[]): number[] {
    return lanes.filter((lane) => this.of(lane) === part).map((lane) => part.laneOf(lane));
  }

  viewOf(part: PlacedPart, view: View): View {
    const its = <T extends { lane: number }>(items: readonly T[]): T[] =>
      items.filter(({ lane }) => this.of(lane) === part).map((item) => part.itemOf(item));
    return {
      ...view,
      scale: part.scaleOf(view.scale),
      rows: its(view.rows),
      counters: its(view.counters),
      memories: its(view.memories),
    };
  }
}
