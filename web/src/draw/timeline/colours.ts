// Fills of events and allocations, one set a theme. A family's hue comes from its number, so that the first twelve are
// told apart at a glance; deeper rows are brighter. Fills leave room for text of the theme and the terminal's colours,
// tuned to be read on them; what is too narrow for text is stronger, so that it is seen.
import {
  contrastOf,
  formatColour,
  fromOklch,
  mixColours,
  parseColour,
  toOklch,
  tuneColour,
  type Rgb,
} from "../../lib/colour";
import { kWorkClasses, type WorkClass } from "../../lib/timeline/work-class";
import type { Palette } from "../palette";

export interface EventColours {
  fill: string;
  /** For bars a few pixels wide and for aggregates. */
  narrow: string;
  text: string;
  /** The terminal's 16 as text on the fill. */
  ansi: readonly string[];
}

export interface LaneColours {
  ofEvent(family: number, row: number): EventColours;
  /** Events of a class by their name's family, which a little light tells apart. */
  ofClass(work: WorkClass, family: number, row: number): EventColours;
  /** How busy lanes are, from not at all to always. */
  heat(work: WorkClass): readonly string[];
  /** Aggregates in which no family has half. */
  mixed: string;
  /** Under aggregates: what is not busy. */
  idle: string;
  allocations: readonly string[];
  /** Allocations too small for a rectangle of their own. */
  dust: string;
}

/** Lightness (0 to 1) and chroma in OKLCH. */
interface Tones {
  fill: number;
  byDepth: number;
  narrow: number;
  chroma: number;
  allocations: readonly number[];
  text: Rgb;
}

const kDark: Tones = {
  fill: 0.47,
  byDepth: 0.015,
  narrow: 0.57,
  chroma: 0.11,
  allocations: [0.44, 0.53, 0.48, 0.61, 0.5, 0.57],
  text: { r: 255, g: 255, b: 255 },
};
const kLight: Tones = {
  fill: 0.77,
  byDepth: 0.02,
  narrow: 0.64,
  chroma: 0.1,
  allocations: [0.62, 0.72, 0.66, 0.8, 0.69, 0.76],
  text: { r: 22, g: 27, b: 38 },
};

// Degrees of hue, neighbours far apart.
const kHues = [255, 155, 60, 200, 305, 25, 110, 340, 230, 180, 280, 85];
const kDeepest = 4;
/** Names of one class are of so many strengths. */
const kTints = 3;
const kTint = 0.035;
export const kHeatLevels = 10;
const kMemoryHue = 262;

export function makeLaneColours(palette: Palette): LaneColours {
  const background = parseColour(palette.background) ?? kDark.text;
  const tones = contrastOf(background, kDark.text) > contrastOf(background, kLight.text) ? kDark : kLight;
  const known = new Map<number, EventColours>();
  const ofClasses = new Map<number, EventColours>();
  const heats = new Map<WorkClass, readonly string[]>();
  const terminal = palette.ansi.map((colour) => parseColour(colour) ?? tones.text);
  return {
    ofEvent(family, row) {
      const depth = Math.min(row, kDeepest);
      const key = family * (kDeepest + 1) + depth;
      let colours = known.get(key);
      if (colours === undefined) known.set(key, (colours = makeEventColours(family, depth, tones, terminal)));
      return colours;
    },
    ofClass(work, family, row) {
      const depth = Math.min(row, kDeepest);
      const key = (kWorkClasses.indexOf(work) * kTints + (family % kTints)) * (kDeepest + 1) + depth;
      let colours = ofClasses.get(key);
      if (colours === undefined) {
        const colour = parseColour(palette.classes[work]) ?? tones.text;
        ofClasses.set(key, (colours = makeClassColours(colour, (family % kTints) - 1, depth, tones, terminal)));
      }
      return colours;
    },
    heat(work) {
      let levels = heats.get(work);
      if (levels === undefined) heats.set(work, (levels = makeHeat(palette, work)));
      return levels;
    },
    mixed: palette.faint,
    idle: palette.raised,
    allocations: tones.allocations.map((l) => formatColour(fromOklch(l, tones.chroma, radians(kMemoryHue)))),
    dust: formatColour(fromOklch(tones.narrow, tones.chroma, radians(kMemoryHue))),
  };
}

function makeEventColours(family: number, depth: number, tones: Tones, terminal: readonly Rgb[]): EventColours {
  const round = Math.floor(family / kHues.length);
  const hue = radians(kHues[family % kHues.length]! + round * 14);
  const chroma = tones.chroma * (round % 2 === 0 ? 1 : 0.65);
  const fill = fromOklch(tones.fill + depth * tones.byDepth, chroma, hue);
  return {
    fill: formatColour(fill),
    narrow: formatColour(fromOklch(tones.narrow + depth * tones.byDepth, chroma * 1.2, hue)),
    text: formatColour(tones.text),
    ansi: terminal.map((colour) => formatColour(tuneColour(colour, fill))),
  };
}

/** tint: -1 to 1. */
function makeClassColours(
  colour: Rgb,
  tint: number,
  depth: number,
  tones: Tones,
  terminal: readonly Rgb[],
): EventColours {
  const { l, c, h } = toOklch(colour);
  const more = depth * tones.byDepth + tint * kTint;
  const fill = fromOklch(tones.fill + more, c, h);
  return {
    fill: formatColour(fill),
    narrow: formatColour(fromOklch(l + more, c, h)),
    text: formatColour(tones.text),
    ansi: terminal.map((text) => formatColour(tuneColour(text, fill))),
  };
}

function makeHeat({ raised, classes }: Palette, work: WorkClass): string[] {
  const [cold, hot] = [parseColour(raised) ?? kDark.text, parseColour(classes[work]) ?? kDark.text];
  return Array.from({ length: kHeatLevels + 1 }, (_, i) => formatColour(mixColours(cold, hot, i / kHeatLevels)));
}

function radians(degrees: number): number {
  return (degrees * Math.PI) / 180;
}
