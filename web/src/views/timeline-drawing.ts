// Keeps the timeline's two canvases drawn: the scene from signals and the theme, each canvas at most once a frame and
// only when something it shows has changed.
import { effect, useComputed, type ReadonlySignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { createFrameLoop, sizeCanvas } from "../draw/canvas";
import { drawTimeline } from "../draw/lanes";
import { makeLaneColours } from "../draw/lanes-colours";
import { drawMarks } from "../draw/lanes-marks";
import { kLabelFont_px, timeOf, topOfLanes, type TimelineMarks, type TimelineScene } from "../draw/lanes-scene";
import { readPalette } from "../draw/palette";
import type { Profile } from "../lib/lanes";
import type { LaneBox } from "../lib/lanes-layout";
import type { App } from "../state/app";
import { useApp } from "./app-context";
import { useAsSignal } from "./as-signal";
import { refOf, type Hovered } from "./timeline-hover";

export interface Pointer {
  x: number;
  y: number;
}

export interface StageSize {
  width_px: number;
  height_px: number;
}

/** Null until the stage has a size. */
export function useScene(
  profile: ReadonlySignal<Profile>,
  boxes: ReadonlySignal<readonly LaneBox[]>,
  size: ReadonlySignal<StageSize>,
  scroll: ReadonlySignal<number>,
): ReadonlySignal<TimelineScene | null> {
  const { timeline, theme } = useApp();
  const shown = theme.shown.value;
  const themed = useAsSignal(
    useMemo(() => {
      const palette = readPalette(document.documentElement);
      return { palette, colours: makeLaneColours(palette), letter_px: measureLetter(palette.mono) };
    }, [shown]),
  );
  return useComputed(() => {
    const { width_px, height_px } = size.value;
    if (width_px === 0 || height_px === 0) return null;
    return {
      ...themed.value,
      profile: profile.value,
      boxes: boxes.value,
      scale: { range: timeline.range.value, width_px },
      height_px,
      top_px: topOfLanes(profile.value),
      scroll_px: scroll.value,
      found: timeline.found.value,
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
  const app = useApp();
  useEffect(() => {
    const stops = [
      drawOnChange(
        base.current!,
        () => (scene.value === null ? null : { scene: scene.value }),
        (ctx, input) => drawTimeline(ctx, input.scene),
      ),
      drawOnChange(
        over.current!,
        () => readMarks(app, scene.value, hovered.value, pointer.value),
        (ctx, input) => drawMarks(ctx, input.scene, input.marks),
      ),
    ];
    return () => stops.forEach((stop) => stop());
  }, [app, base, over, scene, hovered, pointer]);
}

function readMarks(
  { timeline }: App,
  scene: TimelineScene | null,
  hovered: Hovered | null,
  pointer: Pointer | null,
): { scene: TimelineScene; marks: TimelineMarks } | null {
  if (scene === null) return null;
  const marks: TimelineMarks = {
    hovered: refOf(hovered),
    selected: timeline.selected.value,
    area: timeline.area.value,
    marks: timeline.marks.value,
    cursor_ns: pointer === null ? null : timeOf(scene.scale, pointer.x),
  };
  return { scene, marks };
}

function measureLetter(mono: string): number {
  const ctx = document.createElement("canvas").getContext("2d")!;
  ctx.font = `${kLabelFont_px}px ${mono}`;
  return ctx.measureText("0000000000").width / 10;
}

/** Draws what read() gives at the next frame after a signal that it reads has changed. Returns what stops it. */
function drawOnChange<T extends { scene: TimelineScene }>(
  canvas: HTMLCanvasElement,
  read: () => T | null,
  draw: (ctx: CanvasRenderingContext2D, input: T) => void,
): () => void {
  const ctx = canvas.getContext("2d")!;
  let latest: T | null = null;
  const loop = createFrameLoop(() => {
    if (latest === null) return;
    const { scale, height_px } = latest.scene;
    const ratio = sizeCanvas(canvas, scale.width_px, height_px);
    ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
    draw(ctx, latest);
  });
  const stop = effect(() => {
    latest = read();
    loop.request();
  });
  return () => {
    stop();
    loop.stop();
  };
}
