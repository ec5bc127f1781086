// Draws what an allocator had over time: the allocated bytes as bands by owner, what is reserved as a line, the ranges
// that the program named as a strip above, and the moments that are marked.
import type { NamedRange } from "../../lib/allocator";
import { samplesByColumn, type Curve } from "../../lib/allocator-curve";
import { formatBytes, formatRoundBytes, makeByteTicks } from "../../lib/bytes";
import { formatColour, mixColours, parseColour } from "../../lib/colour";
import { formatCount } from "../../lib/text";
import { makeTicks, type TimeRange } from "../../lib/time";
import type { Palette } from "../palette";
import { BarLayer } from "../timeline/bar-layer";
import type { LaneColours } from "../timeline/colours";

export const kCurveAxis_px = 22;
export const kCurveRanges_px = 18;
export const kCurveTop_px = kCurveAxis_px + kCurveRanges_px;

export interface CurveMark {
  at_ns: number;
  text: string;
  look: "peak" | "oom" | "end" | "chosen";
}

export interface CurveScene {
  range: TimeRange;
  width_px: number;
  height_px: number;
  curve: Curve;
  /** The most bytes that there is room for. */
  top_bytes: number;
  ranges: readonly NamedRange[];
  marks: readonly CurveMark[];
  /** Else a nanosecond of the axis is an entry. */
  hasTimes: boolean;
  /** The chosen owner's number, which stands out; null: none. */
  chosen: number | null;
  /** The life of the chosen allocation; null: none. */
  life: TimeRange | null;
  palette: Palette;
  colours: LaneColours;
}

export const curveX = ({ range, width_px }: CurveScene, at_ns: number): number =>
  ((at_ns - range.from) / (range.to - range.from)) * width_px;
export const curveTime = ({ range, width_px }: CurveScene, x: number): number =>
  range.from + (x / width_px) * (range.to - range.from);
const curveY = ({ height_px, top_bytes }: CurveScene, bytes: number): number =>
  height_px - (bytes / Math.max(top_bytes, 1)) * (height_px - kCurveTop_px - 6);
export const curveBytes = ({ height_px, top_bytes }: CurveScene, y: number): number =>
  ((height_px - y) / (height_px - kCurveTop_px - 6)) * top_bytes;

/** The colour of an owner: by its number, so that it stays the same at any zoom; of the others a faint one. */
export function ownerColour(id: number, colours: LaneColours, palette: Palette): string {
  return id < 0 ? palette.faint : colours.ofEvent(id, 0).narrow;
}

/** bands: kept from one drawing to the next. */
export function drawCurve(ctx: CanvasRenderingContext2D, scene: CurveScene, bands: CurveBands): void {
  bands.drawOn(ctx, scene);
  drawReserved(ctx, scene);
  drawTimeAxis(ctx, scene);
  drawRanges(ctx, scene);
  drawLife(ctx, scene);
  drawMarks(ctx, scene);
}

/** What the bands are drawn from: while these stay, so do they. */
const kBandKeys = ["range", "width_px", "height_px", "curve", "top_bytes", "chosen", "palette", "colours"] as const;
/** The opacity of an owner that is not the chosen one. */
const kDimShare = 0.3;

/**
 * The bands of the owners, set pixel by pixel: filled as paths they cost a software-rendered canvas a tenth of a second.
 * Where only marks moved they are put on again as they were.
 */
export class CurveBands {
  private readonly bars = new BarLayer();
  private drawn: CurveScene | null = null;
  private ratio = 0;

  drawOn(ctx: CanvasRenderingContext2D, scene: CurveScene): void {
    const ratio = ctx.getTransform().a;
    const { drawn } = this;
    if (drawn === null || ratio !== this.ratio || kBandKeys.some((key) => drawn[key] !== scene[key])) {
      this.drawn = scene;
      this.ratio = ratio;
      this.draw(scene);
    }
    this.bars.drawOn(ctx);
  }

