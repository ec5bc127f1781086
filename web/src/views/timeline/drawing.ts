// Keeps the timeline's two canvases drawn: the scene from signals and the theme, each canvas at most once a frame and
// only when something it shows has changed.
import type { EventDetail, EventItem } from "../../lib/timeline/events";
import { effect, useComputed, type ReadonlySignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { BarLayer } from "../../draw/timeline/bar-layer";
import { createFrameLoop, sizeCanvas } from "../../draw/canvas";
import { drawTimeline } from "../../draw/timeline/lanes";
import { makeLaneColours } from "../../draw/timeline/colours";
import { drawMarks } from "../../draw/timeline/marks";
import {
  kClockButton_px,
  findShownBoxes,
  findShownRows,
  kLabelFont_px,
  timeOf,
  topOfLanes,
  type PathPart,
  type TimelineMarks,
  type TimelineScene,
} from "../../draw/timeline/scene";
import { readPalette } from "../../draw/palette";
import { stripAnsi } from "../../lib/ansi";
import { listClocks } from "../../lib/timeline/clock";
import { timeOfScope } from "../../lib/timeline/runs";
import type { Scope } from "../../lib/scope";
import { rowsOfStrip } from "../../lib/timeline/lanes-layout";
import type { LaneLayout } from "../../lib/timeline/lanes-layout";
import type { TimeRange } from "../../lib/time";
import type { TimelineSource, View } from "../../lib/timeline/source";
import type { TimelineState } from "./state/timeline-state";
import { useApp } from "../parts/app-context";
import { useTimeline } from "./context";
import { useCriticalPath } from "./critical-path";
import { useAsSignal } from "../parts/as-signal";
import type { Hovered } from "./hover";
import { useGaps } from "./use-gaps";

export interface Pointer {
  x: number;
  y: number;
}

export interface StageSize {
  width_px: number;
  height_px: number;
}

/** Pinned lanes stay on top while the others scroll, unless they would leave those less than half. */
export function stuckHeight(pinned_px: number, room_px: number): number {
  return pinned_px <= room_px / 2 ? pinned_px : 0;
}

/** Null until the stage has a size. */
export function useScene(
  source: ReadonlySignal<TimelineSource>,
  layout: ReadonlySignal<LaneLayout>,
  size: ReadonlySignal<StageSize>,
  scroll: ReadonlySignal<number>,
): ReadonlySignal<TimelineScene | null> {
  const { theme } = useApp();
  const timeline = useTimeline();
  const shown = theme.shown.value;
  const themed = useAsSignal(
    useMemo(() => {
      const palette = readPalette(document.documentElement);
      return { palette, colours: makeLaneColours(palette), letter_px: measureLetter(palette.mono) };
    }, [shown]),
  );
  const picture = useComputed(() => {
    void source.value.arrived.value;
    return source.value.picture({ range: timeline.range.value, width_px: size.value.width_px }, timeline.find.value);
  });
  const hasClocks = useComputed(() => listClocks(source.value.timeline.lanes).length > 0);
  const gaps = useGaps(size);
  return useComputed(() => {
    const { width_px, height_px } = size.value;
    if (width_px === 0 || height_px === 0) return null;
    const top_px = topOfLanes(source.value.timeline);
    const { boxes, pinned_px } = layout.value;
    return {
      ...themed.value,
      timeline: source.value.timeline,
      boxes,
      scale: { range: timeline.range.value, width_px },
      clock: timeline.clock.value,
      axisEnd_px: width_px - (hasClocks.value ? kClockButton_px : 0),
      height_px,
      top_px,
      scroll_px: scroll.value,
      stuck_px: stuckHeight(pinned_px, height_px - top_px),
      colourBy: timeline.colourBy.value,
      gaps: gaps.value,
      memory: timeline.memory.value,
      memoryOf: (lane: number) => source.value.memoryPicture(lane, timeline.range.value, timeline.memory.value.order),
      changesOf: (lane: number, range: TimeRange) => source.value.changesOf(lane, range, timeline.memory.value.order),
      picture: picture.value,
    };
  });
}

/** Draws what lies over the lanes and what is under the pointer into their canvases, from now on. */
export function useDrawing(
  base: RefObject<HTMLCanvasElement | null>,
  over: RefObject<HTMLCanvasElement | null>,
  scene: ReadonlySignal<TimelineScene | null>,
  hovered: ReadonlySignal<Hovered | null>,
  pointer: ReadonlySignal<Pointer | null>,
): void {
  const { scope } = useApp();
  const timeline = useTimeline();
  const path = useCriticalPath();
  useEffect(() => {
    const layer = new BarLayer();
    let wasBlank = true;
    const stops = [
      effect(() => {
        if (scene.value !== null) timeline.source.peek()?.look(viewOf(scene.value, timeline.find.value));
      }),
      drawOnChange(
        base.current!,
        () => (scene.value === null ? null : { scene: scene.value }),
        (ctx, { scene: shown }, ratio) => {
          layer.begin(shown.palette.background, shown.scale.width_px, shown.height_px, ratio);
          drawTimeline(ctx, shown, layer);
        },
        true,
      ),
      drawOnChange(
        over.current!,
        () => {
          const input = readMarks(timeline, scope.now.value, scene.value, hovered.value, pointer.value, path.value);
          // While there is nothing to draw, what is there stays: nothing.
          const isBlank = input === null || areBlank(input.marks);
          const isKept = isBlank && wasBlank;
          wasBlank = isBlank;
          return isKept ? null : input;
        },
        (ctx, input) => drawMarks(ctx, input.scene, input.marks),
      ),
    ];
    return () => stops.forEach((stop) => stop());
  }, [timeline, scope, base, over, scene, hovered, pointer, path]);
}

function readMarks(
  timeline: TimelineState,
  scope: Scope,
  scene: TimelineScene | null,
  hovered: Hovered | null,
  pointer: Pointer | null,
  path: readonly PathPart[] | null,
): { scene: TimelineScene; marks: TimelineMarks } | null {
  if (scene === null) return null;
  const marks: TimelineMarks = {
    hovered: hovered?.kind === "span" || hovered?.kind === "allocation" ? hovered.box : null,
    selected: timeline.selected.value,
    flows: flowsOf(timeline.detail.value),
    name: nameOf(scene, hovered, timeline.selectedEvent.value),
    area: timeline.area.value,
    scope: timeOfScope(scene.timeline.runs, scope),
    gap: timeline.gap.value,
    marks: timeline.marks.value,
    path,
    cursor_ns: pointer === null ? null : timeOf(scene.scale, pointer.x),
  };
  return { scene, marks };
}

function areBlank(marks: TimelineMarks): boolean {
  const { hovered, selected, flows, name, area, scope, gap, path, cursor_ns } = marks;
  const isNothing = hovered === null && selected === null && name === null && area === null && cursor_ns === null;
  return isNothing && gap === null && path === null && scope === null && flows.length + marks.marks.length === 0;
}

/** The lanes that are on screen. */
function viewOf(scene: TimelineScene, find: string): View {
  const rows = findShownBoxes(scene).flatMap((box) => {
    if (box.strip.length > 0) {
      return box.strip.map((lane) => ({ lane, from: 0, to: rowsOfStrip(scene.timeline.lanes[lane]!) }));
    }
    if (box.kind !== "events") return [];
    const [from, to] = findShownRows(scene, box);
    return [{ lane: box.lane, from, to }];
  });
  const counters = findShownBoxes(scene).flatMap(({ kind, lane, counter }) =>
    kind === "counter" ? [{ lane, counter }] : [],
  );
  const memories = findShownBoxes(scene).flatMap(({ kind, lane, contentHeight }) =>
    kind === "memory" ? [{ lane, height_px: contentHeight }] : [],
  );
  return { scale: scene.scale, rows, counters, find, memories, order: scene.memory.order };
}

function flowsOf(detail: EventDetail | null): (readonly [EventItem, EventItem])[] {
  if (detail === null) return [];
  return [
    ...detail.incoming.map((from) => [from, detail.item] as const),
    ...detail.outgoing.map((to) => [detail.item, to] as const),
  ];
}

/** Without colours. */
function nameOf(scene: TimelineScene, hovered: Hovered | null, selected: EventItem | null): string | null {
  if (hovered?.kind === "span" && hovered.span.count === 1) return scene.timeline.plain[hovered.span.name] ?? null;
  return selected === null ? null : stripAnsi(selected.label);
}

function measureLetter(mono: string): number {
  const ctx = document.createElement("canvas").getContext("2d")!;
  ctx.font = `${kLabelFont_px}px ${mono}`;
  return ctx.measureText("0000000000").width / 10;
}

/**
 * Draws what read() gives, unless that is null, at the next frame after a signal that it reads has changed. Returns
 * what stops it.
 */
function drawOnChange<T extends { scene: TimelineScene }>(
  canvas: HTMLCanvasElement,
  read: () => T | null,
  draw: (ctx: CanvasRenderingContext2D, input: T, ratio: number) => void,
  isOpaque = false,
): () => void {
  const ctx = canvas.getContext("2d", { alpha: !isOpaque })!;
  let latest: T | null = null;
  const loop = createFrameLoop(() => {
    if (latest === null) return;
    const { scale, height_px } = latest.scene;
    const ratio = sizeCanvas(canvas, scale.width_px, height_px);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw(ctx, latest, ratio);
  });
  const stop = effect(() => {
    const next = read();
    if (next === null) return;
    latest = next;
    loop.request();
  });
  return () => {
    stop();
    loop.stop();
  };
}
