// The strip under the graph: the pass at a glance. What each match made stands above the line, what it removed hangs
// below, along the top run the rules, the playhead over all; matches that have not arrived yet are an empty line.
import { binRules, binStrip, positionOf, rankRules } from "../../lib/graph/strip-bins";
import type { PassModel } from "../../lib/graph/pass-model";
import type { Palette } from "../palette";

export interface StripFrame {
  model: PassModel;
  state: number;
  /** In CSS pixels. */
  width: number;
  height: number;
  palette: Palette;
  ratio: number;
  /** States at which something happens to the selected node. */
  touching: readonly number[];
  /** Matches that raised, or whose replay did. */
  errors: Iterable<number>;
  /** The state compared with; null for none of this pass. */
  mark: number | null;
}

const kTick_px = 3;
const kRuleBand_px = 3;
/** The terminal's colours that the most frequent rules get: none of made, removed and marker. */
const kRuleColours = [4, 5, 6, 12, 13, 14] as const;

export function drawStrip(context: CanvasRenderingContext2D, frame: StripFrame): void {
  const { model, state, width, height, palette, ratio } = frame;
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.fillStyle = palette.panel;
  context.fillRect(0, 0, width, height);
  const matches = model.stateCount - 1;
  if (matches <= 0) return;

  const middle = Math.round((height + kRuleBand_px) / 2);
  const bar_px = matches * 4 <= width ? 3 : 1;
  const columns = bar_px === 1 ? Math.floor(width) : matches;
  const bins = binStrip(model.made, model.removed, columns);
  const room = height - middle - kTick_px - 2;
  // A square root: a match that makes 250 nodes must not flatten those that make two.
  const tall = (n: number) => (n === 0 ? 0 : Math.max(room * Math.sqrt(n / bins.most), 1.5));
  const pitch = width / columns;
  const bar = (values: Float32Array, colour: string, up: boolean) => {
    context.fillStyle = colour;
    values.forEach((n, column) => {
      const h = tall(n);
      const x = bar_px === 1 ? column : (column + 0.5) * pitch - bar_px / 2;
      if (h > 0) context.fillRect(x, up ? middle - h : middle + 1, Math.min(bar_px, Math.max(pitch, 1)), h);
    });
  };
  context.fillStyle = palette.line;
  context.fillRect(0, middle, width, 1);
  context.fillStyle = palette.faint;
  context.fillRect(0, middle, width * positionOf(model.knownStates - 1, model.stateCount), 1);
  bar(bins.made, palette.made, true);
  bar(bins.removed, palette.removed, false);

  drawRules(context, frame, columns);
  context.fillStyle = palette.removed;
  for (const failed of frame.errors) {
    const at = xOf(failed, frame);
    context.fillRect(at - 1, 2, 2, height - 4);
    context.fillRect(at - 4, height - 6, 8, 6); // under the playhead, which stands there when one has come to it
  }
  context.fillStyle = palette.marker;
  for (const touched of frame.touching) {
    if (touched > 0) context.fillRect(xOf(touched, frame) - 1, height - kTick_px, 2, kTick_px);
  }
  if (frame.mark !== null) {
    const from = xOf(Math.min(frame.mark, matches), frame);
    context.globalAlpha = 0.15;
    context.fillRect(Math.min(from, xOf(state, frame)), 0, Math.abs(xOf(state, frame) - from), height);
    context.globalAlpha = 1;
    context.fillRect(from - 1, 2, 2, height - 2);
    context.fillRect(from - 1, 2, 8, 6);
  }
  const x = xOf(state, frame);
  context.fillStyle = palette.accent;
  context.fillRect(x - 1, 4, 2, height - 4);
  context.beginPath();
  context.arc(x, 4, 4, 0, 2 * Math.PI);
  context.fill();
}

/** Along the top: which rule most of a column's matches are by. The six most frequent have a colour each. */
function drawRules(context: CanvasRenderingContext2D, { model, width, palette }: StripFrame, columns: number): void {
  const rules = model.rule.view();
  const ranks = new Map(rankRules(rules).map((rule, rank) => [rule, rank]));
  const bins = binRules(rules, model.stateCount - 1, columns);
  const pitch = width / columns;
  for (let column = 0; column < columns; column++) {
    if (bins[column]! < 0) continue;
    const colour = kRuleColours[ranks.get(bins[column]!)!];
    context.fillStyle = colour === undefined ? palette.faint : palette.ansi[colour]!;
    context.fillRect(column * pitch, 0, Math.max(pitch - (pitch > 3 ? 1 : 0), 1), kRuleBand_px);
  }
}

/** Playheads stand at the end of their match's bar. */
function xOf(state: number, { model, width }: StripFrame): number {
  return Math.min(Math.max(positionOf(state, model.stateCount) * width, 4), width - 4);
}