  private draw(scene: CurveScene): void {
    const { palette, colours, curve, chosen, width_px, height_px, top_bytes } = scene;
    const { bars, ratio } = this;
    bars.begin(palette.background, width_px, height_px, ratio);
    for (const bytes of makeByteTicks(top_bytes, height_px - kCurveTop_px))
      bars.add(palette.raised, 0, Math.round(curveY(scene, bytes)), width_px, 1);
    const sampleOf = samplesByColumn(curve, Math.round(width_px * ratio), (at_ns) => curveX(scene, at_ns) * ratio);
    const low = new Float64Array(curve.at_ns.length);
    const dimmed = (colour: string) => {
      const [under, over] = [parseColour(palette.background), parseColour(colour)];
      return under === null || over === null ? colour : formatColour(mixColours(under, over, kDimShare));
    };
    const addBand = (id: number, bytesOf: (sample: number) => number) => {
      const own = ownerColour(id, colours, palette);
      const colour = chosen === null || chosen === id ? own : dimmed(own);
      for (let x = 0; x < sampleOf.length;) {
        const sample = sampleOf[x]!;
        const left = x;
        while (x < sampleOf.length && sampleOf[x] === sample) x++;
        const bytes = sample < 0 ? 0 : bytesOf(sample);
        if (bytes <= 0) continue;
        const top = curveY(scene, low[sample]! + bytes);
        bars.add(colour, left / ratio, top, (x - left) / ratio, curveY(scene, low[sample]!) - top);
      }
      for (let i = 0; i < low.length; i++) low[i]! += Math.max(bytesOf(i), 0);
    };
    for (const { id, bytes } of curve.owners) addBand(id, (i) => bytes[i]!);
    addBand(-1, (i) => curve.allocated[i]! - low[i]!);
  }
}

/** Where each sample begins and ends on the screen: at least a pixel, so that no peak is lost. */
function extentOf(scene: CurveScene, sample: number): [left: number, right: number] {
  const { at_ns } = scene.curve;
  const left = Math.max(curveX(scene, at_ns[sample]!), 0);
  const next = sample + 1 < at_ns.length ? curveX(scene, at_ns[sample + 1]!) : scene.width_px;
  return [left, Math.max(next, left + 1)];
}

function drawReserved(ctx: CanvasRenderingContext2D, scene: CurveScene): void {
  const { curve, palette } = scene;
  ctx.strokeStyle = palette.text;
  ctx.lineWidth = 1.5;
  ctx.beginPath();
  curve.reserved.forEach((bytes, i) => {
    const [left, right] = extentOf(scene, i);
    const y = curveY(scene, bytes);
    if (i === 0) ctx.moveTo(left, y);
    else ctx.lineTo(left, y);
    ctx.lineTo(right, y);
  });
  ctx.stroke();
}

function drawTimeAxis(ctx: CanvasRenderingContext2D, scene: CurveScene): void {
  const { palette, width_px, range, top_bytes, height_px } = scene;
  ctx.fillStyle = palette.panel;
  ctx.fillRect(0, 0, width_px, kCurveAxis_px);
  ctx.fillStyle = palette.line;
  ctx.fillRect(0, kCurveAxis_px - 1, width_px, 1);
  ctx.font = `11px ${palette.font}`;
  ctx.textBaseline = "middle";
  for (const { at, label: time } of makeTicks(range, width_px)) {
    const x = Math.round(curveX(scene, at));
    const label = scene.hasTimes ? time : `entry ${formatCount(Math.round(at))}`;
    ctx.fillStyle = palette.line;
    ctx.fillRect(x, kCurveAxis_px - 7, 1, 6);
    if (x + 4 + ctx.measureText(label).width > width_px) continue;
    ctx.fillStyle = palette.dim;
    ctx.fillText(label, x + 4, kCurveAxis_px / 2);
  }
  const ticks = makeByteTicks(top_bytes, height_px - kCurveTop_px, 40);
  drawByteLabels(ctx, palette, ticks, (bytes) => curveY(scene, bytes));
}

/** Over what is drawn there: they stay readable. */
export function drawByteLabels(
  ctx: CanvasRenderingContext2D,
  palette: Palette,
  ticks: readonly number[],
  yOf: (bytes: number) => number,
): void {
  for (const bytes of ticks) {
    const label = formatRoundBytes(bytes);
    const y = Math.round(yOf(bytes));
    ctx.globalAlpha = 0.75;
    ctx.fillStyle = palette.background;
    ctx.fillRect(2, y + 1, ctx.measureText(label).width + 6, 14);
    ctx.globalAlpha = 1;
    ctx.fillStyle = palette.dim;
    ctx.fillText(label, 5, y + 8);
  }
}

