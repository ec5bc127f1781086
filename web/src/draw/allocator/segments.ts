// Draws an allocator's segments as rows, their blocks to scale: what is alive by its owner's colour, what is freed but
// still in use hatched, what is free left empty.
import { kSegmentHeading_px, kSegmentRow_px, type FreePiece, type SegmentRow } from "../../lib/allocator-segments";
import { formatBytes } from "../../lib/bytes";
import type { Palette } from "../palette";
import type { LaneColours } from "../timeline/colours";
import { ownerColour } from "./curve";

/** The room at the left for a segment's address and size, and the bar of its share of the largest. */
export const kSegmentLabel_px = 178;
const kAddress_px = 62;

export interface SegmentsScene {
  rows: readonly SegmentRow[];
  width_px: number;
  height_px: number;
  scroll_px: number;
  /** The size of the largest segment. */
  largest_bytes: number;
  /** Whether all segments have one scale; else each is as wide as there is room. */
  isOneScale: boolean;
  /** How many owners have a colour of their own. */
  coloured: number;
  chosenOwner: number | null;
  chosenLife: number | null;
  /** The free piece that stands out; null: none. */
  chosenPiece: FreePiece | null;
  palette: Palette;
  colours: LaneColours;
}

/** How wide a segment's row is. */
export function segmentWidth(scene: SegmentsScene, size_bytes: number): number {
  const room_px = scene.width_px - kSegmentLabel_px - 10;
  return scene.isOneScale ? Math.max((size_bytes / scene.largest_bytes) * room_px, 2) : room_px;
}

export function drawSegments(ctx: CanvasRenderingContext2D, scene: SegmentsScene): void {
  const { palette, width_px, height_px, scroll_px } = scene;
  ctx.fillStyle = palette.background;
  ctx.fillRect(0, 0, width_px, height_px);
  ctx.textBaseline = "middle";
  for (const row of scene.rows) {
    const top = row.top - scroll_px;
    if (top + kSegmentRow_px < 0) continue;
    if (top - kSegmentHeading_px > height_px) break;
    drawRow(ctx, scene, row, top);
  }
}

function drawRow(ctx: CanvasRenderingContext2D, scene: SegmentsScene, row: SegmentRow, top: number): void {
  const { palette, largest_bytes } = scene;
  const { segment } = row;
  if (row.heading !== null) {
    ctx.font = `600 12px ${palette.font}`;
    ctx.fillStyle = palette.text;
    ctx.fillText(row.heading, 8, top - kSegmentHeading_px / 2 + 2);
  }
  ctx.font = `11px ${palette.font}`;
  ctx.fillStyle = palette.dim;
  ctx.fillText(formatBytes(segment.size_bytes), 8, top + kSegmentRow_px / 2 - 2);
  ctx.font = `11px ${palette.mono}`;
  ctx.fillText(segment.address, 8 + kAddress_px, top + kSegmentRow_px / 2 - 2);
  ctx.fillStyle = palette.faint;
  ctx.fillRect(8, top + kSegmentRow_px - 5, (segment.size_bytes / largest_bytes) * (kSegmentLabel_px - 16), 2);
  const wide = segmentWidth(scene, segment.size_bytes);
  ctx.fillStyle = palette.panel;
  ctx.fillRect(kSegmentLabel_px, top + 1, wide, kSegmentRow_px - 4);
  ctx.strokeStyle = palette.faint;
  ctx.lineWidth = 1;
  ctx.strokeRect(kSegmentLabel_px + 0.5, top + 1.5, wide - 1, kSegmentRow_px - 5);
  drawBlocks(ctx, scene, row, top, wide / segment.size_bytes);
  const { chosenPiece } = scene;
  if (chosenPiece?.row.segment !== segment) return;
  const px_per_byte = wide / segment.size_bytes;
  ctx.strokeStyle = palette.accent;
  ctx.lineWidth = 2;
  const left = kSegmentLabel_px + chosenPiece.offset * px_per_byte;
  ctx.strokeRect(left + 1, top + 2, Math.max(chosenPiece.bytes * px_per_byte - 2, 2), kSegmentRow_px - 6);
}

function drawBlocks(
  ctx: CanvasRenderingContext2D,
  scene: SegmentsScene,
  { segment }: SegmentRow,
  top: number,
  px_per_byte: number,
): void {
  const { palette, colours, coloured, chosenOwner, chosenLife } = scene;
  const tall = kSegmentRow_px - 4;
  for (let i = 0; i < segment.offset.length; i++) {
    const left = kSegmentLabel_px + segment.offset[i]! * px_per_byte;
    const wide = segment.bytes[i]! * px_per_byte;
    const life = segment.life[i]!;
    if (life < 0) continue;
    const owner = segment.owner[i]!;
    ctx.globalAlpha = chosenOwner === null || chosenOwner === owner ? 1 : 0.35;
    ctx.fillStyle = ownerColour(owner < coloured ? owner : -1, colours, palette);
    // Neighbours are told apart where there is room for it.
    ctx.fillRect(left, top + 1, Math.max(wide > 4 ? wide - 1 : wide, 0.5), tall);
    if (segment.is_pending[i] === 1) hatch(ctx, left, top + 1, wide, tall, palette.background);
    ctx.globalAlpha = 1;
    if (life !== chosenLife) continue;
    ctx.strokeStyle = palette.text;
    ctx.lineWidth = 2;
    ctx.strokeRect(left, top + 1, Math.max(wide, 2), tall);
  }
}

function hatch(ctx: CanvasRenderingContext2D, x: number, y: number, w: number, h: number, colour: string): void {
  ctx.save();
  ctx.beginPath();
  ctx.rect(x, y, w, h);
  ctx.clip();
  ctx.strokeStyle = colour;
  ctx.lineWidth = 2;
  ctx.beginPath();
  for (let at = x - h; at < x + w; at += 6) {
    ctx.moveTo(at, y + h);
    ctx.lineTo(at + h, y);
  }
  ctx.stroke();
  ctx.restore();
}
