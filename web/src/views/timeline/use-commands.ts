// The keys of the timeline.
import { listClocks, nextClock } from "../../lib/timeline/clock";
import { rangeOfItem } from "../../lib/timeline/events";
import { firstRange } from "../../lib/timeline/sight";
import { clampRange, formatRange, frameRange, panRange, zoomRange, type TimeRange } from "../../lib/time";
import { lanesAtFirst } from "../../lib/timeline/lanes-at-first";
import { listFoldable } from "../../lib/timeline/lanes-layout";
import { scopeOfRun, stepRun } from "../../lib/timeline/runs";
import type { TimelineState } from "./state/timeline-state";
import { useApp, useCommand } from "../parts/app-context";
import { useTimeline } from "./context";

const kZoom = 0.75;
const kPan = 0.12;
const kScroll_px = 60;

interface KeyTargets {
  /** The time under the pointer; null where it is elsewhere. */
  atPointer: () => number | null;
  scrollBy: (px: number) => void;
}

export function useTimelineKeys({ atPointer, scrollBy }: KeyTargets): void {
  const { scope } = useApp();
  const timeline = useTimeline();
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
  useCommand("timeline.focus", () => focus(timeline));

  const { steps } = timeline;
  useCommand("timeline.next", () => steps.inRow(1));
  useCommand("timeline.previous", () => steps.inRow(-1));
  useCommand("timeline.nextSame", () => steps.inName(1));
  useCommand("timeline.previousSame", () => steps.inName(-1));
  useCommand("timeline.flowAhead", () => steps.alongFlow(1));
  useCommand("timeline.flowBack", () => steps.alongFlow(-1));
  useCommand("timeline.clock", () => {
    const clocks = listClocks(timeline.source.value?.timeline.lanes ?? []);
    timeline.clock.value = nextClock(clocks, timeline.clock.value);
  });
  const goToRun = (by: 1 | -1) => {
    const run = stepRun(timeline.source.value?.timeline.runs ?? [], range.value, by);
    if (run === null) return;
    range.value = clampRange(run, bounds.value);
    if (scope.now.value.step !== null) scope.set(scopeOfRun(run));
  };
  useCommand("timeline.nextRun", () => goToRun(1));
  useCommand("timeline.previousRun", () => goToRun(-1));
  useCommand("timeline.fold", () => {
    const paths = listFoldable(timeline.source.value?.timeline.lanes ?? []);
    const folded = foldedNow(timeline);
    timeline.lanes.foldAll(paths, !paths.every((path) => folded.has(path)));
  });
  useCommand("timeline.open", () => steps.open());
  useCommand("timeline.source", () => steps.openProgram("source"));
  useCommand("timeline.machine", () => steps.openProgram("machine"));

  const mark = (kept: readonly TimeRange[]) => {
    const at = atPointer();
    const chosen = chosenRange(timeline) ?? (at === null ? null : { from: at, to: at + 1 });
    const isThere = chosen !== null && timeline.marks.value.some((m) => formatRange(m) === formatRange(chosen));
    timeline.marks.value = chosen === null || (isThere && kept.length === 0) ? [] : [...kept, chosen];
  };
  useCommand("timeline.scope", () => {
    const chosen = chosenRange(timeline);
    if (chosen === null) return false;
    scope.set({ range: chosen });
    timeline.area.value = null;
    return true;
  });
  useCommand("timeline.mark", () => mark([]));
  useCommand("timeline.keepMark", () => mark(timeline.marks.value));
  useCommand("page.clear", () => {
    if (timeline.area.value !== null) timeline.area.value = null;
    else if (timeline.selected.value !== null) timeline.select(null);
    else if (timeline.find.value !== "") timeline.find.value = "";
    else if (timeline.marks.value.length > 0) timeline.marks.value = [];
    else return false;
    return true;
  });
}

function foldedNow({ lanes, source }: TimelineState): ReadonlySet<string> {
  return lanes.now.value.folded ?? lanesAtFirst(source.value?.timeline.lanes ?? []).folded;
}

/** The chosen range, else the time of what is selected. */
function chosenRange(timeline: TimelineState): TimeRange | null {
  const [area, whole] = [timeline.area.value, timeline.bounds.value];
  // A lane that the table is of, over all time, is no time that somebody chose.
  if (area !== null && formatRange(area.range) !== formatRange(whole)) return area.range;
  const item = timeline.selected.value;
  if (item === null) return null;
  return "event" in item ? rangeOfItem(item) : { from: item.birth, to: Math.min(item.death, timeline.bounds.value.to) };
}

/** Frames what is chosen, or what is looked at at first; where it is framed already, everything. */
function focus(timeline: TimelineState): void {
  const { range, bounds } = timeline;
  const chosen = chosenRange(timeline);
  const shown = timeline.source.value?.timeline;
  const first = shown === undefined ? bounds.value : firstRange(shown);
  const framed = chosen === null ? first : frameRange(chosen, bounds.value);
  range.value = formatRange(framed) === formatRange(range.value) ? bounds.value : framed;
}
