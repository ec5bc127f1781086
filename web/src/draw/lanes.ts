// Draws the lanes, the axis and the markers: one pass over what is visible, a few fills. Nothing is measured by event;
// labels are cut by counting letters of a fixed width.
import { parseAnsi, type AnsiRun } from "../lib/ansi";
import type { Lane, Profile, Row } from "../lib/lanes";
import { findBoxes, type LaneBox } from "../lib/lanes-layout";
import { takeSpans, type Span } from "../lib/lanes-spans";
import { makeTicks } from "../lib/time";
import type { EventColours } from "./lanes-colours";
import { barHeightOf, kAxis_px, kLabelFont_px, xOf, yOf, type TimelineScene } from "./lanes-scene";
import { drawMemory } from "./memory";
import { RectBatch } from "./rect-batch";

const kLeastLabel_px = 22;
const kHit_px = 3;
const kLabelInset_px = 4;
/** Bars at least this wide have round corners and stand a pixel apart. */
const kRoundFrom_px = 8;
/** Bars no wider than this are in the stronger colour. */
const kNarrow_px = 3;
/** Busier than this, an aggregate is as tall as a bar. */
const kFullFrom = 0.98;

export function drawTimeline(ctx: CanvasRenderingContext2D, scene: TimelineScene): void {
  const { palette, scale, height_px } = scene;
  ctx.fillStyle = palette.background;
  ctx.fillRect(0, 0, scale.width_px, height_px);
  drawGrid(ctx, scene);
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, scene.top_px, scale.width_px, height_px - scene.top_px);
  ctx.clip();
  const [from, to] = findBoxes(scene.boxes, scene.scroll_px, scene.scroll_px + height_px - scene.top_px);
  for (const box of scene.boxes.slice(from, to)) {
    ctx.fillStyle = palette.line;
    ctx.fillRect(0, Math.round(yOf(scene, box.top + box.height)) - 1, scale.width_px, 1);
    const lane = scene.profile.lanes[box.lane]!;
    if (box.kind === "events") drawLane(ctx, scene, box, lane);
    else if (lane.memory !== null) drawMemory(ctx, scene, box, lane.memory);
  }
  ctx.restore();
  drawAxis(ctx, scene);
  drawMarkers(ctx, scene);
}

function drawGrid(ctx: CanvasRenderingContext2D, scene: TimelineScene): void {
  ctx.fillStyle = scene.palette.raised;
  for (const tick of makeTicks(scene.scale.range, scene.scale.width_px)) {
    ctx.fillRect(Math.round(xOf(scene.scale, tick.at)), scene.top_px, 1, scene.height_px);
  }
}

function drawAxis(ctx: CanvasRenderingContext2D, scene: TimelineScene): void {
  const { palette, scale } = scene;
  ctx.fillStyle = palette.panel;
  ctx.fillRect(0, 0, scale.width_px, scene.top_px);
  ctx.fillStyle = palette.line;
  ctx.fillRect(0, scene.top_px - 1, scale.width_px, 1);
  ctx.font = `11px ${palette.font}`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  for (const tick of makeTicks(scale.range, scale.width_px)) {
    const x = Math.round(xOf(scale, tick.at));
    ctx.fillStyle = palette.line;
    ctx.fillRect(x, kAxis_px - 7, 1, 6);
    if (x + 4 + tick.label.length * scene.letter_px > scale.width_px) continue; // it would be cut
    ctx.fillStyle = palette.dim;
    ctx.fillText(tick.label, x + 4, kAxis_px / 2);
  }
}

interface Label {
  runs: readonly AnsiRun[];
  length: number;
}

/** Labels by string, cut into colours once. */
const labelsOf = new WeakMap<Profile, Map<number, Label>>();

function labelOf(profile: Profile, string: number): Label {
  let labels = labelsOf.get(profile);
  if (labels === undefined) labelsOf.set(profile, (labels = new Map()));
  let label = labels.get(string);
  if (label === undefined) {
    label = { runs: parseAnsi(profile.strings[string] ?? ""), length: (profile.plain[string] ?? "").length };
    labels.set(string, label);
  }
  return label;
}

interface LabelJob {
  label: Label;
  colours: EventColours;
  x: number;
  y: number;
  letters: number;
}

