// Draws a lane's memory: a rectangle an allocation, the live bytes as a line of steps over them, a byte axis. Rectangles
// thinner than a pixel are gathered by cell: each is as opaque as the part of it they cover.
import type { LaneBox } from "../../lib/timeline/lanes-layout";
import { formatRoundBytes, makeByteTicks, type Memory } from "../../lib/timeline/memory";
import { takeSteps } from "../../lib/timeline/memory-steps";
import { takeStack } from "../../lib/timeline/memory-stack";
import type { MemoryAxis } from "../../lib/timeline/memory-axis";
import { findAbove } from "../../lib/time";
import { byteToY, memoryAxisOf, type TimelineScene } from "./scene";
import { strokeLive } from "./live-line";
import { RectBatch } from "../rect-batch";

export function drawMemory(ctx: CanvasRenderingContext2D, scene: TimelineScene, box: LaneBox, memory: Memory): void {
  const plot: Plot = {
    axis: memoryAxisOf(scene, memory),
    bottom: byteToY(scene, box, 0, memory.height_bytes),
    pixelsPerByte: memory.height_bytes > 0 ? box.contentHeight / memory.height_bytes : 0,
  };
  if (scene.memory.shown === "categories") drawBands(ctx, scene, memory, plot);
  else {
    drawAllocations(ctx, scene, memory, plot);
    drawPacking(ctx, scene, box, memory);
  }
  drawLive(ctx, scene, memory, plot);
}

interface Plot {
  axis: MemoryAxis;
  /** The y of no bytes. */
  bottom: number;
  pixelsPerByte: number;
}

function drawAllocations(
  ctx: CanvasRenderingContext2D,
  scene: TimelineScene,
  memory: Memory,
  { axis, bottom, pixelsPerByte }: Plot,
): void {
  const { scale, colours } = scene;
  const batch = new RectBatch();
  const dust = new Dust(Math.ceil(scale.width_px));
  const born = findAbove(memory.birth, scale.range.to);
  for (let i = 0; i < born; i++) {
    if (memory.death[i]! < scale.range.from) continue;
    const x0 = Math.max(axis.xOf(memory.birth[i]!), -2);
    const x1 = Math.min(axis.xOf(Math.min(memory.death[i]!, scene.timeline.dur_ns)), scale.width_px + 2);
    const y1 = bottom - memory.offset[i]! * pixelsPerByte;
    const y0 = y1 - memory.size_bytes[i]! * pixelsPerByte;
    if (x1 - x0 < 1 || y1 - y0 < 1) {
      dust.add(x0, x1, y0, y1);
      continue;
    }
    const [left, top] = [Math.round(x0), Math.round(y0)];
    // A pixel of room between neighbours, where there is any to give.
    const w = Math.max(Math.round(x1) - left - (x1 - x0 > 3 ? 1 : 0), 1);
    const h = Math.max(Math.round(y1) - top - (y1 - y0 > 3 ? 1 : 0), 1);
    batch.add(colours.allocations[i % colours.allocations.length]!, left, top, w, h);
  }
  batch.fill(ctx);
  dust.fill(ctx, colours.dust);
}

/**
 * How much of each pixel small rectangles cover: sums of where they begin and end, a row of pixels each, so that one
 * costs the same however long it is.
 */
class Dust {
  private readonly rows = new Map<number, Float32Array>();

  constructor(private readonly width_px: number) {}

  add(x0: number, x1: number, y0: number, y1: number): void {
    const y = Math.floor(y0);
    let row = this.rows.get(y);
    if (row === undefined) this.rows.set(y, (row = new Float32Array(this.width_px + 2)));
    const from = Math.min(Math.max(Math.floor(x0), 0), this.width_px);
    const to = Math.min(Math.max(Math.ceil(x1), from + 1), this.width_px + 1);
    const share = Math.max(Math.min(y1 - y0, 1) * Math.min((x1 - x0) / (to - from), 1), 1 / kDustLevels);
    row[from]! += share;
    row[to]! -= share;
  }

  fill(ctx: CanvasRenderingContext2D, colour: string): void {
    const levels = Array.from({ length: kDustLevels + 1 }, () => new RectBatch());
    for (const [y, row] of this.rows) {
      let covered = 0;
      for (let x = 0; x < this.width_px; x++) {
        covered += row[x]!;
        const level = Math.min(Math.round(covered * kDustLevels), kDustLevels);
        if (level > 0) levels[level]!.add(colour, x, y, 1, 1);
      }
    }
    ctx.save();
    levels.forEach((batch, level) => {
      // The least that can be seen stands for anything there at all.
      ctx.globalAlpha = Math.max(level / kDustLevels, 0.2);
      batch.fill(ctx);
    });
    ctx.restore();
  }
}

const kDustLevels = 8;

/** The live bytes of each category, the largest at the bottom. */
function drawBands(
  ctx: CanvasRenderingContext2D,
  scene: TimelineScene,
  memory: Memory,
  { axis, bottom, pixelsPerByte }: Plot,
): void {
  const batch = new RectBatch();
  const columns = takeStack(memory, axis, Math.ceil(scene.scale.width_px));
  const end_px = Math.min(Math.ceil(axis.xOf(scene.timeline.dur_ns)), scene.scale.width_px);
  columns.forEach(({ x, bytes }, i) => {
    const width = (columns[i + 1]?.x ?? end_px) - x;
    if (width <= 0) return;
    let below = 0;
    bytes.forEach((size, band) => {
      const y1 = Math.round(bottom - below * pixelsPerByte);
      below += size;
      const y0 = Math.round(bottom - below * pixelsPerByte);
      if (y1 > y0) batch.add(scene.colours.ofEvent(band, 0).fill, x, y0, width, y1 - y0);
    });
  });
  batch.fill(ctx);
}

/** The line of sums. */
function drawLive(
  ctx: CanvasRenderingContext2D,
  scene: TimelineScene,
  memory: Memory,
  { axis, bottom, pixelsPerByte }: Plot,
): void {
  const { width_px } = scene.scale;
  const end_px = Math.min(Math.max(Math.ceil(axis.xOf(scene.timeline.dur_ns)), 0), width_px);
  const yAt = (bytes: number) => Math.round(bottom - bytes * pixelsPerByte) + 0.5;
  strokeLive(ctx, scene, takeSteps(memory, axis, end_px), (column) => column + 0.5, yAt);
}

/** How high the packing reaches beyond the peak: a faint line, so that it is not taken for usage. */
function drawPacking(ctx: CanvasRenderingContext2D, scene: TimelineScene, box: LaneBox, memory: Memory): void {
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
export function drawBytes(ctx: CanvasRenderingContext2D, scene: TimelineScene, box: LaneBox): void {
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