/** Innermost ranges lie over those around them; a name stands where there is room. */
function drawRanges(ctx: CanvasRenderingContext2D, scene: CurveScene): void {
  const { palette, ranges, range, width_px } = scene;
  ctx.textBaseline = "middle";
  ranges.forEach(({ name, from_ns, to_ns }) => {
    const left = Math.max(curveX(scene, from_ns), 0);
    const right = Math.min(curveX(scene, to_ns ?? range.to), width_px);
    if (right - left < 2) return;
    ctx.fillStyle = palette.raised;
    ctx.fillRect(left, kCurveAxis_px + 1, right - left, kCurveRanges_px - 3);
    ctx.strokeStyle = palette.background;
    ctx.lineWidth = 1;
    ctx.strokeRect(left + 0.5, kCurveAxis_px + 1.5, right - left - 1, kCurveRanges_px - 4);
    if (right - left < ctx.measureText(name).width + 8) return;
    ctx.fillStyle = palette.dim;
    ctx.fillText(name, left + 4, kCurveAxis_px + kCurveRanges_px / 2);
  });
}

function drawLife(ctx: CanvasRenderingContext2D, scene: CurveScene): void {
  if (scene.life === null) return;
  const left = Math.max(curveX(scene, scene.life.from), 0);
  const right = Math.min(Math.max(curveX(scene, scene.life.to), left + 2), scene.width_px);
  ctx.fillStyle = scene.palette.accent;
  ctx.fillRect(left, scene.height_px - 4, right - left, 4);
}

/** The first keeps its place where the words of two would lie over each other. */
const kInFront: readonly CurveMark["look"][] = ["peak", "oom", "end", "chosen"];

function drawMarks(ctx: CanvasRenderingContext2D, scene: CurveScene): void {
  const { palette, width_px, height_px } = scene;
  ctx.font = `11px ${palette.font}`;
  ctx.textBaseline = "top";
  const taken: TakenText[] = [];
  const inOrder = [...scene.marks].sort((a, b) => kInFront.indexOf(a.look) - kInFront.indexOf(b.look));
  for (const { at_ns, text, look } of inOrder) {
    const x = Math.min(Math.round(curveX(scene, at_ns)), width_px - 1) + 0.5;
    if (x < 0 || x > width_px) continue;
    ctx.strokeStyle = look === "chosen" ? palette.accent : look === "oom" ? palette.removed : palette.text;
    ctx.lineWidth = look === "chosen" ? 2 : 1;
    ctx.setLineDash(look === "chosen" ? [] : [3, 3]);
    ctx.beginPath();
    ctx.moveTo(x, kCurveTop_px);
    ctx.lineTo(x, height_px);
    ctx.stroke();
    ctx.setLineDash([]);
    const text_px = ctx.measureText(text).width;
    const found = text === "" ? null : placeText(x, text_px, width_px, taken);
    if (found === null) continue;
    const { left, line } = found;
    taken.push({ left: left - 6, right: left + text_px + 6, line });
    const top = kCurveTop_px + 2 + line * kMarkLine_px;
    ctx.globalAlpha = 0.85;
    ctx.fillStyle = palette.background;
    ctx.fillRect(left - 3, top, text_px + 6, kMarkLine_px);
    ctx.globalAlpha = 1;
    ctx.fillStyle = look === "oom" ? palette.removed : palette.text;
    ctx.fillText(text, left, top + 2);
  }
}

interface TakenText {
  left: number;
  right: number;
  line: number;
}

const kMarkLine_px = 15;
const kMarkLines = 3;

/** At the right of the mark or else at its left, in the first line that has room; null where none has. */
function placeText(x: number, text_px: number, width_px: number, taken: readonly TakenText[]) {
  for (let line = 0; line < kMarkLines; line++) {
    const isFree = (left: number) =>
      left >= 0 &&
      left + text_px <= width_px &&
      taken.every((other) => other.line !== line || left >= other.right || left + text_px <= other.left);
    const left = [x + 6, x - 6 - text_px].find(isFree);
    if (left !== undefined) return { left, line };
  }
  return null;
}

/** What the marks of a memory say. */
export const sayPeak = (bytes: number) => `peak ${formatBytes(bytes)}`;