function drawLane(ctx: CanvasRenderingContext2D, scene: TimelineScene, box: LaneBox, lane: Lane): void {
  const bars = new RectBatch();
  const roundBars = new RectBatch();
  const hits = new RectBatch();
  const labels: LabelJob[] = [];
  const height = barHeightOf(box);
  const firstRow = Math.max(Math.floor((scene.top_px - yOf(scene, box.content)) / box.pitch), 0);
  const lastRow = Math.min(Math.ceil((scene.height_px - yOf(scene, box.content)) / box.pitch), lane.rows.length);
  for (let r = firstRow; r < lastRow; r++) {
    const row = lane.rows[r]!;
    const y = Math.round(yOf(scene, box.content + r * box.pitch));
    for (const span of takeSpans(lane, row, scene.scale)) {
      addHit(hits, scene, lane, row, span, y);
      if (span.end - span.first > 1) {
        addAggregate(bars, scene, span, r, y, height);
        continue;
      }
      const colours = scene.colours.ofEvent(span.family, r);
      const width = span.x1 - span.x0;
      if (width >= kRoundFrom_px) roundBars.add(colours.fill, span.x0, y, width - 1, height);
      else
        bars.add(
          width <= kNarrow_px ? colours.narrow : colours.fill,
          span.x0,
          y,
          width > 2 ? width - 1 : width,
          height,
        );
      if (width >= kLeastLabel_px && height > kLabelFont_px) {
        const job = makeLabel(scene, lane, row, span, y + height / 2 + 0.5);
        if (job !== null) labels.push({ ...job, colours });
      }
    }
  }
  bars.fill(ctx);
  roundBars.fillRound(ctx, 2);
  hits.fill(ctx);
  drawLabels(ctx, scene, labels);
}

function addAggregate(
  batch: RectBatch,
  scene: TimelineScene,
  span: Span,
  row: number,
  y: number,
  height: number,
): void {
  const { colours } = scene;
  const fill = span.family < 0 ? colours.mixed : colours.ofEvent(span.family, row).narrow;
  const tall = span.busy > kFullFrom ? height : Math.min(Math.max(Math.round(span.busy * height), 1), height - 1);
  batch.add(colours.idle, span.x0, y, span.x1 - span.x0, height);
  batch.add(fill, span.x0, y + height - tall, span.x1 - span.x0, tall);
}

/** Where the visible part of the bar has room for it: at its left end, or the view's. */
function makeLabel(
  scene: TimelineScene,
  lane: Lane,
  row: Row,
  span: Span,
  y: number,
): Omit<LabelJob, "colours"> | null {
  const x = Math.max(span.x0, 0) + kLabelInset_px;
  const room_px = Math.min(span.x1, scene.scale.width_px) - x - kLabelInset_px;
  const label = labelOf(scene.profile, lane.label[row.event[span.first]!]!);
  const letters = Math.min(Math.floor(room_px / scene.letter_px), label.length);
  // A letter and three dots say nothing.
  return letters < Math.min(label.length, 3) || label.length === 0 ? null : { label, x, y, letters };
}

function drawLabels(ctx: CanvasRenderingContext2D, scene: TimelineScene, labels: readonly LabelJob[]): void {
  ctx.font = `${kLabelFont_px}px ${scene.palette.mono}`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  for (const { label, colours, x, y, letters } of labels) {
    let left = letters < label.length ? letters - 1 : letters;
    let at = x;
    for (const run of label.runs) {
      if (left <= 0) break;
      const text = run.text.length > left ? run.text.slice(0, left) : run.text;
      ctx.fillStyle = run.colour < 0 ? colours.text : colours.ansi[run.colour]!;
      ctx.fillText(text, at, y);
      at += text.length * scene.letter_px;
      left -= text.length;
    }
    if (letters < label.length) {
      ctx.fillStyle = colours.text;
      ctx.fillText("…", at, y);
    }
  }
}

/** A strip over what the search finds, whatever the zoom; an aggregate has it where any of its events is a hit. */
function addHit(batch: RectBatch, scene: TimelineScene, lane: Lane, row: Row, span: Span, y: number): void {
  const { found } = scene;
  for (let i = span.first; found !== null && i < span.end; i++) {
    if (found[lane.label[row.event[i]!]!] === 0) continue;
    batch.add(scene.palette.marker, span.x0, y - 1, Math.max(span.x1 - span.x0, 2), kHit_px);
    return;
  }
}

/** Dashed lines through the lanes with their names above; a name that would lie on the last one is left out. */
function drawMarkers(ctx: CanvasRenderingContext2D, scene: TimelineScene): void {
  ctx.save();
  ctx.font = `${kLabelFont_px}px ${scene.palette.mono}`;
  ctx.textBaseline = "middle";
  ctx.lineWidth = 1;
  let named = -Infinity;
  for (const marker of scene.profile.markers) {
    const x = Math.round(xOf(scene.scale, marker.at)) + 0.5;
    if (x < -1 || x > scene.scale.width_px) continue;
    const colour = readableColour(ctx, scene, marker.colour);
    ctx.strokeStyle = colour;
    ctx.setLineDash([3, 3]);
    ctx.beginPath();
    ctx.moveTo(x, kAxis_px);
    ctx.lineTo(x, scene.height_px);
    ctx.stroke();
    if (x < named) continue;
    ctx.fillStyle = colour;
    ctx.fillText(marker.name, x + 4, (kAxis_px + scene.top_px) / 2 - 1);
    named = x + marker.name.length * scene.letter_px + 10;
  }
  ctx.restore();
}

/** A colour as a capture has it (any that CSS knows), such that it can be read in this theme. */
function readableColour(ctx: CanvasRenderingContext2D, scene: TimelineScene, colour: string): string {
  ctx.fillStyle = scene.palette.marker; // stays where the colour is none
  ctx.fillStyle = colour;
  return scene.palette.tune(String(ctx.fillStyle));
}
