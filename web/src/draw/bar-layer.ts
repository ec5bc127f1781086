// Bars of a few pixels, set one pixel at a time in memory and put on the canvas all at once: tens of thousands of them cost
// a software-rendered canvas ten times as much (../shared/reference/timeline.md 2e). What is not set is seen through.
import { parseColour } from "../lib/colour";
import { packPixel } from "./pixel-layer";

/** Where bars go: here, or, where there is no canvas in memory, into a RectBatch. */
export interface Bars {
  /** In CSS pixels. */
  add(colour: string, x: number, y: number, w: number, h: number): void;
}

export class BarLayer implements Bars {
  private readonly canvas = new OffscreenCanvas(1, 1);
  private readonly context = this.canvas.getContext("2d")!;
  private image = new ImageData(1, 1);
  private pixels = new Uint32Array(this.image.data.buffer);
  private readonly packed = new Map<string, number>();
  private ratio = 1;
  private top = 0;
  private bottom = 0;

  /** Starts over, empty, for a canvas of this size. ratio: its pixels to CSS pixels. */
  begin(width_px: number, height_px: number, ratio: number): void {
    const [width, height] = [Math.max(Math.round(width_px * ratio), 1), Math.max(Math.round(height_px * ratio), 1)];
    this.ratio = ratio;
    if (this.canvas.width !== width || this.canvas.height !== height) {
      this.canvas.width = width;
      this.canvas.height = height;
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    } else this.pixels.fill(0);
    this.clip(0, height_px);
  }

  /** What is added from now on shows only between these heights. */
  clip(top_px: number, bottom_px: number): void {
    this.top = Math.max(Math.round(top_px * this.ratio), 0);
    this.bottom = Math.min(Math.round(bottom_px * this.ratio), this.canvas.height);
  }

  add(colour: string, x: number, y: number, w: number, h: number): void {
    const { pixels, ratio } = this;
    const { width } = this.canvas;
    const left = Math.max(Math.round(x * ratio), 0);
    const right = Math.min(Math.round((x + w) * ratio), width);
    const bottom = Math.min(Math.round((y + h) * ratio), this.bottom);
    const pixel = this.packedOf(colour);
    for (let line = Math.max(Math.round(y * ratio), this.top); line < bottom; line++) {
      const end = line * width + right;
      for (let at = line * width + left; at < end; at++) pixels[at] = pixel;
    }
  }

  drawOn(ctx: CanvasRenderingContext2D): void {
    this.context.putImageData(this.image, 0, 0);
    ctx.drawImage(this.canvas, 0, 0, this.canvas.width / this.ratio, this.canvas.height / this.ratio);
  }

  private packedOf(colour: string): number {
    let pixel = this.packed.get(colour);
    if (pixel === undefined)
      this.packed.set(colour, (pixel = packPixel(parseColour(colour) ?? { r: 128, g: 128, b: 128 })));
    return pixel;
  }
}
