// Bars of a few pixels, set one pixel at a time in memory and put on the canvas all at once: filled one by one, tens of
// thousands of them cost a software-rendered canvas ten times as much. The layer covers the whole canvas and so
// replaces what was there without blending: it is drawn first, and everything else over it.
import { parseColour } from "../../lib/colour";
import { packPixel } from "../pixel-layer";

/** Where bars go. In CSS pixels. */
export interface Bars {
  /** From now on bars show only between these heights. */
  clip(top_px: number, bottom_px: number): void;
  add(colour: string, x: number, y: number, w: number, h: number): void;
  drawOn(ctx: CanvasRenderingContext2D): void;
}

export class BarLayer implements Bars {
  private image = new ImageData(1, 1);
  private pixels = new Uint32Array(this.image.data.buffer);
  private readonly packed = new Map<string, number>();
  private lastColour = "";
  private lastPixel = 0;
  private ratio = 1;
  private top = 0;
  private bottom = 0;

  /** Starts over, of one colour, for a canvas of this size. ratio: its pixels to CSS pixels. */
  begin(background: string, width_px: number, height_px: number, ratio: number): void {
    const [width, height] = [Math.max(Math.round(width_px * ratio), 1), Math.max(Math.round(height_px * ratio), 1)];
    this.ratio = ratio;
    if (this.image.width !== width || this.image.height !== height) {
      this.image = new ImageData(width, height);
      this.pixels = new Uint32Array(this.image.data.buffer);
    }
    this.pixels.fill(this.packedOf(background));
    this.clip(0, height_px);
  }

  clip(top_px: number, bottom_px: number): void {
    this.top = Math.max(Math.round(top_px * this.ratio), 0);
    this.bottom = Math.min(Math.round(bottom_px * this.ratio), this.image.height);
  }

  add(colour: string, x: number, y: number, w: number, h: number): void {
    const { pixels, ratio } = this;
    const { width } = this.image;
    const left = Math.max(Math.round(x * ratio), 0);
    const right = Math.min(Math.round((x + w) * ratio), width);
    const bottom = Math.min(Math.round((y + h) * ratio), this.bottom);
    const pixel = this.packedOf(colour);
    const top = Math.max(Math.round(y * ratio), this.top);
    if (right - left === 1) {
      for (let at = top * width + left; at < bottom * width; at += width) pixels[at] = pixel;
    } else if (right > left) {
      for (let line = top; line < bottom; line++) pixels.fill(pixel, line * width + left, line * width + right);
    }
  }

  drawOn(ctx: CanvasRenderingContext2D): void {
    ctx.putImageData(this.image, 0, 0);
  }

  private packedOf(colour: string): number {
    if (colour === this.lastColour) return this.lastPixel;
    let pixel = this.packed.get(colour);
    if (pixel === undefined)
      this.packed.set(colour, (pixel = packPixel(parseColour(colour) ?? { r: 128, g: 128, b: 128 })));
    this.lastColour = colour;
    this.lastPixel = pixel;
    return pixel;
  }
}
