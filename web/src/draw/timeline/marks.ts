// Draws what lies over the lanes and follows the pointer: the hovered and the selected, a chosen range, marks with the
// time between them, the moment under the pointer. On a canvas of its own, so that the lanes need not be drawn again.
import { formatDurationBy, formatMomentBy } from "../../lib/timeline/clock";
import { timesOf } from "../../lib/timeline/cycle-axis";
import type { EventItem } from "../../lib/timeline/events";
import { spanOf, type TimeRange } from "../../lib/time";
import { drawPath } from "./path";
import {
  barHeightOf,
  boxOfAllocation,
  boxOfEvent,
  findEdges,
  findShownBoxes,
  findShownRows,
  kAxis_px,
  kLabelFont_px,
  xOf,
  yOf,
} from "./scene";
import type { Box, PathPart, TimelineMarks, TimelineScene } from "./scene";

export function drawMarks(ctx: CanvasRenderingContext2D, scene: TimelineScene, marks: TimelineMarks): void {
  const { palette, scale, height_px } = scene;
  ctx.clearRect(0, 0, scale.width_px, height_px);
  ctx.font = `${kLabelFont_px}px ${palette.font}`;
  ctx.textBaseline = "middle";
  if (marks.scope !== null) dimOutside(ctx, scene, marks.scope);
  if (marks.path !== null) drawPathOnLanes(ctx, scene, marks.path);
  if (marks.area !== null) drawArea(ctx, scene, marks.area.range, marks.area.lanes);
  if (marks.gap !== null) drawArea(ctx, scene, marks.gap, [marks.gap.lane]);
  for (const mark of marks.marks) drawMark(ctx, scene, mark);
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, scene.top_px, scale.width_px, height_px - scene.top_px);
  ctx.clip();
  if (marks.name !== null) drawSameName(ctx, scene, marks.name);
  for (const [from, to] of marks.flows) drawFlow(ctx, scene, from, to);
  outline(ctx, marks.hovered, palette.text, 1, scene);
  outline(ctx, boxOf(scene, marks.selected), palette.accent, 2, scene);
  ctx.restore();
  if (marks.cursor_ns !== null) drawCursor(ctx, scene, marks.cursor_ns);
}

/** Dims the lanes before and after the time that figures are of. */
function dimOutside(ctx: CanvasRenderingContext2D, scene: TimelineScene, scope: TimeRange): void {
  const { scale, palette, top_px, height_px } = scene;
  const x0 = Math.min(Math.max(Math.round(xOf(scale, scope.from)), 0), scale.width_px);
  const x1 = Math.min(Math.max(Math.round(xOf(scale, scope.to)), x0), scale.width_px);
  ctx.save();
  ctx.fillStyle = palette.background;
  ctx.globalAlpha = 0.62;
  ctx.fillRect(0, top_px, x0, height_px - top_px);
  ctx.fillRect(x1, top_px, scale.width_px - x1, height_px - top_px);
  ctx.restore();
  drawRuler(ctx, scene, scope, palette.accent);
}

function drawPathOnLanes(ctx: CanvasRenderingContext2D, scene: TimelineScene, path: readonly PathPart[]): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, scene.top_px, scene.scale.width_px, scene.height_px - scene.top_px);
  ctx.clip();
  drawPath(ctx, scene, path);
  ctx.restore();
}

function boxOf(scene: TimelineScene, item: TimelineMarks["selected"]): Box | null {
  if (item === null) return null;
  return "event" in item ? boxOfEvent(scene, item) : boxOfAllocation(scene, item);
}

/** Lights the events of a name, wherever they are drawn one by one. */
function drawSameName(ctx: CanvasRenderingContext2D, scene: TimelineScene, name: string): void {
  ctx.save();
  ctx.fillStyle = scene.palette.text;
  for (const box of findShownBoxes(scene)) {
    if (box.kind !== "events") continue;
    const [limit, bottom] = findEdges(scene, box);
    const [from, to] = findShownRows(scene, box);
    for (let r = from; r < to; r++) {
      const y = Math.round(yOf(scene, box.content + r * box.pitch));
      if (y < limit || y > bottom) continue;
      for (const span of scene.picture.spansOf(box.lane, r)) {
        if (span.count > 1 || scene.timeline.plain[span.name] !== name) continue;
        ctx.globalAlpha = 0.16;
        ctx.fillRect(span.x0, y, span.x1 - span.x0, barHeightOf(box));
        ctx.globalAlpha = 0.9;
        ctx.fillRect(span.x0, y + barHeightOf(box) - 1, span.x1 - span.x0, 1);
      }
    }
  }
  ctx.restore();
}

/** From the end of what led there to the start of what it led to, as a launch to its kernel. */
function drawFlow(ctx: CanvasRenderingContext2D, scene: TimelineScene, from: EventItem, to: EventItem): void {
  const [source, target] = [boxOfEvent(scene, from), boxOfEvent(scene, to)];
  if (source === null || target === null) return;
  const [x0, y0] = [source.x + source.w, source.y + source.h / 2];
  const [x1, y1] = [target.x, target.y + target.h / 2];
  const bend = Math.max(Math.abs(x1 - x0) / 2, 24);
  ctx.strokeStyle = scene.palette.accent;
  ctx.fillStyle = scene.palette.accent;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  ctx.moveTo(x0, y0);
  ctx.bezierCurveTo(x0 + bend, y0, x1 - bend, y1, x1 - 5, y1);
  ctx.stroke();
  ctx.beginPath();
  ctx.moveTo(x1, y1);
  ctx.lineTo(x1 - 7, y1 - 4);
  ctx.lineTo(x1 - 7, y1 + 4);
  ctx.fill();
}

