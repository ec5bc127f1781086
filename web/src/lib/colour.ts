// Colours of a capture, made fit for a theme: same hue, lightness and strength such that text in it can be read.
// Mixed in OKLCH (Björn Ottosson, https://bottosson.github.io/posts/oklab), where equal differences look equal.

export interface Rgb {
  r: number;
  g: number;
  b: number;
}

/** "#rgb" or "#rrggbb"; null for anything else. */
export function parseColour(text: string): Rgb | null {
  const short = /^#([0-9a-f])([0-9a-f])([0-9a-f])$/i.exec(text.trim());
  const hex =
    short === null
      ? text.trim()
      : `#${short
          .slice(1)
          .map((d) => d + d)
          .join("")}`;
  const match = /^#([0-9a-f]{6})$/i.exec(hex);
  if (match === null) return null;
  const n = parseInt(match[1]!, 16);
  return { r: n >> 16, g: (n >> 8) & 255, b: n & 255 };
}

export function formatColour({ r, g, b }: Rgb): string {
  return `#${((1 << 24) | (r << 16) | (g << 8) | b).toString(16).slice(1)}`;
}

/** One colour over another, share of it opaque. */
export function mixColours(under: Rgb, over: Rgb, share: number): Rgb {
  const mix = (a: number, b: number) => Math.round(a + (b - a) * share);
  return { r: mix(under.r, over.r), g: mix(under.g, over.g), b: mix(under.b, over.b) };
}

/** Contrast of two colours by WCAG 2: 1 to 21. */
export function contrastOf(a: Rgb, b: Rgb): number {
  const [x, y] = [luminanceOf(a), luminanceOf(b)];
  return (Math.max(x, y) + 0.05) / (Math.min(x, y) + 0.05);
}

function luminanceOf({ r, g, b }: Rgb): number {
  return 0.2126 * toLinear(r) + 0.7152 * toLinear(g) + 0.0722 * toLinear(b);
}

const kGreyChroma = 0.015;
const kMinChroma = 0.11;
const kMaxChroma = 0.17;

/** The colour for text on that background: of the same hue, with at least that contrast. Greys stay greys. */
export function tuneColour(colour: Rgb, background: Rgb, minContrast = 4.5): Rgb {
  const { l, c, h } = toOklch(colour);
  const onDark = luminanceOf(background) < 0.2;
  const chroma = c < kGreyChroma ? 0 : Math.min(Math.max(c, kMinChroma), kMaxChroma);
  const change = onDark ? 0.02 : -0.02;
  let lightness = onDark ? Math.min(Math.max(l, 0.68), 0.84) : Math.min(Math.max(l - 0.3, 0.45), 0.58);
  for (;;) {
    const tuned = fromOklch(lightness, chroma, h);
    if (contrastOf(tuned, background) >= minContrast || lightness <= 0 || lightness >= 1) return tuned;
    lightness += change;
  }
}

function toLinear(byte: number): number {
  const c = byte / 255;
  return c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4;
}

function toByte(linear: number): number {
  const c = linear <= 0.0031308 ? 12.92 * linear : 1.055 * linear ** (1 / 2.4) - 0.055;
  return Math.round(Math.min(Math.max(c, 0), 1) * 255);
}

/** h in radians. */
export function toOklch(colour: Rgb): { l: number; c: number; h: number } {
  const [r, g, b] = [toLinear(colour.r), toLinear(colour.g), toLinear(colour.b)];
  const long = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const medium = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const short = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  const l = 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short;
  const a = 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short;
  const bb = 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short;
  return { l, c: Math.hypot(a, bb), h: Math.atan2(bb, a) };
}

/** h in radians. Chroma is lowered until the colour is one that a screen has. */
export function fromOklch(l: number, chroma: number, h: number): Rgb {
  for (let c = chroma; ; c -= 0.01) {
    const rgb = fromOklab(l, c * Math.cos(h), c * Math.sin(h));
    if (c <= 0 || rgb.every((v) => v >= -0.002 && v <= 1.002)) {
      return { r: toByte(rgb[0]), g: toByte(rgb[1]), b: toByte(rgb[2]) };
    }
  }
}

function fromOklab(l: number, a: number, b: number): [number, number, number] {
  const long = (l + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const medium = (l - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const short = (l - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ];
}
