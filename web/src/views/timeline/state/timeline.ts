// The timeline: the profile of the capture on screen, and what of it is looked at: time range, selection, chosen area,
// search, marks, how the lanes are arranged. All of that stands in the URL by name, so that a
// link leads there and a capture made anew keeps it. The profile is fetched when a view first wants it.
import { batch, computed, effect, signal, untracked, type ReadonlySignal } from "@preact/signals";
import { linkToProgram } from "../../../lib/links";
import type { Clock } from "../../../lib/timeline/clock";
import { kByStart } from "../../../lib/timeline/event-order";
import { rangeOfItem, type EventDetail, type EventItem } from "../../../lib/timeline/events";
import type { Area } from "../../../lib/timeline/stats";
import { listBoxes } from "../../../lib/timeline/lanes-layout";
import { changeKeys, type KeyChange, type Keys } from "../../../lib/place";
import type { Problem } from "../../../lib/result";
import { clampRange, formatRange, frameRange, revealTime, wholeRange, type TimeRange } from "../../../lib/time";
import {
  kBesideKey,
  kFirstTable,
  formatAllocationKey,
  formatSight,
  parseAllocationKey,
  parseSight,
  takeSightKeys,
  type DetailsTab,
  type MemoryView,
  type Sight,
  type TableLook,
  type Top,
} from "../../../lib/timeline/sight";
import type { Hits, TimelineSource } from "../../../lib/timeline/source";
import { createLaneArrangement } from "./lane-arrangement";
import type { Opening } from "../../../state/opening";
import { formatBeside, parseBeside } from "../../../lib/timeline/beside";
import { fetchProfile } from "./profile";
import type { App } from "../../../state/app";
import type { PlaceState } from "../../../state/place";
import { createSteps } from "./steps";
import type { TimelineItem, TimelineRef, TimelineState } from "./timeline-state";

const kWriteDelay_ms = 120;
const kTyping_ms = 80;

