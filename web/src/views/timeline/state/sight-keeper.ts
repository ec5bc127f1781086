// Keeps what is looked at and the place's keys the same: writes the keys as it changes, and looks where new keys say. A
// profile that replaces another is looked at by the same names; numbers may differ.
import { effect, untracked, type ReadonlySignal } from "@preact/signals";
import { formatGapKey, parseGapKey } from "../../../lib/links";
import { findLane } from "../../../lib/timeline/timeline";
import { changeKeys, type KeyChange, type Keys } from "../../../lib/place";
import { clampRange, formatRange, type TimeRange } from "../../../lib/time";
import type { EventItem } from "../../../lib/timeline/events";
import {
  formatAllocationKey,
  formatSight,
  parseAllocationKey,
  parseSight,
  takeSightKeys,
  type Sight,
} from "../../../lib/timeline/sight";
import type { TimelineSource } from "../../../lib/timeline/source";
import type { PlaceState } from "../../../state/place";
import type { TimelineSignals } from "./signals";
import type { TimelineItem, TimelineState } from "./timeline-state";

const kWriteDelay_ms = 120;

export class SightKeeper {
  /** Where a beginning may not show yet what a place names: the place as it came, and what it shows of that. */
  private arrival: { keys: Keys; shown: KeyChange } | null = null;
  /** After a reload: the event that was selected, and what was in view. */
  private following: { event: EventItem; range: TimeRange } | null = null;
  /** Keys of a place whose event or allocation is still being found. */
  private sought: Pick<Sight, "event" | "allocation" | "idle"> | null = null;

  constructor(
    private readonly signals: TimelineSignals,
    private readonly place: PlaceState,
    private readonly ask: TimelineState["ask"],
    private readonly uncover: (item: TimelineItem) => void,
  ) {}

  /** From now on the place follows what is looked at, and the other way round. */
  start(): void {
    const { source, range, selected, gap, area, marks, lanes, top, memory, clock, find, tab, table, colourBy } =
      this.signals;
    const parts = [
      ...[source, range, selected, gap, area, marks, lanes.now, top, memory, clock, find, tab, table],
      colourBy,
    ];
    keepInPlace(this.place, parts, () => this.compose());
    effect(() => {
      if (this.place.arrivals.value === 0) return;
      const shown = source.peek();
      if (shown === null) return;
      untracked(() => {
        const keys = this.place.keys.peek();
        if (!isSame(takeSightKeys(keys), this.compose())) this.lookAt(shown, keys);
      });
    });
  }

  /** Somebody selected something: what the place named is no longer wanted. */
  stopSeeking(): void {
    this.sought = null;
  }

  /**
   * The place's keys with what is looked at now; as they were until the profile is there, or all that they may name.
   */
  compose(): KeyChange {
    const shown = this.signals.source.peek();
    if (shown === null) return takeSightKeys(this.place.keys.peek());
    return this.isAsItCame(shown) ? takeSightKeys(this.arrival!.keys) : this.composeSight(shown);
  }

  /**
   * Shows another profile where the one before was looked at. Names stay, numbers do not: what is looked at goes
   * through the place's names. Of a capture made anew, whose times are others, the view stays where it was about the
   * selected event.
   */
  replace(next: TimelineSource): void {
    const { source, selectedEvent, range } = this.signals;
    const before = source.peek()?.isBeginning === false ? selectedEvent.peek() : null;
    this.moveToClockOf(next);
    const keys = changeKeys({}, this.compose());
    source.value = next;
    this.lookAt(next, keys);
    if (before !== null && keys.time !== undefined) this.following = { event: before, range: range.peek() };
  }

  /** Whether nothing else was looked at since a beginning came. */
  private isAsItCame(shown: TimelineSource): boolean {
    return this.arrival !== null && isSame(this.composeSight(shown), this.arrival.shown);
  }

  private composeSight(shown: TimelineSource): KeyChange {
    const { selectedEvent, selectedAllocation, range, area, marks, lanes, top, memory, clock, find, tab, table } =
      this.signals;
    const [event, allocation] = [selectedEvent.peek(), selectedAllocation.peek()];
    const gap = this.signals.gap.peek();
    const { timeline } = shown;
    return formatSight(timeline, {
      range: range.peek(),
      colourBy: this.signals.colourBy.peek(),
      idle:
        gap === null
          ? (this.sought?.idle ?? "")
          : formatGapKey(timeline.lanes[gap.lane]?.path ?? "", (gap.from + gap.to) / 2),
      event: event === null ? (this.sought?.event ?? "") : shown.formatEvent(event),
      allocation: allocation === null ? (this.sought?.allocation ?? "") : formatAllocationKey(timeline, allocation),
      area: area.peek(),
      marks: marks.peek(),
      lanes: lanes.now.peek(),
      top: top.peek(),
      memory: memory.peek(),
      clock: clock.peek(),
      find: find.peek(),
      tab: tab.peek(),
      table: table.peek(),
    });
  }