/**
 * A frame around the visible part of a box; short ones get a pointer above them, so that they are found at any zoom.
 */
function outline(
  ctx: CanvasRenderingContext2D,
  box: Box | null,
  colour: string,
  width: number,
  scene: TimelineScene,
): void {
  if (box === null) return;
  const x0 = Math.max(Math.floor(box.x), -4);
  const x1 = Math.min(Math.floor(box.x + box.w), scene.scale.width_px + 4);
  if (x1 < x0) return;
  ctx.strokeStyle = colour;
  ctx.lineWidth = width;
  ctx.strokeRect(x0 - width / 2, Math.round(box.y) - width / 2, x1 - x0 + width, Math.round(box.h) + width);
  if (x1 - x0 >= 6 || width < 2) return;
  const middle = (x0 + x1) / 2;
  ctx.fillStyle = colour;
  ctx.beginPath();
  ctx.moveTo(middle - 5, box.y - 8);
  ctx.lineTo(middle + 5, box.y - 8);
  ctx.lineTo(middle, box.y - 2);
  ctx.fill();
}

function drawArea(
  ctx: CanvasRenderingContext2D,
  scene: TimelineScene,
  range: TimeRange,
  lanes: readonly number[],
): void {
  const { palette } = scene;
  const x0 = xOf(scene.scale, range.from);
  const x1 = xOf(scene.scale, range.to);
  ctx.save();
  ctx.fillStyle = palette.accent;
  const chosen = new Set(lanes);
  for (const box of findShownBoxes(scene)) {
    if (!chosen.has(box.lane)) continue;
    const [y0, y1] = findEdges(scene, box);
    ctx.globalAlpha = 0.13;
    ctx.fillRect(x0, y0, x1 - x0, y1 - y0);
    ctx.globalAlpha = 1;
    for (const x of [x0, x1]) ctx.fillRect(Math.round(x), y0, 1, y1 - y0);
  }
  drawRuler(ctx, scene, range, palette.accent);
  ctx.restore();
}

function drawMark(ctx: CanvasRenderingContext2D, scene: TimelineScene, range: TimeRange): void {
  const { palette } = scene;
  ctx.save();
  ctx.strokeStyle = palette.made;
  ctx.setLineDash([1, 3]);
  for (const at of [range.from, range.to]) {
    const x = Math.round(xOf(scene.scale, at)) + 0.5;
    ctx.beginPath();
    ctx.moveTo(x, scene.top_px);
    ctx.lineTo(x, scene.height_px);
    ctx.stroke();
  }
  drawRuler(ctx, scene, range, palette.made);
  ctx.restore();
}

/** A bar in the axis over the range, with its length. */
function drawRuler(ctx: CanvasRenderingContext2D, scene: TimelineScene, range: TimeRange, colour: string): void {
  const x0 = Math.max(xOf(scene.scale, range.from), -1);
  const x1 = Math.min(xOf(scene.scale, range.to), scene.scale.width_px + 1);
  if (x1 < 0 || x0 > scene.scale.width_px) return;
  ctx.globalAlpha = 1;
  ctx.setLineDash([]);
  ctx.fillStyle = colour;
  ctx.fillRect(x0, kAxis_px - 3, Math.max(x1 - x0, 2), 3);
  if (spanOf(range) > 0) drawTag(ctx, scene, durationIn(scene, spanOf(range)), (x0 + x1) / 2, colour);
}

function drawCursor(ctx: CanvasRenderingContext2D, scene: TimelineScene, at: number): void {
  const x = Math.round(xOf(scene.scale, at));
  ctx.save();
  ctx.fillStyle = scene.palette.dim;
  ctx.globalAlpha = 0.5;
  ctx.fillRect(x, scene.top_px, 1, scene.height_px);
  ctx.restore();
  drawTag(ctx, scene, momentIn(scene, at), x, scene.palette.text);
}

/** Text in the axis, centred on x as far as it fits. */
function drawTag(ctx: CanvasRenderingContext2D, scene: TimelineScene, text: string, x: number, colour: string): void {
  const width = ctx.measureText(text).width + 10;
  const left = Math.min(Math.max(x - width / 2, 0), scene.scale.width_px - width);
  ctx.fillStyle = scene.palette.raised;
  ctx.beginPath();
  ctx.roundRect(left, 4, width, kAxis_px - 10, 3);
  ctx.fill();
  ctx.fillStyle = colour;
  ctx.fillText(text, left + 5, kAxis_px / 2 - 0.5);
}

function durationIn({ timeline, clock }: TimelineScene, time: number): string {
  return timeline.trace === undefined ? formatDurationBy(time, clock) : timesOf(timeline).duration(time);
}

function momentIn({ timeline, clock }: TimelineScene, at: number): string {
  return timeline.trace === undefined ? formatMomentBy(at, clock) : timesOf(timeline).moment(at);
}
