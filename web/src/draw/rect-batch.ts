// Rectangles gathered by colour and filled a colour at a time: changing the fill style for each costs more than
// filling. One that continues the last of its colour makes that one longer instead.

export class RectBatch {
  private readonly byColour = new Map<string, number[]>();

  add(colour: string, x: number, y: number, w: number, h: number): void {
    let rects = this.byColour.get(colour);
    if (rects === undefined) this.byColour.set(colour, (rects = []));
    const last = rects.length - 4;
    if (last >= 0 && rects[last + 1] === y && rects[last + 3] === h && rects[last]! + rects[last + 2]! === x) {
      rects[last + 2]! += w;
    } else {
      rects.push(x, y, w, h);
    }
  }

  fill(ctx: CanvasRenderingContext2D): void {
    for (const [colour, rects] of this.byColour) {
      ctx.fillStyle = colour;
      for (let i = 0; i < rects.length; i += 4) ctx.fillRect(rects[i]!, rects[i + 1]!, rects[i + 2]!, rects[i + 3]!);
    }
  }

  /** The same with round corners, as one path a colour. */
  fillRound(ctx: CanvasRenderingContext2D, radius_px: number): void {
    for (const [colour, rects] of this.byColour) {
      ctx.fillStyle = colour;
      ctx.beginPath();
      for (let i = 0; i < rects.length; i += 4) {
        ctx.roundRect(rects[i]!, rects[i + 1]!, rects[i + 2]!, rects[i + 3]!, radius_px);
      }
      ctx.fill();
    }
  }
}
