// The timeline: the profile of the capture on screen, and what of it is looked at: time range, selection, chosen area,
// search, marks, how the lanes are arranged. All of that stands in the URL (the place's rest) by name, so that a link leads there
// and a capture made anew keeps it. The profile is fetched when a view first wants it.
import { batch, computed, effect, signal, untracked, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Api } from "../lib/api";
import { rangeOfEvent, type EventRef, type Profile } from "../lib/lanes";
import { findEvents, findLabels, type AllocationRef } from "../lib/lanes-find";
import { keyOfBox } from "../lib/lanes-layout";
import type { Area } from "../lib/lanes-stats";
import { rangeOfAllocation } from "../lib/memory";
import type { Problem } from "../lib/result";
import { frameRange, revealTime, wholeRange, type TimeRange } from "../lib/time";
import { followRange, formatSight, parseSight, type MemoryView, type Sight } from "../lib/timeline-place";
import { createLaneArrangement, type LaneArrangement } from "./lane-arrangement";
import type { PlaceState } from "./place";
import { fetchProfile } from "./profile";
import type { RewritesState } from "./rewrites";
import type { SessionState } from "./session";

export type TimelineTab = "range" | "event" | "memory" | "search";

export interface TimelineState {
  /** Null until it is there. */
  profile: ReadonlySignal<Profile | null>;
  problem: ReadonlySignal<Problem | null>;
  /** Asks for the profile, now and after reloads. */
  want(): void;

  bounds: ReadonlySignal<TimeRange>;
  range: Signal<TimeRange>;
  selected: ReadonlySignal<EventRef | AllocationRef | null>;
  selectedEvent: ReadonlySignal<EventRef | null>;
  selectedAllocation: ReadonlySignal<AllocationRef | null>;
  area: Signal<Area | null>;
  marks: Signal<readonly TimeRange[]>;
  lanes: LaneArrangement;
  memory: Signal<MemoryView>;
  find: Signal<string>;
  /** By string, whether the search finds it; null without a search. */
  found: ReadonlySignal<Uint8Array | null>;
  hits: ReadonlySignal<readonly EventRef[]>;
  /** Place of the current hit, -1 before the first step. */
  hit: Signal<number>;
  tab: Signal<TimelineTab>;
  /** What the lanes should scroll to; a new object each time. */
  revealed: ReadonlySignal<{ ref: EventRef | AllocationRef } | null>;

  select(ref: EventRef | AllocationRef | null): void;
  /** Selects, and brings it into view. */
  show(ref: EventRef | AllocationRef): void;
  /** The same with as much of the view as it can have. */
  frame(ref: EventRef | AllocationRef): void;
  /** Brings a time into view. */
  showTime(time: TimeRange): void;
  /** Goes to the timeline view and shows the event, as a move that back undoes. */
  goToEvent(ref: EventRef): void;
  /** Goes to the rewrites that the event leads to; false where it leads nowhere. */
  goToContextOf(ref: EventRef): boolean;
}

const kWriteDelay_ms = 120;

