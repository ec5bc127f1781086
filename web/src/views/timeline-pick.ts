// What clicks on the lanes do, and how what they select comes into view and is told.
import { topOfLanes } from "../draw/lanes-scene";
import type { EventRef, Profile } from "../lib/lanes";
import type { AllocationRef } from "../lib/lanes-find";
import type { LaneLayout } from "../lib/lanes-layout";
import { formatBytes } from "../lib/memory";
import { formatDuration } from "../lib/text";
import { frameRange } from "../lib/time";
import type { TimelineState } from "../state/timeline";
import { stuckHeight } from "./timeline-drawing";
import { refOf, type Hovered } from "./timeline-hover";

/** Selects what is under the pointer; of events drawn together, the longest. Beside them, clears the selection. */
export function pick(timeline: TimelineState, hovered: Hovered | null): void {
  const ref = refOf(hovered);
  timeline.select(ref);
  if (ref === null) timeline.area.value = null;
}

/** Goes to the event's rewrites; where it has none, and where many are drawn together, zooms; beside them, fits. */
export function openPicked(timeline: TimelineState, hovered: Hovered | null): void {
  if (hovered === null || hovered.kind === "memory") timeline.range.value = timeline.bounds.value;
  else if (hovered.kind === "aggregate") timeline.range.value = frameRange(hovered.about.range, timeline.bounds.value);
  else if (hovered.kind === "allocation" || !timeline.goToContextOf(hovered.ref)) timeline.frame(hovered.ref);
}

const kRoom_px = 24;

/** Scrolls, where needed, so that the event's row or the memory is seen. */
export function scrollToRef(
  scroller: HTMLElement,
  layout: LaneLayout,
  profile: Profile,
  ref: EventRef | AllocationRef,
) {
  const isEvent = "event" in ref;
  const box = layout.boxes.find((b) => b.lane === ref.lane && b.kind === (isEvent ? "events" : "memory"));
  if (box === undefined) return;
  const top = isEvent ? box.content + profile.lanes[ref.lane]!.row[ref.event]! * box.pitch : box.top;
  const bottom = isEvent ? top + box.pitch : box.top + box.height;
  const seen = scroller.clientHeight - topOfLanes(profile);
  const stuck = stuckHeight(layout.pinned_px, seen);
  if (top < stuck) return; // it does not scroll
  if (top - kRoom_px < scroller.scrollTop + stuck) scroller.scrollTop = top - kRoom_px - stuck;
  else if (bottom + kRoom_px > scroller.scrollTop + seen) scroller.scrollTop = bottom + kRoom_px - seen;
}

/** For screen readers, which do not see the canvas. */
export function describeSelected(profile: Profile, ref: EventRef | AllocationRef | null): string {
  const lane = ref === null ? undefined : profile.lanes[ref.lane];
  if (ref === null || lane === undefined) return "";
  if ("event" in ref) {
    return `${profile.plain[lane.label[ref.event]!]}, ${lane.name}, ${formatDuration(lane.dur[ref.event]!)}`;
  }
  return `${lane.name} buffer ${lane.memory!.key[ref.allocation]}, ${formatBytes(lane.memory!.size_bytes[ref.allocation]!)}`;
}
