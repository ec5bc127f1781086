// Rectangles smaller than a pixel: each pixel is as opaque as the part of it that they cover. Sums of where they begin
// and end, a row of pixels each, so that one costs the same however long it is.
import { RectBatch } from "../rect-batch";

const kLevels = 8;

export class Dust {
  private readonly rows = new Map<number, Float32Array>();

  constructor(private readonly width_px: number) {}

  add(x0: number, x1: number, y0: number, y1: number): void {
    const y = Math.floor(y0);
    let row = this.rows.get(y);
    if (row === undefined) this.rows.set(y, (row = new Float32Array(this.width_px + 2)));
    const from = Math.min(Math.max(Math.floor(x0), 0), this.width_px);
    const to = Math.min(Math.max(Math.ceil(x1), from + 1), this.width_px + 1);
    const share = Math.max(Math.min(y1 - y0, 1) * Math.min((x1 - x0) / (to - from), 1), 1 / kLevels);
    row[from]! += share;
    row[to]! -= share;
  }

  fill(ctx: CanvasRenderingContext2D, colour: string): void {
    const levels = Array.from({ length: kLevels + 1 }, () => new RectBatch());
    for (const [y, row] of this.rows) {
      let covered = 0;
      for (let x = 0; x < this.width_px; x++) {
        covered += row[x]!;
        const level = Math.min(Math.round(covered * kLevels), kLevels);
        if (level > 0) levels[level]!.add(colour, x, y, 1, 1);
      }
    }
    fillLevels(ctx, levels);
  }
}

/** Batches by how much of their pixels they cover; the least that can be seen stands for anything there at all. */
export function fillLevels(ctx: CanvasRenderingContext2D, levels: readonly RectBatch[]): void {
  ctx.save();
  levels.forEach((batch, level) => {
    ctx.globalAlpha = Math.max(level / (levels.length - 1), 0.2);
    batch.fill(ctx);
  });
  ctx.restore();
}
