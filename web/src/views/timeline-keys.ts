// What the keys of lib/keys.ts do on the timeline.
import { rangeOfEvent, type EventRef, type Profile } from "../lib/lanes";
import { findNeighbour, isSameEvent, stepHit } from "../lib/lanes-find";
import { sumName } from "../lib/lanes-stats";
import { rangeOfAllocation } from "../lib/memory";
import { formatRange, frameRange, panRange, zoomRange, type TimeRange } from "../lib/time";
import type { TimelineState } from "../state/timeline";
import { useApp, useCommand } from "./app-context";

const kZoom = 0.75;
const kPan = 0.12;
const kScroll_px = 60;

interface KeyTargets {
  profile: Profile;
  /** The time under the pointer; null where it is elsewhere. */
  atPointer: () => number | null;
  scrollBy: (px: number) => void;
}

export function useTimelineKeys({ profile, atPointer, scrollBy }: KeyTargets): void {
  const { timeline } = useApp();
  const { range, bounds } = timeline;
  const zoom = (factor: number) => {
    const middle = (range.value.from + range.value.to) / 2;
    range.value = zoomRange(range.value, factor, atPointer() ?? middle, bounds.value);
  };
  const pan = (share: number) => (range.value = panRange(range.value, share, bounds.value));
  useCommand("timeline.zoomIn", () => zoom(kZoom));
  useCommand("timeline.zoomOut", () => zoom(1 / kZoom));
  useCommand("timeline.earlier", () => pan(-kPan));
  useCommand("timeline.later", () => pan(kPan));
  useCommand("timeline.muchEarlier", () => pan(-0.9));
  useCommand("timeline.muchLater", () => pan(0.9));
  useCommand("timeline.up", () => scrollBy(-kScroll_px));
  useCommand("timeline.down", () => scrollBy(kScroll_px));
  useCommand("timeline.fit", () => (range.value = bounds.value));
  useCommand("timeline.focus", () => focus(timeline, profile));

  useCommand("timeline.next", () => stepInRow(timeline, profile, 1));
  useCommand("timeline.previous", () => stepInRow(timeline, profile, -1));
  useCommand("timeline.nextSame", () => stepInName(timeline, profile, 1));
  useCommand("timeline.previousSame", () => stepInName(timeline, profile, -1));
  useCommand("timeline.open", () => {
    const event = timeline.selectedEvent.value;
    if (event !== null) timeline.goToContextOf(event);
  });

  const mark = (kept: readonly TimeRange[]) => {
    const at = atPointer();
    const chosen = chosenRange(timeline, profile) ?? (at === null ? null : { from: at, to: at + 1 });
    const isThere = chosen !== null && timeline.marks.value.some((m) => formatRange(m) === formatRange(chosen));
    timeline.marks.value = chosen === null || (isThere && kept.length === 0) ? [] : [...kept, chosen];
  };
  useCommand("timeline.mark", () => mark([]));
  useCommand("timeline.keepMark", () => mark(timeline.marks.value));
  useCommand("page.clear", () => {
    if (timeline.area.value !== null) timeline.area.value = null;
    else if (timeline.selected.value !== null) timeline.select(null);
    else if (timeline.find.value !== "") timeline.find.value = "";
    else timeline.marks.value = [];
  });
}

/** The chosen range, else the time of what is selected. */
function chosenRange(timeline: TimelineState, profile: Profile): TimeRange | null {
  if (timeline.area.value !== null) return timeline.area.value.range;
  const ref = timeline.selected.value;
  if (ref === null) return null;
  const lane = profile.lanes[ref.lane]!;
  return "event" in ref
    ? rangeOfEvent(lane, ref.event)
    : rangeOfAllocation(lane.memory!, ref.allocation, profile.dur_ns);
}

/** Frames what is chosen; where it is framed already, or nothing is chosen, everything. */
function focus(timeline: TimelineState, profile: Profile): void {
  const { range, bounds } = timeline;
  const chosen = chosenRange(timeline, profile);
  const framed = chosen === null ? bounds.value : frameRange(chosen, bounds.value);
  range.value = formatRange(framed) === formatRange(range.value) ? bounds.value : framed;
}

export function stepInRow(timeline: TimelineState, profile: Profile, by: 1 | -1): void {
  const event = timeline.selectedEvent.value ?? firstEvent(timeline, profile);
  const next =
    event === null ? null : timeline.selectedEvent.value === null ? event : findNeighbour(profile, event, by);
  if (next !== null) timeline.show(next);
}

export function stepInName(timeline: TimelineState, profile: Profile, by: 1 | -1): void {
  const event = timeline.selectedEvent.value;
  if (event === null) return;
  const label = profile.lanes[event.lane]!.label[event.event]!;
  const events = sumName(profile, label)?.events ?? [];
  const next = events[events.findIndex((other) => isSameEvent(other, event)) + by];
  if (next !== undefined) timeline.show(next);
}

/** Shows the next hit of the search, or the last. */
export function stepInHits(timeline: TimelineState, by: 1 | -1): void {
  const hits = timeline.hits.value;
  timeline.hit.value = stepHit(hits, timeline.hit.value, by);
  const ref = hits[timeline.hit.value];
  if (ref === undefined) return;
  timeline.show(ref);
  timeline.tab.value = "search";
}

/** The first event in view: where stepping begins while nothing is selected. */
function firstEvent(timeline: TimelineState, profile: Profile): EventRef | null {
  for (const [lane, { start }] of profile.lanes.entries()) {
    const event = start.findIndex((at) => at >= timeline.range.value.from);
    if (event >= 0) return { lane, event };
  }
  return null;
}
