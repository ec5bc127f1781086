// Leads to an event or an allocation: selects it, and brings it into view even where its lane was hidden.
import { frameRange, revealTime, type TimeRange } from "../../../lib/time";
import { rangeOfItem } from "../../../lib/timeline/events";
import { listBoxes } from "../../../lib/timeline/lanes-layout";
import type { TimelineSignals } from "./signals";
import type { TimelineItem, TimelineRef, TimelineState } from "./timeline-state";

export function createUncover({ source, lanes }: TimelineSignals): (item: TimelineItem) => void {
  return (item) => {
    const shown = source.value?.timeline.lanes ?? [];
    const kind = "event" in item ? "events" : "memory";
    const box = listBoxes(shown).find((other) => other.lane === item.lane && other.kind === kind);
    if (box !== undefined) lanes.uncover(box);
  };
}

export function createLeading(
  signals: TimelineSignals,
  ask: TimelineState["ask"],
  select: TimelineState["select"],
  uncover: (item: TimelineItem) => void,
): Pick<TimelineState, "show" | "frame" | "showTime"> {
  const { source, range, bounds, revealed } = signals;

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

  function rangeOf(item: TimelineItem): TimeRange {
    if ("event" in item) return rangeOfItem(item);
    return { from: item.birth, to: Math.min(item.death, source.value!.timeline.dur_ns) };
  }

  /** Selects, and looks where `look` says. */
  function lead(ref: TimelineRef, look: (time: TimeRange) => TimeRange): void {
    resolve(ref, (item) => {
      select(item);
      uncover(item);
      range.value = look(rangeOf(item));
      revealed.value = { item };
    });
  }

  return {
    show: (ref) => lead(ref, (time) => revealTime(range.value, time, bounds.value)),
    frame: (ref) => lead(ref, (time) => frameRange(time, bounds.value, 1)),
    showTime: (time) => (range.value = revealTime(range.value, time, bounds.value)),
  };
}
