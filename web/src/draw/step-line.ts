// A line of level and upright pieces, a pixel thick, drawn as rectangles: stroked as one path, thousands of them cost a
// software-rendered canvas ten times as much.

export class StepLine {
  private x = NaN;
  private y = NaN;

  /** In the context's fill style. */
  constructor(private readonly ctx: CanvasRenderingContext2D) {}

  /** Level to this place, then up or down to it. The first is where it begins. */
  to(x_px: number, y_px: number): void {
    const [x, y] = [Math.floor(x_px), Math.floor(y_px)];
    if (x > this.x) this.ctx.fillRect(this.x, this.y, x - this.x, 1);
    if (y !== this.y && !Number.isNaN(this.y)) this.ctx.fillRect(x, Math.min(y, this.y), 1, Math.abs(y - this.y) + 1);
    [this.x, this.y] = [x, y];
  }
}