export function createTimeline(
  api: Api,
  session: SessionState,
  place: PlaceState,
  rewrites: RewritesState,
): TimelineState {
  const profile = signal<Profile | null>(null);
  const problem = signal<Problem | null>(null);
  const bounds = computed(() => wholeRange(profile.value?.dur_ns ?? 0));
  const range = signal<TimeRange>(bounds.value);
  const selected = signal<EventRef | AllocationRef | null>(null);
  const area = signal<Area | null>(null);
  const marks = signal<readonly TimeRange[]>([]);
  const lanes = createLaneArrangement(() => session.capture.peek()?.name ?? null);
  const memory = signal<MemoryView>({ shown: "blocks", order: "time" });
  const find = signal("");
  const hit = signal(-1);
  const tab = signal<TimelineTab>("range");
  const revealed = signal<{ ref: EventRef | AllocationRef } | null>(null);
  const found = computed(() => (profile.value === null ? null : findLabels(profile.value, find.value)));
  const hits = computed(() => (profile.value === null ? [] : findEvents(profile.value, found.value)));

  /** The place's rest with what is looked at now; as it was until the profile is there. */
  function composeRest(): Record<string, string> {
    const { rest } = place.current.peek();
    const shown = profile.peek();
    if (shown === null) return { ...rest };
    const sight: Sight = {
      range: range.peek(),
      selected: selected.peek(),
      area: area.peek(),
      marks: marks.peek(),
      lanes: lanes.now.peek(),
      memory: memory.peek(),
      find: find.peek(),
    };
    return formatSight(shown, sight, rest);
  }

  /** Looks where a place says. */
  function lookAt(shown: Profile, rest: Readonly<Record<string, string>>): void {
    const sight = parseSight(shown, rest);
    range.value = sight.range;
    selected.value = sight.selected;
    area.value = sight.area;
    marks.value = sight.marks;
    lanes.look(rest);
    memory.value = sight.memory;
    find.value = sight.find;
    hit.value = -1;
    if (sight.selected !== null) {
      revealed.value = { ref: sight.selected };
      tab.value = "event" in sight.selected ? "event" : "memory";
    }
  }

  const sightSignals = [profile, range, selected, area, marks, lanes.now, memory, find];
  keepInPlace(place, sightSignals, composeRest);
  effect(() => {
    if (place.arrivals.value === 0) return;
    const shown = profile.peek();
    if (shown !== null) untracked(() => lookAt(shown, place.current.peek().rest));
  });

  const wanted = fetchProfile(api, session, {
    clear: () => (profile.value = null),
    fail: (error) => (problem.value = error),
    take(next) {
      // Names stay, numbers do not: what is looked at goes through the place's names into the new profile.
      const rest = composeRest();
      const old = profile.peek();
      const followed = old === null ? null : followRange(old, next, range.peek(), selected.peek());
      batch(() => {
        problem.value = null;
        profile.value = next;
        lookAt(next, rest);
        if (followed !== null) range.value = followed;
      });
    },
  });

  function rangeOf(ref: EventRef | AllocationRef): TimeRange {
    const shown = profile.value!;
    const lane = shown.lanes[ref.lane]!;
    if ("event" in ref) return rangeOfEvent(lane, ref.event);
    return rangeOfAllocation(lane.memory!, ref.allocation, shown.dur_ns);
  }

  /** What is led to is seen, even where its lane was hidden. */
  function uncover(ref: EventRef | AllocationRef): void {
    const { name, group } = profile.value!.lanes[ref.lane]!;
    lanes.uncover(keyOfBox(name, "event" in ref ? "events" : "memory"), group);
  }

  const state: TimelineState = {
    profile,
    problem,
    want: () => (wanted.value = true),
    bounds,
    range,
    selected,
    selectedEvent: computed(() => (selected.value !== null && "event" in selected.value ? selected.value : null)),
    selectedAllocation: computed(() =>
      selected.value !== null && "allocation" in selected.value ? selected.value : null,
    ),
    area,
    marks,
    lanes,
    memory,
    find,
    found,
    hits,
    hit,
    tab,
    revealed,
    select(ref) {
      selected.value = ref;
      if (ref !== null) tab.value = "event" in ref ? "event" : "memory";
    },
    show(ref) {
      state.select(ref);
      uncover(ref);
      range.value = revealTime(range.value, rangeOf(ref), bounds.value);
      revealed.value = { ref };
    },
    frame(ref) {
      state.select(ref);
      uncover(ref);
      range.value = frameRange(rangeOf(ref), bounds.value, 1);
      revealed.value = { ref };
    },
    showTime: (time) => (range.value = revealTime(range.value, time, bounds.value)),
    goToEvent(ref) {
      state.frame(ref);
      place.go({ view: "timeline", rest: composeRest() });
    },
    goToContextOf(ref) {
      const lane = profile.value?.lanes[ref.lane];
      const context = lane?.context[ref.event] ?? -1;
      if (context < 0) return false;
      place.adjust({ rest: composeRest() }); // so that back finds the timeline as it was left
      rewrites.goToStep(context, Math.max(lane!.step[ref.event]!, 0));
      return true;
    },
  };
  return state;
}

/** Writes what is looked at into the place once a signal of it has changed, not more often than a few times a second. */
function keepInPlace(
  place: PlaceState,
  signals: readonly ReadonlySignal<unknown>[],
  compose: () => Record<string, string>,
): void {
  let timer: ReturnType<typeof setTimeout> | null = null;
  effect(() => {
    for (const each of signals) void each.value;
    timer ??= setTimeout(() => {
      timer = null;
      const rest = compose();
      if (JSON.stringify(rest) !== JSON.stringify(place.current.peek().rest)) place.adjust({ rest });
    }, kWriteDelay_ms);
  });
}