  /** Looks where a place says. For a beginning, remembers the place as long as nothing else is looked at. */
  private lookAt(shown: TimelineSource, keys: Keys): void {
    this.arrival = null;
    this.lookAtKeys(shown, keys);
    if (shown.isBeginning) this.arrival = { keys, shown: this.composeSight(shown) };
  }

  private lookAtKeys(shown: TimelineSource, keys: Keys): void {
    const { signals } = this;
    const sight = parseSight(shown.timeline, keys);
    signals.range.value = sight.range;
    signals.selected.value = null;
    signals.gap.value = null;
    signals.colourBy.value = sight.colourBy;
    signals.area.value = sight.area;
    signals.marks.value = sight.marks;
    signals.lanes.look(keys);
    signals.top.value = sight.top;
    signals.arrivedTop.value = { top: sight.top };
    signals.memory.value = sight.memory;
    signals.clock.value = sight.clock;
    signals.find.value = sight.find;
    signals.hit.value = null;
    signals.tab.value = sight.tab;
    signals.table.value = sight.table;
    this.seek(shown, sight);
  }

  private seek(shown: TimelineSource, keys: Pick<Sight, "event" | "allocation" | "idle" | "top">): void {
    this.sought = keys;
    const arrive = (item: TimelineItem | null) => {
      if (this.sought !== keys || (item === null && shown.isBeginning)) return;
      this.sought = null;
      if (item === null) return;
      this.follow(item);
      this.signals.selected.value = item;
      if (keys.top === null) {
        this.uncover(item);
        this.signals.revealed.value = { item };
      }
    };
    const ref = parseAllocationKey(shown.timeline, keys.allocation);
    const gap = parseGapKey(keys.idle);
    const lane = gap === null ? -1 : findLane(shown.timeline, gap.lane);
    if (gap !== null && lane >= 0) {
      this.ask(
        (asked) => asked.gapAt(lane, gap.at_ns),
        (found) => {
          if (this.sought !== keys) return;
          this.sought = null;
          this.signals.gap.value = found;
        },
      );
    } else if (keys.event !== "") this.ask((asked) => asked.findEvent(keys.event), arrive);
    else if (ref !== null) {
      this.ask(
        (asked) => asked.allocation(ref.lane, ref.allocation),
        ({ item }) => arrive(item),
      );
    } else this.sought = null;
  }

  /** Moves the view as its event has moved, unless somebody has moved it since. */
  private follow(item: TimelineItem): void {
    const { range, bounds } = this.signals;
    const from = this.following;
    this.following = null;
    if (from === null || !("event" in item) || range.peek() !== from.range) return;
    if (from.event.start > from.range.to || from.event.start + from.event.dur < from.range.from) return;
    const by = item.start - from.event.start;
    range.value = clampRange({ from: from.range.from + by, to: from.range.to + by }, bounds.peek());
  }

  /**
   * A profile that is read later, or laid beside, may begin earlier: times that count from the old start then count
   * from the new one.
   */
  private moveToClockOf(next: TimelineSource): void {
    const { source, range, bounds, area, marks, selected, selectedEvent } = this.signals;
    const old = source.peek();
    const isSameClock = old !== null && (old.isBeginning || old.clock === next.clock);
    if (old === null || !isSameClock || old.start_ns === null || next.start_ns === null || this.isAsItCame(old)) return;
    const by = Number(old.start_ns - next.start_ns);
    const moved = ({ from, to }: TimeRange): TimeRange => ({ from: from + by, to: to + by });
    // A view of all of it stays one of all of it.
    if (formatRange(range.peek()) !== formatRange(bounds.peek())) range.value = moved(range.peek());
    const [chosen, event] = [area.peek(), selectedEvent.peek()];
    if (chosen !== null) area.value = { ...chosen, range: moved(chosen.range) };
    marks.value = marks.peek().map(moved);
    if (event !== null) selected.value = { ...event, start: event.start + by };
  }
}

/**
 * Writes what is looked at into the place once a signal of it has changed, not more often than a few times a second.
 */
function keepInPlace(place: PlaceState, signals: readonly ReadonlySignal<unknown>[], compose: () => KeyChange): void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  effect(() => {
    for (const each of signals) void each.value;
    timer ??= setTimeout(() => {
      timer = null;
      const change = compose();
      if (!isSame(change, takeSightKeys(place.keys.peek()))) place.adjust(change);
    }, kWriteDelay_ms);
  });
}

function isSame(a: KeyChange, b: KeyChange): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}
