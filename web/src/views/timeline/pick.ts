// Clicks on the lanes: what they select, and how that comes into view and is described.
import { stripAnsi } from "../../lib/ansi";
import type { LaneLayout } from "../../lib/timeline/lanes-layout";
import { formatBytes } from "../../lib/bytes";
import { nameOfBuffer, type Timeline } from "../../lib/timeline/timeline";
import { timesOf } from "../../lib/timeline/cycle-axis";
import { scopeOfRun } from "../../lib/timeline/runs";
import type { ScopeState } from "../../state/scope";
import { clampRange, frameRange } from "../../lib/time";
import type { TimelineItem, TimelineState } from "./state/timeline-state";
import { stuckHeight } from "./drawing";
import type { Hovered } from "./hover";

type Pickable = Extract<Hovered, { kind: "span" | "allocation" }>;

/** Curves have nothing to select: a place on them is like one beside all. */
function isPickable(hovered: Hovered | null): hovered is Pickable {
  return hovered?.kind === "span" || hovered?.kind === "allocation";
}

/**
 * Selects what is under the pointer; of events drawn together, the longest; makes a run the scope, and fills the view
 * with it; unfolds what is folded; tells what a device waited for in idle time, and makes that time the scope. Beside
 * all that, clears the selection.
 */
export function pick(timeline: TimelineState, scope: ScopeState, hovered: Hovered | null): void {
  if (hovered?.kind === "run") {
    scope.set(scopeOfRun(hovered.run));
    timeline.area.value = null;
    timeline.range.value = clampRange(hovered.run, timeline.bounds.value);
  } else if (hovered?.kind === "strip") {
    timeline.lanes.fold(hovered.path);
  } else if (hovered?.kind === "gap") {
    timeline.area.value = null;
    timeline.explainGap(hovered.lane, hovered.at);
    if (hovered.gap !== null) scope.set({ range: { from: hovered.gap.from, to: hovered.gap.to } });
  } else if (!isPickable(hovered)) {
    timeline.select(null);
    timeline.area.value = null;
  } else if (hovered.kind === "allocation") {
    timeline.ask(
      (source) => source.allocation(hovered.lane, hovered.allocation),
      ({ item }) => timeline.select(item),
    );
  } else if (hovered.span.count === 1) {
    timeline.ask(
      (source) => source.detail({ lane: hovered.lane, event: hovered.span.event }),
      ({ item }) => timeline.select(item),
    );
  } else {
    timeline.ask(
      (source) => source.longestIn(hovered.lane, hovered.row, hovered.range),
      (item) => timeline.select(item),
    );
  }
}

/** Goes to the event's rewrites; where it has none, and where many are drawn together, zooms; beside them, fits. */
export function openPicked(timeline: TimelineState, hovered: Hovered | null): void {
  if (hovered?.kind === "run" || hovered?.kind === "strip") return; // the click has framed or unfolded it
  if (!isPickable(hovered)) timeline.range.value = timeline.bounds.value;
  else if (hovered.kind === "allocation") timeline.frame(hovered);
  else if (hovered.span.count > 1) timeline.range.value = frameRange(hovered.range, timeline.bounds.value);
  else timeline.open({ lane: hovered.lane, event: hovered.span.event });
}

const kRoom_px = 24;

/** Scrolls, where needed, so that the event's row or the memory is seen. */
export function scrollToItem(scroller: HTMLElement, layout: LaneLayout, top_px: number, item: TimelineItem): void {
  const isEvent = "event" in item;
  const box = layout.boxes.find((b) => b.lane === item.lane && b.kind === (isEvent ? "events" : "memory"));
  if (box === undefined) return;
  const top = isEvent ? box.content + item.row * box.pitch : box.top;
  const bottom = isEvent ? top + box.pitch : box.top + box.height;
  const seen = scroller.clientHeight - top_px;
  const stuck = stuckHeight(layout.pinned_px, seen);
  if (top < stuck) return; // it does not scroll
  if (top - kRoom_px < scroller.scrollTop + stuck) scroller.scrollTop = top - kRoom_px - stuck;
  else if (bottom + kRoom_px > scroller.scrollTop + seen) scroller.scrollTop = bottom + kRoom_px - seen;
}

/** For screen readers, which do not see the canvas. */
export function describeSelected(timeline: Timeline, item: TimelineItem | null): string {
  const lane = item === null ? undefined : timeline.lanes[item.lane];
  if (item === null || lane === undefined) return "";
  if ("event" in item) return `${stripAnsi(item.label)}, ${lane.title}, ${timesOf(timeline).duration(item.dur)}`;
  return `${lane.title} ${nameOfBuffer(lane.memory!, item.key)}, ${formatBytes(item.size_bytes)}`;
}
