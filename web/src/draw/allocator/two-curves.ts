// Draws the allocated bytes of two memories on one axis, which begins where both have their zero.
import type { Curve } from "../../lib/allocator-curve";
import { formatBytes, makeByteTicks } from "../../lib/bytes";
import { makeTicks } from "../../lib/time";
import type { Palette } from "../palette";
import { drawByteLabels } from "./curve";

export interface CurveSide {
  curve: Curve;
  /** The time that is the axis' zero, and the first and the last that are told. */
  zero_ns: number;
  from_ns: number;
  end_ns: number;
}

export interface TwoCurves {
  width_px: number;
  height_px: number;
  before: CurveSide;
  after: CurveSide;
  palette: Palette;
}

const kAxis_px = 22;

export function drawTwoCurves(ctx: CanvasRenderingContext2D, scene: TwoCurves): void {
  const { width_px, height_px, before, after, palette } = scene;
  const sides = [before, after];
  const from = Math.min(...sides.map(({ from_ns, zero_ns }) => from_ns - zero_ns));
  const to = Math.max(...sides.map(({ end_ns, zero_ns }) => end_ns - zero_ns), from + 1);
  const top = Math.max(...sides.flatMap(({ curve }) => curve.allocated), 1);
  const x = (time_ns: number) => ((time_ns - from) / (to - from)) * width_px;
  const y = (bytes: number) => height_px - (bytes / top) * (height_px - kAxis_px - 20);
  ctx.fillStyle = palette.background;
  ctx.fillRect(0, 0, width_px, height_px);
  ctx.font = `11px ${palette.font}`;
  ctx.textBaseline = "middle";
  const byteTicks = makeByteTicks(top, height_px - kAxis_px, 34);
  ctx.fillStyle = palette.raised;
  for (const bytes of byteTicks) ctx.fillRect(0, Math.round(y(bytes)), width_px, 1);
  for (const tick of makeTicks({ from, to }, width_px)) {
    ctx.fillStyle = palette.dim;
    ctx.fillText(tick.label, x(tick.at) + 4, kAxis_px / 2);
    ctx.fillStyle = palette.line;
    ctx.fillRect(Math.round(x(tick.at)), kAxis_px - 7, 1, 6);
  }
  drawSide(ctx, before, palette.dim, x, y);
  drawSide(ctx, after, palette.accent, x, y);
  drawByteLabels(ctx, palette, byteTicks, y);
  drawLegend(ctx, scene);
}

function drawSide(
  ctx: CanvasRenderingContext2D,
  { curve, zero_ns, from_ns, end_ns }: CurveSide,
  colour: string,
  x: (ns: number) => number,
  y: (bytes: number) => number,
): void {
  const last = x(end_ns - zero_ns);
  ctx.beginPath();
  curve.at_ns.forEach((at_ns, i) => {
    // The first sample is what there was before.
    const left = x(Math.max(at_ns, from_ns) - zero_ns);
    const right = i + 1 < curve.at_ns.length ? x(curve.at_ns[i + 1]! - zero_ns) : last;
    if (i === 0) ctx.moveTo(left, y(0));
    ctx.lineTo(left, y(curve.allocated[i]!));
    ctx.lineTo(Math.max(right, left), y(curve.allocated[i]!));
  });
  ctx.lineTo(last, y(0));
  ctx.fillStyle = colour;
  ctx.globalAlpha = 0.18;
  ctx.fill();
  ctx.globalAlpha = 1;
  ctx.strokeStyle = colour;
  ctx.lineWidth = 1.5;
  ctx.stroke();
}

function drawLegend(ctx: CanvasRenderingContext2D, { before, after, palette, width_px }: TwoCurves): void {
  const most = ({ curve }: CurveSide) => formatBytes(Math.max(...curve.allocated));
  const texts = [
    [`before (A): ${most(before)}`, palette.dim],
    [`after (B): ${most(after)}`, palette.accent],
  ] as const;
  let right = width_px - 10;
  for (const [text, colour] of [...texts].reverse()) {
    const wide = ctx.measureText(text).width;
    ctx.globalAlpha = 0.85;
    ctx.fillStyle = palette.background;
    ctx.fillRect(right - wide - 20, kAxis_px + 2, wide + 24, 16);
    ctx.globalAlpha = 1;
    ctx.fillStyle = colour;
    ctx.fillRect(right - wide - 16, kAxis_px + 6, 10, 8);
    ctx.fillStyle = palette.text;
    ctx.fillText(text, right - wide, kAxis_px + 10);
    right -= wide + 34;
  }
}
