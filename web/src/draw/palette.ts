// The theme's colours for canvases, read from the style sheet (styles/tokens.css) once a theme.
import { kIdleCauses, type IdleCause } from "../lib/timeline/idle-cause";
import { kWorkClasses, type WorkClass } from "../lib/timeline/work-class";
import { formatColour, parseColour, tuneColour, type Rgb } from "../lib/colour";

export interface Palette {
  background: string;
  panel: string;
  raised: string;
  line: string;
  text: string;
  dim: string;
  faint: string;
  accent: string;
  made: string;
  removed: string;
  marker: string;
  /** The terminal's 16. */
  ansi: readonly string[];
  /** Colours of classes of work and of causes of idle time. */
  classes: Readonly<Record<WorkClass, string>>;
  idle: Readonly<Record<IdleCause, string>>;
  mono: string;
  font: string;
  /** A capture's colour as text on the panel: same hue, legible. */
  tune(colour: string): string;
}

export function readPalette(root: HTMLElement): Palette {
  const style = getComputedStyle(root);
  const read = (name: string) => style.getPropertyValue(`--${name}`).trim();
  const panel = parseColour(read("panel")) ?? kBlack;
  const tuned = new Map<string, string>();
  return {
    background: read("background"),
    panel: read("panel"),
    raised: read("raised"),
    line: read("line"),
    text: read("text"),
    dim: read("dim"),
    faint: read("faint"),
    accent: read("accent"),
    made: read("made"),
    removed: read("removed"),
    marker: read("marker"),
    ansi: Array.from({ length: 16 }, (_, i) => read(`ansi-${i}`)),
    classes: record(kWorkClasses, (name) => read(`class-${name}`)),
    idle: record(kIdleCauses, (name) => read(`idle-${name}`)),
    mono: read("mono"),
    font: read("font"),
    tune(colour) {
      let result = tuned.get(colour);
      if (result === undefined) {
        const rgb = parseColour(colour);
        result = rgb === null ? read("text") : formatColour(tuneColour(rgb, panel));
        tuned.set(colour, result);
      }
      return result;
    },
  };
}

function record<K extends string>(keys: readonly K[], read: (key: K) => string): Record<K, string> {
  return Object.fromEntries(keys.map((key) => [key, read(key)])) as Record<K, string>;
}

const kBlack: Rgb = { r: 0, g: 0, b: 0 };
