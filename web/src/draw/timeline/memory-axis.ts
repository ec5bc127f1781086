// Beside and behind a lane's memory: the byte axis, and how high the packing reaches.
import { formatRoundBytes, makeByteTicks } from "../../lib/bytes";
import type { LaneBox } from "../../lib/timeline/lanes-layout";
import { byteToY, type TimelineScene } from "./scene";

export function drawMemoryAxis(ctx: CanvasRenderingContext2D, scene: TimelineScene, box: LaneBox): void {
  if (scene.memory.shown === "blocks") drawPacking(ctx, scene, box);
  drawBytes(ctx, scene, box);
}

/** How high the packing reaches beyond the peak: a faint line, so that it is not taken for usage. */
function drawPacking(ctx: CanvasRenderingContext2D, scene: TimelineScene, box: LaneBox): void {
  const memory = scene.timeline.lanes[box.lane]!.memory!;
  if (memory.height_bytes <= memory.peak_bytes) return;
  const y = Math.round(byteToY(scene, box, memory.peak_bytes, memory.height_bytes)) + 0.5;
  ctx.save();
  ctx.strokeStyle = scene.palette.faint;
  ctx.setLineDash([2, 4]);
  ctx.beginPath();
  ctx.moveTo(0, y);
  ctx.lineTo(scene.scale.width_px, y);
  ctx.stroke();
  ctx.restore();
}

/** The byte axis. */
function drawBytes(ctx: CanvasRenderingContext2D, scene: TimelineScene, box: LaneBox): void {
  const { height_bytes } = scene.timeline.lanes[box.lane]!.memory!;
  ctx.save();
  ctx.font = `10px ${scene.palette.font}`;
  ctx.textBaseline = "middle";
  const least_px = box.contentHeight > 100 ? 36 : 24;
  for (const tick of makeByteTicks(height_bytes, box.contentHeight, least_px)) {
    const y = Math.round(byteToY(scene, box, tick, height_bytes));
    const text = formatRoundBytes(tick);
    ctx.fillStyle = scene.palette.dim;
    ctx.fillRect(0, y, 5, 1);
    ctx.globalAlpha = 0.75;
    ctx.fillStyle = scene.palette.background;
    ctx.fillRect(7, y - 6, text.length * 6 + 2, 13);
    ctx.globalAlpha = 1;
    ctx.fillStyle = scene.palette.dim;
    ctx.fillText(text, 8, y + 0.5);
  }
  ctx.restore();
}
