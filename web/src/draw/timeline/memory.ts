// Draws a picture of a lane's memory (lib/timeline/memory-picture.ts) where it lies at the time on screen now: one that
// is exact at any zoom, or one of another zoom, moved and stretched until the one for this view is there.
import type { LaneBox } from "../../lib/timeline/lanes-layout";
import { stepsOf, type MemoryPicture } from "../../lib/timeline/memory-picture";
import { Dust, fillLevels } from "./dust";
import { yOf, type Box, type TimelineScene } from "./scene";
import { drawLiveLine } from "./live-line";
import { RectBatch } from "../rect-batch";

const kCoverLevels = 8;

/** Where a picture lies on the canvas. */
export interface PicturePlace {
  /** Pixels a column and a line take; the x of column 0; the y of line 0. */
  column_px: number;
  line_px: number;
  left: number;
  bottom: number;
}

export function placePicture(scene: TimelineScene, box: LaneBox, picture: MemoryPicture): PicturePlace {
  const { range, width_px } = scene.scale;
  const { from, to } = scene.changesOf(box.lane, range);
  const perPixel = (to - from) / width_px;
  return {
    column_px: (picture.to - picture.from) / picture.width / perPixel,
    line_px: box.contentHeight / picture.height,
    left: (picture.from - from) / perPixel,
    bottom: yOf(scene, box.content) + box.contentHeight,
  };
}

export function drawMemory(
  ctx: CanvasRenderingContext2D,
  scene: TimelineScene,
  box: LaneBox,
  picture: MemoryPicture,
): void {
  const place = placePicture(scene, box, picture);
  if (scene.memory.shown === "categories") drawBands(ctx, scene, picture, place, box);
  else {
    drawCover(ctx, scene, picture, place);
    drawBlocks(ctx, scene, picture, place);
  }
  drawLive(ctx, scene, picture, place, box);
}

function drawBlocks(
  ctx: CanvasRenderingContext2D,
  scene: TimelineScene,
  { blocks, categoryCount }: MemoryPicture,
  place: PicturePlace,
): void {
  const { colours, scale } = scene;
  const shades = colours.allocations;
  const batch = new RectBatch();
  const dust = new Dust(Math.ceil(scale.width_px));
  for (let i = 0; i < blocks.x.length; i++) {
    const { x, y, w, h } = boxOfBlock(blocks, i, place);
    if (x + w < 0 || x > scale.width_px) continue;
    const [x0, x1] = [Math.max(x, -2), Math.min(x + w, scale.width_px + 2)];
    if (w < 1 || h < 1) {
      dust.add(x0, x1, y, y + h);
      continue;
    }
    const [left, top] = [Math.round(x0), Math.round(y)];
    // A pixel of room between neighbours, where there is any to give.
    const width = Math.max(Math.round(x1) - left - (x1 - x0 > 3 ? 1 : 0), 1);
    const height = Math.max(Math.round(y + h) - top - (h > 3 ? 1 : 0), 1);
    const colour = categoryCount > 1 ? colours.ofEvent(blocks.category[i]!, i % 3).fill : shades[i % shades.length]!;
    batch.add(colour, left, top, width, height);
  }
  batch.fill(ctx);
  dust.fill(ctx, colours.dust);
}

/** Where a block of a picture lies on the canvas. */
export function boxOfBlock(
  { x, y, w, h }: MemoryPicture["blocks"],
  i: number,
  { column_px, line_px, left, bottom }: PicturePlace,
): Box {
  const height = h[i]! * line_px;
  return { x: left + x[i]! * column_px, y: bottom - y[i]! * line_px - height, w: w[i]! * column_px, h: height };
}

/** Draws blocks smaller than a pixel, as opaque as they cover their cell. */
function drawCover(
  ctx: CanvasRenderingContext2D,
  scene: TimelineScene,
  { cellsWide, cellsHigh, coverage, width, height }: MemoryPicture,
  { column_px, line_px, left, bottom }: PicturePlace,
): void {
  if (coverage.length === 0) return;
  const levels = Array.from({ length: kCoverLevels + 1 }, () => new RectBatch());
  const [cellColumns, cellLines] = [width / cellsWide, height / cellsHigh];
  for (let row = 0; row < cellsHigh; row++) {
    const y1 = Math.round(bottom - row * cellLines * line_px);
    const y0 = Math.round(bottom - (row + 1) * cellLines * line_px);
    for (let cell = 0; cell < cellsWide; cell++) {
      const part = coverage[row * cellsWide + cell]!;
      if (part === 0) continue;
      const x0 = Math.round(left + cell * cellColumns * column_px);
      const x1 = Math.round(left + (cell + 1) * cellColumns * column_px);
      if (x1 < 0 || x0 > scene.scale.width_px) continue;
      levels[Math.max(Math.round((part * kCoverLevels) / 255), 1)]!.add(scene.colours.dust, x0, y0, x1 - x0, y1 - y0);
    }
  }
  fillLevels(ctx, levels);
}

function drawBands(
  ctx: CanvasRenderingContext2D,
  scene: TimelineScene,
  picture: MemoryPicture,
  { column_px, left, bottom }: PicturePlace,
  box: LaneBox,
): void {
  const { live, categoryCount, categoryBytes, width } = picture;
  const pixelsPerByte = box.contentHeight / Math.max(scene.timeline.lanes[box.lane]!.memory!.height_bytes, 1);
  const batch = new RectBatch();
  const columns = live.column.length;
  for (let i = 0; i < columns; i++) {
    const x0 = Math.round(left + live.column[i]! * column_px);
    const x1 = Math.round(left + (live.column[i + 1] ?? width) * column_px);
    if (x1 < 0 || x0 > scene.scale.width_px || x1 <= x0) continue;
    let below = 0;
    for (let band = 0; band < categoryCount; band++) {
      const y1 = Math.round(bottom - below * pixelsPerByte);
      below += categoryBytes[band * columns + i]!;
      const y0 = Math.round(bottom - below * pixelsPerByte);
      if (y1 > y0) batch.add(scene.colours.ofEvent(band, 0).fill, x0, y0, x1 - x0, y1 - y0);
    }
  }
  batch.fill(ctx);
}

function drawLive(
  ctx: CanvasRenderingContext2D,
  scene: TimelineScene,
  picture: MemoryPicture,
  { column_px, left, bottom }: PicturePlace,
  box: LaneBox,
): void {
  const pixelsPerByte = box.contentHeight / Math.max(scene.timeline.lanes[box.lane]!.memory!.height_bytes, 1);
  const yAt = (bytes: number) => Math.round(bottom - bytes * pixelsPerByte) + 0.5;
  drawLiveLine(ctx, scene, stepsOf(picture), (column) => left + column * column_px + 0.5, yAt);
}
