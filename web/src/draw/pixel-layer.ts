// A picture set pixel by pixel in memory: for thousands of tiny boxes and lines, where a canvas path costs ten times as
// much in software rendering. Lines add up to a density, so that a thick bundle is darker than a single edge.
import { mixColours, type Rgb } from "../lib/colour";

export class PixelLayer {
  readonly width: number;
  readonly height: number;
  readonly #image: ImageData;
  readonly #pixels: Uint32Array;
  readonly #density: Uint8Array;

  constructor(width: number, height: number) {
    this.width = width;
    this.height = height;
    this.#image = new ImageData(width, height);
    this.#pixels = new Uint32Array(this.#image.data.buffer);
    this.#density = new Uint8Array(width * height);
  }

  /** Starts over with nothing but lines to come. */
  clear(): void {
    this.#density.fill(0);
  }

  /** Adds a straight line to the density; parts outside of the picture are left out. */
  addLine(x0: number, y0: number, x1: number, y1: number): void {
    const clipped = clipLine(x0, y0, x1, y1, this.width - 1, this.height - 1);
    if (clipped === null) return;
    const [fromX, fromY, toX, toY] = clipped;
    const steps = Math.max(Math.abs(toX - fromX), Math.abs(toY - fromY), 1);
    const count = Math.ceil(steps);
    const dx = (toX - fromX) / count;
    const dy = (toY - fromY) / count;
    let x = fromX;
    let y = fromY;
    for (let i = 0; i <= count; i++) {
      const at = (y | 0) * this.width + (x | 0);
      if (this.#density[at]! < 255) this.#density[at]!++;
      x += dx;
      y += dy;
    }
  }

  /** Ends the lines: mixes them over the background, each one layer of the colour with that opacity. */
  mixLines(background: Rgb, line: Rgb, opacity: number): void {
    const mixed = new Uint32Array(256);
    for (let n = 0; n < 256; n++) {
      mixed[n] = packPixel(mixColours(background, line, 1 - (1 - opacity) ** n));
    }
    for (let i = 0; i < this.#density.length; i++) this.#pixels[i] = mixed[this.#density[i]!]!;
  }

  /** Fills a rectangle, at least one pixel large. The pixel is one of packPixel(). */
  fillRect(x: number, y: number, w: number, h: number, pixel: number): void {
    const left = Math.max(Math.floor(x), 0);
    const right = Math.min(Math.max(Math.round(x + w), Math.floor(x) + 1), this.width);
    const bottom = Math.min(Math.max(Math.round(y + h), Math.floor(y) + 1), this.height);
    for (let row = Math.max(Math.floor(y), 0); row < bottom; row++) {
      if (right > left) this.#pixels.fill(pixel, row * this.width + left, row * this.width + right);
    }
  }

  putOn(context: CanvasRenderingContext2D): void {
    context.putImageData(this.#image, 0, 0);
  }
}

/** A colour as one number of a picture in memory, as little-endian machines have it: all that browsers run on. */
export function packPixel({ r, g, b }: Rgb): number {
  return ((255 << 24) | (b << 16) | (g << 8) | r) >>> 0;
}

/** The part of a line inside 0..maxX, 0..maxY (Liang and Barsky's method), or null. */
export function clipLine(
  x0: number,
  y0: number,
  x1: number,
  y1: number,
  maxX: number,
  maxY: number,
): [number, number, number, number] | null {
  let from = 0;
  let to = 1;
  const dx = x1 - x0;
  const dy = y1 - y0;
  const sides = [
    [-dx, x0],
    [dx, maxX - x0],
    [-dy, y0],
    [dy, maxY - y0],
  ] as const;
  for (const [p, q] of sides) {
    if (p === 0) {
      if (q < 0) return null;
      continue;
    }
    const t = q / p;
    if (p < 0) from = Math.max(from, t);
    else to = Math.min(to, t);
  }
  return from > to ? null : [x0 + from * dx, y0 + from * dy, x0 + to * dx, y0 + to * dy];
}
