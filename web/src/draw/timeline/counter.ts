// Draws a counter: a line of steps, and where a pixel has several values the band that they lie between. From the least
// value of the whole profile at the bottom to the most at the top, which a large plot names at the left.
import { formatValue, type CounterStep } from "../../lib/timeline/counter";
import type { LaneBox } from "../../lib/timeline/lanes-layout";
import type { CounterInfo } from "../../lib/timeline/timeline";
import { StepLine } from "../step-line";
import { xOf, yOf, type TimelineScene } from "./scene";

const kBandOpacity = 0.3;
const kNameFont_px = 10;
const kNamedFrom_px = 60;

export function drawCounter(ctx: CanvasRenderingContext2D, scene: TimelineScene, box: LaneBox): void {
  const info = scene.timeline.lanes[box.lane]!.counters[box.counter]!;
  const bottom = yOf(scene, box.content) + box.contentHeight;
  const yAt = (value: number) => Math.round(bottom - shareOf(info, value) * box.contentHeight) + 0.5;
  const steps = scene.picture.stepsOf(box.lane, box.counter);
  ctx.save();
  ctx.fillStyle = scene.colours.ofEvent(box.counter, 0).narrow;
  drawBand(ctx, steps, yAt);
  drawLine(ctx, steps, yAt, Math.min(xOf(scene.scale, scene.timeline.dur_ns), scene.scale.width_px));
  // A small plot has no room for them, and the lane's head says the same.
  if (box.contentHeight >= kNamedFrom_px) drawEnds(ctx, scene, box, info);
  ctx.restore();
}

/** 0 for the least value, 1 for the most; a value that never changes lies in the middle. */
function shareOf({ min, max }: CounterInfo, value: number): number {
  return max > min ? (value - min) / (max - min) : 0.5;
}

function drawBand(ctx: CanvasRenderingContext2D, steps: readonly CounterStep[], yAt: (value: number) => number): void {
  ctx.globalAlpha = kBandOpacity;
  for (const { x0, x1, min, max } of steps) {
    if (max > min) ctx.fillRect(x0, yAt(max) - 0.5, x1 - x0, yAt(min) - yAt(max) + 1);
  }
  ctx.globalAlpha = 1;
}

function drawLine(
  ctx: CanvasRenderingContext2D,
  steps: readonly CounterStep[],
  yAt: (value: number) => number,
  end_px: number,
): void {
  const line = new StepLine(ctx);
  for (const { x0, last } of steps) line.to(x0, yAt(last));
  if (steps.length > 0) line.to(end_px, yAt(steps.at(-1)!.last));
}

function drawEnds(ctx: CanvasRenderingContext2D, scene: TimelineScene, box: LaneBox, info: CounterInfo): void {
  const top = yOf(scene, box.content);
  const ends: [value: number, y: number][] =
    info.max > info.min
      ? [
          [info.max, top + kNameFont_px / 2],
          [info.min, top + box.contentHeight - kNameFont_px / 2],
        ]
      : [[info.min, top + kNameFont_px / 2]];
  ctx.font = `${kNameFont_px}px ${scene.palette.font}`;
  ctx.textBaseline = "middle";
  for (const [value, y] of ends) {
    const text = formatValue(value, info.unit);
    ctx.globalAlpha = 0.75;
    ctx.fillStyle = scene.palette.background;
    ctx.fillRect(4, y - 6, ctx.measureText(text).width + 6, 12);
    ctx.globalAlpha = 1;
    ctx.fillStyle = scene.palette.dim;
    ctx.fillText(text, 7, y + 0.5);
  }
}
