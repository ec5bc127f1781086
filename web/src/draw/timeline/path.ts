// Draws the critical path over the lanes: what is not on it is dimmed, what is has a line under it, and where it goes
// from one lane to another there is a line between them.
import type { LaneBox } from "../../lib/timeline/lanes-layout";
import { findEdges, findShownBoxes, xOf, type PathPart, type TimelineScene } from "./scene";

/** More changes of lane than this on screen would be one solid block. */
const kMostLinks = 300;
const kDim = 0.62;
const kLine_px = 3;

/** parts: in order of time. */
export function drawPath(ctx: CanvasRenderingContext2D, scene: TimelineScene, parts: readonly PathPart[]): void {
  const { from, to } = scene.scale.range;
  const seen = parts.filter((part) => part.to >= from && part.from <= to);
  const boxes = new Map<number, LaneBox>();
  ctx.save();
  ctx.fillStyle = scene.palette.background;
  ctx.globalAlpha = kDim;
  for (const box of findShownBoxes(scene)) {
    if (box.kind !== "events") continue;
    boxes.set(box.lane, box);
    const [top, bottom] = findEdges(scene, box);
    ctx.fillRect(0, top, scene.scale.width_px, bottom - top);
  }
  ctx.globalAlpha = 1;
  ctx.fillStyle = scene.palette.accent;
  for (const part of seen) {
    const box = boxes.get(part.lane);
    if (box === undefined) continue;
    const [top, bottom] = findEdges(scene, box);
    const [x, width] = placeOf(scene, part);
    ctx.clearRect(x, top, width, bottom - top);
    ctx.fillRect(x, bottom - kLine_px, width, Math.min(kLine_px, bottom - top));
  }
  drawLinks(ctx, scene, seen, boxes);
  ctx.restore();
}

/** At least a pixel wide, within the screen. */
function placeOf(scene: TimelineScene, part: PathPart): [x: number, width: number] {
  const x0 = Math.max(xOf(scene.scale, part.from), 0);
  const x1 = Math.min(xOf(scene.scale, part.to), scene.scale.width_px);
  return [x0, Math.max(x1 - x0, 1)];
}

function drawLinks(
  ctx: CanvasRenderingContext2D,
  scene: TimelineScene,
  seen: readonly PathPart[],
  boxes: ReadonlyMap<number, LaneBox>,
): void {
  if (seen.length > kMostLinks) return;
  ctx.strokeStyle = scene.palette.accent;
  ctx.lineWidth = 1;
  for (let i = 1; i < seen.length; i++) {
    const [before, after] = [seen[i - 1]!, seen[i]!];
    const [upper, lower] = [boxes.get(before.lane), boxes.get(after.lane)];
    if (upper === undefined || lower === undefined || upper === lower) continue;
    const y = (box: LaneBox) => findEdges(scene, box)[1] - kLine_px / 2;
    ctx.beginPath();
    ctx.moveTo(xOf(scene.scale, before.to), y(upper));
    ctx.lineTo(xOf(scene.scale, after.from), y(lower));
    ctx.stroke();
  }
}
