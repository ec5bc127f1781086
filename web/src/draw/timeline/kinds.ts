// Marks over the bars that show an event's kind: an instant is a diamond on a line, an unfinished event has
// no right end, an error is underlined in red. All in CSS pixels.
import type { Span } from "../../lib/timeline/spans";
import { RectBatch } from "../rect-batch";
import type { TimelineScene } from "./scene";

/** Half a diamond's width and height. */
const kDiamond_px = 4;
const kUnderline_px = 3;
/** Slits through the right end of an unfinished event, from its end: ever farther apart. */
const kSlits_px = [2, 5, 9, 14];
const kSlit_px = 2;
const kDash_px = 4;
/** Narrower bars have no room for slits. */
const kSlitsFrom_px = 24;

/** Gathers the signs of one box's events, to be drawn over its bars. */
export class KindSigns {
  private readonly rects = new RectBatch();
  private readonly diamonds: { colour: string; x: number; y: number }[] = [];

  /** Marks one event whose bar was drawn, from y down. */
  addBarSigns({ palette }: TimelineScene, { x0, x1, kind, isError }: Span, y: number, height: number): void {
    if (isError) this.rects.add(palette.removed, x0, y + height - kUnderline_px, x1 - x0, kUnderline_px);
    if (kind !== "unfinished" || x1 - x0 < kSlitsFrom_px) return;
    for (const slit of kSlits_px) this.rects.add(palette.background, x1 - slit, y, kSlit_px, height);
  }

  /** Dashes the lower edge of a bar that says what is a guess. */
  addGuess({ palette }: TimelineScene, { x0, x1 }: Span, y: number, height: number): void {
    for (let x = x0 + kDash_px; x < x1; x += 2 * kDash_px)
      this.rects.add(palette.background, x, y + height - kUnderline_px, Math.min(kDash_px, x1 - x), kUnderline_px);
  }

  /** In rows that are tall enough. Of instants that touch each other the first has a diamond, the others a line. */
  addInstant(colour: string, { x0 }: Span, y: number, height: number): void {
    this.rects.add(colour, x0, y, 1, height);
    const last = this.diamonds[this.diamonds.length - 1];
    const middle = y + height / 2;
    if (height < 3 * kDiamond_px || (last?.y === middle && x0 - last.x < 2 * kDiamond_px)) return;
    this.diamonds.push({ colour, x: x0 + 0.5, y: middle });
  }

  draw(ctx: CanvasRenderingContext2D): void {
    this.rects.fill(ctx);
    for (const { colour, x, y } of this.diamonds) {
      ctx.fillStyle = colour;
      ctx.beginPath();
      ctx.moveTo(x, y - kDiamond_px);
      ctx.lineTo(x + kDiamond_px, y);
      ctx.lineTo(x, y + kDiamond_px);
      ctx.lineTo(x - kDiamond_px, y);
      ctx.fill();
    }
  }
}
