// The lanes on screen as a picture to take away: their names beside what the canvases show.
import type { Palette } from "../palette";
import type { LaneBox } from "../../lib/timeline/lanes-layout";
import type { TimelineScene } from "./scene";

const kHeads_px = 204;
const kPad_px = 12;
const kIndent_px = 12;

/** canvases: those of the scene, the lower one first. nameOf: what stands beside a box, a line or two. */
export function drawLanesAsPng(
  scene: TimelineScene,
  canvases: readonly HTMLCanvasElement[],
  nameOf: (box: LaneBox) => readonly string[],
): Promise<Blob | null> {
  const ratio = canvases[0]!.width / Math.max(scene.scale.width_px, 1);
  const picture = document.createElement("canvas");
  picture.width = Math.round((kHeads_px + scene.scale.width_px) * ratio);
  picture.height = Math.round(scene.height_px * ratio);
  const ctx = picture.getContext("2d", { alpha: false })!;
  ctx.setTransform(ratio, 0, 0, ratio, 0, 0);
  ctx.fillStyle = scene.palette.panel;
  ctx.fillRect(0, 0, kHeads_px + scene.scale.width_px, scene.height_px);
  for (const canvas of canvases) ctx.drawImage(canvas, kHeads_px, 0, scene.scale.width_px, scene.height_px);
  drawNames(ctx, scene, nameOf, scene.palette);
  return new Promise((resolve) => picture.toBlob(resolve, "image/png"));
}

function drawNames(
  ctx: CanvasRenderingContext2D,
  { boxes, top_px, scroll_px, stuck_px, height_px }: TimelineScene,
  nameOf: (box: LaneBox) => readonly string[],
  palette: Palette,
): void {
  for (const box of boxes) {
    // Pinned lanes stand still at the top, the others pass under them.
    const isStuck = box.top + box.height <= stuck_px;
    const top = top_px + box.top - (isStuck ? 0 : scroll_px);
    const least = top_px + (isStuck ? 0 : stuck_px);
    if (top + box.height <= least || top >= height_px) continue;
    ctx.save();
    ctx.beginPath();
    ctx.rect(0, Math.max(top, least), kHeads_px, height_px);
    ctx.clip();
    ctx.fillStyle = palette.line;
    ctx.fillRect(0, top + box.height - 1, kHeads_px, 1);
    ctx.textBaseline = "top";
    nameOf(box).forEach((line, i) => {
      ctx.font = i === 0 ? `600 12px ${palette.font}` : `11px ${palette.font}`;
      ctx.fillStyle = i === 0 ? palette.text : palette.dim;
      ctx.fillText(line, kPad_px + box.depth * kIndent_px, top + 6 + i * 16, kHeads_px - 2 * kPad_px);
    });
    ctx.restore();
  }
}