export function createTimeline({ api, session, place, chosen }: App): TimelineState {
  const source = signal<TimelineSource | null>(null);
  const problem = signal<Problem | null>(null);
  const opening = signal<Opening | null>(null);
  const bounds = computed(() => wholeRange(source.value?.timeline.dur_ns ?? 0));
  const range = signal<TimeRange>(bounds.value);
  const selected = signal<TimelineItem | null>(null);
  const detail = signal<EventDetail | null>(null);
  const area = signal<Area | null>(null);
  const marks = signal<readonly TimeRange[]>([]);
  const lanes = createLaneArrangement(() => session.capture.peek()?.name ?? null);
  const clock = signal<Clock>(null);
  const memory = signal<MemoryView>({ shown: "blocks", order: "time" });
  const find = signal("");
  const hits = signal<Hits | null>(null);
  const hitOrder = signal(kByStart);
  const hit = signal<EventItem | null>(null);
  const tab = signal<DetailsTab>("range");
  const table = signal<TableLook>(kFirstTable);
  const top = signal<Top | null>(null);
  const arrivedTop = signal<{ top: Top | null } | null>(null);
  const revealed = signal<{ item: TimelineItem } | null>(null);
  const selectedEvent = computed(() => (selected.value !== null && "event" in selected.value ? selected.value : null));
  const selectedAllocation = computed(() =>
    selected.value !== null && "allocation" in selected.value ? selected.value : null,
  );
  /** Where a beginning may not show yet what a place names: the place as it came, and what it shows of that. */
  let arrival: { keys: Keys; shown: KeyChange } | null = null;
  /** After a reload: the event that was selected, and what was in view. */
  let following: { event: EventItem; range: TimeRange } | null = null;
  /** Keys of a place whose event or allocation is still being found. */
  let sought: Pick<Sight, "event" | "allocation"> | null = null;

  const ask: TimelineState["ask"] = async (question, then) => {
    const asked = source.peek();
    if (asked === null) return;
    const answer = await question(asked);
    if (source.peek() !== asked) return;
    if (answer.ok) then(answer.value);
    else if (answer.error.kind !== "not_found") problem.value = answer.error;
  };

  effect(() => {
    const event = selectedEvent.value;
    if (source.value === null || event === null) {
      detail.value = null;
      return;
    }
    if (detail.peek()?.item !== event) detail.value = null;
    ask(
      (asked) => asked.detail(event),
      (answer) => {
        if (selectedEvent.peek() === event) detail.value = answer;
      },
    );
  });

  effect(() => {
    const [text, order] = [find.value, hitOrder.value];
    if (source.value === null || text.trim() === "") {
      hits.value = null;
      return;
    }
    const search = () =>
      ask(
        (asked) => asked.search(text, order),
        (answer) => {
          if (find.peek() === text && hitOrder.peek() === order) hits.value = answer;
        },
      );
    const timer = setTimeout(search, kTyping_ms);
    return () => clearTimeout(timer);
  });

  /** The timeline's keys with what is looked at now; as they were until the profile is there, or all that they may name. */
  function compose(): KeyChange {
    const shown = source.peek();
    if (shown === null) return takeSightKeys(place.keys.peek());
    return isAsItCame(shown) ? takeSightKeys(arrival!.keys) : composeSight(shown);
  }

  /** Whether nothing else was looked at since a beginning came. */
  function isAsItCame(shown: TimelineSource): boolean {
    return arrival !== null && isSame(composeSight(shown), arrival.shown);
  }

  function composeSight(shown: TimelineSource): KeyChange {
    const [event, allocation] = [selectedEvent.peek(), selectedAllocation.peek()];
    const sight: Sight = {
      range: range.peek(),
      event: event === null ? (sought?.event ?? "") : shown.formatEvent(event),
      allocation: allocation === null ? (sought?.allocation ?? "") : formatAllocationKey(shown.timeline, allocation),
      area: area.peek(),
      marks: marks.peek(),
      lanes: lanes.now.peek(),
      top: top.peek(),
      memory: memory.peek(),
      clock: clock.peek(),
      find: find.peek(),
      tab: tab.peek(),
      table: table.peek(),
    };
    return formatSight(shown.timeline, sight);
  }

  /** Looks where a place says; of a beginning remembers that, as long as nothing else is looked at. */
  function lookAt(shown: TimelineSource, keys: Keys): void {
    arrival = null;
    lookAtKeys(shown, keys);
    if (shown.isBeginning) arrival = { keys, shown: composeSight(shown) };
  }

  function lookAtKeys(shown: TimelineSource, keys: Keys): void {
    const sight = parseSight(shown.timeline, keys);
    range.value = sight.range;
    selected.value = null;
    area.value = sight.area;
    marks.value = sight.marks;
    lanes.look(keys);
    top.value = sight.top;
    arrivedTop.value = { top: sight.top };
    memory.value = sight.memory;
    clock.value = sight.clock;
    find.value = sight.find;
    hit.value = null;
    tab.value = sight.tab;
    table.value = sight.table;
    seek(shown, sight);
  }

  /** Moves the view as its event has moved, unless somebody has moved it since. */
  function follow(item: TimelineItem): void {
    const from = following;
    following = null;
    if (from === null || !("event" in item) || range.peek() !== from.range) return;
    if (from.event.start > from.range.to || from.event.start + from.event.dur < from.range.from) return;
    const by = item.start - from.event.start;
    range.value = clampRange({ from: from.range.from + by, to: from.range.to + by }, bounds.peek());
  }

  function seek(shown: TimelineSource, keys: Pick<Sight, "event" | "allocation" | "top">): void {
    sought = keys;
    const arrive = (item: TimelineItem | null) => {
      if (sought !== keys || (item === null && shown.isBeginning)) return;
      sought = null;
      if (item === null) return;
      follow(item);
      selected.value = item;
      if (keys.top === null) {
        uncover(item);
        revealed.value = { item };
      }
    };
    const ref = parseAllocationKey(shown.timeline, keys.allocation);
    if (keys.event !== "") ask((asked) => asked.findEvent(keys.event), arrive);
    else if (ref !== null) {
      ask(
        (asked) => asked.allocation(ref.lane, ref.allocation),
        ({ item }) => arrive(item),
      );
    } else sought = null;
  }

  keepInPlace(place, [source, range, selected, area, marks, lanes.now, top, memory, clock, find, tab, table], compose);
  effect(() => {
    if (place.arrivals.value === 0) return;
    const shown = source.peek();
    if (shown === null) return;
    untracked(() => {
      const keys = place.keys.peek();
      if (!isSame(takeSightKeys(keys), compose())) lookAt(shown, keys);
    });
  });

  const besideText = place.key(kBesideKey);
  const beside = computed(() => parseBeside(besideText.value));
  const wanted = fetchProfile(api, session, beside, {
    clear: () => (source.value = null),
    wait: (how) => (opening.value = how),
    fail: (error) => (problem.value = error),
    take(next) {
      // Names stay, numbers do not: what is looked at goes through the place's names into the new profile. Of a capture
      // made anew, whose times are others, the view stays where it was about the selected event.
      const before = source.peek()?.isBeginning === false ? selectedEvent.peek() : null;
      batch(() => {
        moveToClockOf(next);
        const keys = changeKeys({}, compose());
        problem.value = null;
        if (!next.isBeginning) opening.value = null;
        source.value = next;
        lookAt(next, keys);
        if (before !== null && keys.time !== undefined) following = { event: before, range: range.peek() };
      });
    },
  });

  /**
   * What is read later, or laid beside, may begin earlier: times that count from the old start count from the next one's.
   */
  function moveToClockOf(next: TimelineSource): void {
    const old = source.peek();
    const isSameClock = old !== null && (old.isBeginning || old.clock === next.clock);
    if (old === null || !isSameClock || old.start_ns === null || next.start_ns === null || isAsItCame(old)) return;
    const by = Number(old.start_ns - next.start_ns);
    const moved = ({ from, to }: TimeRange): TimeRange => ({ from: from + by, to: to + by });
    // All of it stays all of it.
    if (formatRange(range.peek()) !== formatRange(bounds.peek())) range.value = moved(range.peek());
    const [chosen, event] = [area.peek(), selectedEvent.peek()];
    if (chosen !== null) area.value = { ...chosen, range: moved(chosen.range) };
    marks.value = marks.peek().map(moved);
    if (event !== null) selected.value = { ...event, start: event.start + by };
  }

  function rangeOf(item: TimelineItem): TimeRange {
    if ("event" in item) return rangeOfItem(item);
    return { from: item.birth, to: Math.min(item.death, source.value!.timeline.dur_ns) };
  }

  /** What is led to is seen, even where its lane was hidden. */
  function uncover(item: TimelineItem): void {
    const shown = source.value?.timeline.lanes ?? [];
    const kind = "event" in item ? "events" : "memory";
    const box = listBoxes(shown).find((other) => other.lane === item.lane && other.kind === kind);
    if (box !== undefined) lanes.uncover(box);
  }

  function resolve(ref: TimelineRef, then: (item: TimelineItem) => void): void {
    if ("start" in ref || "birth" in ref) then(ref);
    else if ("event" in ref) {
      ask(
        (asked) => asked.detail(ref),
        ({ item }) => then(item),
      );
    } else {
      ask(
        (asked) => asked.allocation(ref.lane, ref.allocation),
        ({ item }) => then(item),
      );
    }
  }

  /** Selects, and looks where `look` says. */
  function lead(ref: TimelineRef, look: (time: TimeRange) => TimeRange): void {
    resolve(ref, (item) => {
      state.select(item);
      uncover(item);
      range.value = look(rangeOf(item));
      revealed.value = { item };
    });
  }

  const state: Omit<TimelineState, "steps"> = {
    source,
    problem,
    opening,
    want: () => (wanted.value = true),
    bounds,
    range,
    selected,
    selectedEvent,
    selectedAllocation,
    detail,
    area,
    marks,
    lanes,
    beside,
    setBeside: (list) => place.adjust({ [kBesideKey]: formatBeside(list) }),
    memory,
    clock,
    find,
    hits,
    hitOrder,
    hit,
    tab,
    table,
    top,
    arrivedTop,
    revealed,
    ask,
    select(item) {
      sought = null;
      selected.value = item;
      if (item !== null) tab.value = "event" in item ? "event" : "memory";
    },
    show: (ref) => lead(ref, (time) => revealTime(range.value, time, bounds.value)),
    frame: (ref) => lead(ref, (time) => frameRange(time, bounds.value, 1)),
    showTime: (time) => (range.value = revealTime(range.value, time, bounds.value)),
    openProgram(ref, text) {
      ask(
        (asked) => asked.detail(ref),
        ({ context }) => {
          if (session.contexts.peek()?.contexts[context]?.program !== true) return;
          place.adjust(compose());
          place.follow(linkToProgram(chosen.nameContext(context), text));
        },
      );
    },
    open(ref) {
      ask(
        (asked) => asked.detail(ref),
        ({ item, context, pass }) => {
          if (context < 0) return state.frame(item);
          place.adjust(compose()); // so that back finds the timeline as it was left
          chosen.goToPass(context, Math.max(pass, 0));
        },
      );
    },
  };
  return Object.assign(state, { steps: createSteps(state) });
}

/** Writes what is looked at into the place once a signal of it has changed, not more often than a few times a second. */
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
