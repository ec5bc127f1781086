// Labels in bars: with the terminal's colours of the name, folded as in lists, and cut to the bar by counting
// letters of a fixed width.
import { cutRunsToFit, lengthOfRuns, parseAnsi, type AnsiRun } from "../../lib/ansi";
import { shortenName } from "../../lib/kernel-name";
import type { Span } from "../../lib/timeline/spans";
import type { Timeline } from "../../lib/timeline/timeline";
import type { EventColours } from "./colours";
import { kLabelFont_px, type TimelineScene } from "./scene";

const kInset_px = 4;

interface Label {
  runs: readonly AnsiRun[];
  length: number;
}

/** Labels by string, cut into colours once. */
const labelsOf = new WeakMap<Timeline, Map<number, Label>>();

function labelOf(timeline: Timeline, string: number): Label {
  let labels = labelsOf.get(timeline);
  if (labels === undefined) labelsOf.set(timeline, (labels = new Map()));
  let label = labels.get(string);
  const text = timeline.strings[string];
  if (label === undefined && text !== undefined) {
    const runs = parseAnsi(shortenName(text));
    label = { runs, length: lengthOfRuns(runs) };
    labels.set(string, label);
  }
  return label ?? kNotThereYet;
}

const kNotThereYet: Label = { runs: [], length: 0 };

export interface LabelJob {
  label: Label;
  colours: EventColours;
  x: number;
  y: number;
  letters: number;
}

/** Where the visible part of the bar has room for it: at its left end, or the view's. */
export function makeLabel(scene: TimelineScene, span: Span, y: number): Omit<LabelJob, "colours"> | null {
  const x = Math.max(span.x0, 0) + kInset_px;
  const room_px = Math.min(span.x1, scene.scale.width_px) - x - kInset_px;
  const label = labelOf(scene.timeline, span.name);
  const letters = Math.min(Math.floor(room_px / scene.letter_px), label.length);
  // A letter and three dots say nothing.
  return letters < Math.min(label.length, 3) || label.length === 0 ? null : { label, x, y, letters };
}

export function drawLabels(ctx: CanvasRenderingContext2D, scene: TimelineScene, labels: readonly LabelJob[]): void {
  ctx.font = `${kLabelFont_px}px ${scene.palette.mono}`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  for (const { label, colours, x, y, letters } of labels) {
    let at = x;
    for (const { text, colour } of cutRunsToFit(label.runs, letters)) {
      ctx.fillStyle = colour < 0 ? colours.text : colours.ansi[colour]!;
      ctx.fillText(text, at, y);
      at += text.length * scene.letter_px;
    }
  }
}
