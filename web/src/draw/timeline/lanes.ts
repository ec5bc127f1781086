// Draws the lanes: one pass over what is visible, a few fills. Nothing is measured by event.
import type { Bars } from "./bar-layer";
import type { LaneBox } from "../../lib/timeline/lanes-layout";
import type { Span, Tick } from "../../lib/timeline/spans";
import { formatCount } from "../../lib/text";
import { classOfEvent } from "../../lib/timeline/work-class";
import type { EventColours } from "./colours";
import { drawCounter } from "./counter";
import { addGrid, drawAxis, drawMarkers } from "./axis";
import { drawLabels, makeLabel, type LabelJob } from "./labels";
import {
  barHeightOf,
  findEdges,
  findShownBoxes,
  findShownRows,
  kLabelFont_px,
  xOf,
  yOf,
  type TimelineScene,
} from "./scene";
import { addStrip } from "./strip";
import { KindSigns } from "./kinds";
import { drawMemory } from "./memory";
import { drawMemoryAxis } from "./memory-axis";
import { RectBatch } from "../rect-batch";
import { drawRuns } from "./runs";

const kLeastLabel_px = 22;
const kHit_px = 3;
const kNumberFont_px = 9;
/** Between a number and the next tick. */
const kNumberRoom_px = 6;
/** Bars at least this wide have round corners and stand a pixel apart. */
const kRoundFrom_px = 8;
/** Bars no wider than this are in the stronger colour. */
const kNarrow_px = 3;
const kGap_px = 3;
/** Busier than this, an aggregate is as tall as a bar. */
const kFullFrom = 0.98;

/** The layer is empty, of the background's colour. */
export function drawTimeline(ctx: CanvasRenderingContext2D, scene: TimelineScene, layer: Bars): void {
  const { scale, height_px } = scene;
  const shown = findShownBoxes(scene);
  addGrid(layer, scene);
  const inks = shown.map((box) => addBox(layer, scene, box));
  layer.drawOn(ctx);
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, scene.top_px, scale.width_px, height_px - scene.top_px);
  ctx.clip();
  shown.forEach((box, i) => clipTo(ctx, scene, box, () => drawOver(ctx, scene, box, inks[i]!)));
  ctx.restore();
  drawAxis(ctx, scene);
  drawRuns(ctx, scene);
  drawMarkers(ctx, scene);
}

/** Draws inside a box's own edges: those that scroll go under those that do not. */
function clipTo(ctx: CanvasRenderingContext2D, scene: TimelineScene, box: LaneBox, draw: () => void): void {
  const [from, to] = findEdges(scene, box);
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, from, scene.scale.width_px, to - from);
  ctx.clip();
  draw();
  ctx.restore();
}

/** Marks that lie over a lane's narrow bars. */
interface Ink {
  roundBars: RectBatch;
  signs: KindSigns;
  hits: RectBatch;
  numbers: TickNumber[];
  labels: LabelJob[];
}

/** How many events a tick stands for. */
interface TickNumber {
  text: string;
  x: number;
  y: number;
}

/** Adds a box's narrow bars and its edge; returns what lies over them. */
function addBox(layer: Bars, scene: TimelineScene, box: LaneBox): Ink {
  const ink: Ink = {
    roundBars: new RectBatch(),
    signs: new KindSigns(),
    hits: new RectBatch(),
    numbers: [],
    labels: [],
  };
  const { palette, scale, stuck_px } = scene;
  layer.clip(...findEdges(scene, box));
  if (box.kind === "heading") layer.add(palette.panel, 0, yOf(scene, box.top), scale.width_px, box.height);
  if (box.strip.length > 0) addStrip(layer, scene, box);
  else if (box.kind === "events") addLane(layer, ink, scene, box);
  const edge = box.top + box.height === stuck_px ? palette.faint : palette.line;
  layer.add(edge, 0, Math.round(yOf(scene, box.top) + box.height) - 1, scale.width_px, 1);
  return ink;
}

function drawMemoryBox(ctx: CanvasRenderingContext2D, scene: TimelineScene, box: LaneBox): void {
  const picture = scene.memoryOf(box.lane);
  if (picture !== null) drawMemory(ctx, scene, box, picture);
  drawMemoryAxis(ctx, scene, box);
}

/** Draws the marks over the layer. */
function drawOver(ctx: CanvasRenderingContext2D, scene: TimelineScene, box: LaneBox, ink: Ink): void {
  const { roundBars, signs, hits, numbers, labels } = ink;
  if (box.kind === "counter") drawCounter(ctx, scene, box);
  else if (box.kind === "memory") drawMemoryBox(ctx, scene, box);
  roundBars.fillRound(ctx, 2);
  signs.draw(ctx);
  hits.fill(ctx);
  drawLabels(ctx, scene, labels);
  drawNumbers(ctx, scene, numbers);
}

/** Ticks, and where there is room beside one how many events it stands for. */
function addTicks(
  hits: RectBatch,
  numbers: TickNumber[],
  ticks: readonly Tick[],
  scene: TimelineScene,
  y: number,
): void {
  ticks.forEach(({ x0, x1, count }, i) => {
    hits.add(scene.palette.marker, x0, y - 1, x1 - x0, kHit_px);
    const room_px = (ticks[i + 1]?.x0 ?? Infinity) - x1;
    const text = formatCount(count);
    if (count > 1 && room_px > kNumberRoom_px + text.length * scene.letter_px) numbers.push({ text, x: x1 + 2, y });
  });
}

function drawNumbers(
  ctx: CanvasRenderingContext2D,
  { palette, letter_px }: TimelineScene,
  numbers: readonly TickNumber[],
): void {
  ctx.font = `${kNumberFont_px}px ${palette.mono}`;
  ctx.textBaseline = "top";
  ctx.textAlign = "left";
  for (const { text, x, y } of numbers) {
    ctx.fillStyle = palette.background;
    ctx.fillRect(x - 1, y - 1, (text.length * letter_px * kNumberFont_px) / kLabelFont_px + 2, kNumberFont_px);
    ctx.fillStyle = palette.marker;
    ctx.fillText(text, x, y - 1);
  }
}

function addLane(bars: Bars, ink: Ink, scene: TimelineScene, box: LaneBox): void {
  const { hits, numbers } = ink;
  addGaps(bars, scene, box);
  const height = barHeightOf(box);
  const [firstRow, endRow] = findShownRows(scene, box);
  for (let r = firstRow; r < endRow; r++) {
    const y = Math.round(yOf(scene, box.content + r * box.pitch));
    addTicks(hits, numbers, scene.picture.ticksOf(box.lane, r), scene, y);
    const spans = scene.picture.spansOf(box.lane, r);
    addIdle(bars, scene.colours.idle, spans, y, height);
    for (const span of spans) {
      if (span.count > 1) addAggregate(bars, scene, box.lane, span, r, y, height);
      else addEvent(bars, ink, scene, box.lane, span, r, y, height);
    }
  }
}

function addEvent(
  bars: Bars,
  ink: Ink,
  scene: TimelineScene,
  lane: number,
  span: Span,
  row: number,
  y: number,
  height: number,
): void {
  const { palette } = scene;
  const colours = coloursOf(scene, lane, span, row) ?? scene.colours.ofEvent(span.hue, row);
  const width = span.x1 - span.x0;
  const narrow = span.isError ? palette.removed : colours.narrow;
  if (span.kind === "instant") return ink.signs.addInstant(narrow, span, y, height);
  if (width >= kRoundFrom_px) ink.roundBars.add(colours.fill, span.x0, y, width - 1, height);
  else bars.add(width <= kNarrow_px ? narrow : colours.fill, span.x0, y, width > 2 ? width - 1 : width, height);
  if (width > kNarrow_px) ink.signs.addBarSigns(scene, span, y, height);
  if (isGuess(scene, lane, span)) ink.signs.addGuess(scene, span, y, height);
  if (width >= kLeastLabel_px && height > kLabelFont_px) {
    const job = makeLabel(scene, span, y + height / 2 + 0.5);
    if (job !== null) ink.labels.push({ ...job, colours });
  }
}

/** The server names a span of replays so if all that it is of is guessed. */
function isGuess({ timeline }: TimelineScene, lane: number, { name }: Span): boolean {
  return timeline.lanes[lane]!.isOfReplays === true && timeline.plain[name]?.startsWith("about ") === true;
}

/** Null where several names are drawn as one, and no colour stands for them. */
function coloursOf(scene: TimelineScene, lane: number, { hue, name }: Span, row: number): EventColours | null {
  if (scene.colourBy === "name" || scene.timeline.lanes[lane]!.isOfReplays === true)
    return hue < 0 ? null : scene.colours.ofEvent(hue, row);
  const work = classOfEvent(scene.timeline, lane, hue < 0 ? -1 : name);
  return work === null ? null : scene.colours.ofClass(work, hue < 0 ? 1 : hue, row);
}

/** A line under the row in which a device's next work begins, in the colour of what it waited for. */
function addGaps(bars: Bars, scene: TimelineScene, box: LaneBox): void {
  if (scene.colourBy !== "class" || box.isFolded) return;
  const y = Math.round(yOf(scene, box.content)) + box.contentHeight;
  for (const { lane, from, to, cause } of scene.gaps) {
    if (lane !== box.lane) continue;
    const x0 = Math.max(Math.round(xOf(scene.scale, from)), 0);
    const x1 = Math.min(Math.round(xOf(scene.scale, to)), scene.scale.width_px);
    if (x1 > x0) bars.add(scene.palette.idle[cause], x0, y, x1 - x0, kGap_px);
  }
}

/** Under aggregates, what is not busy: those that touch have one ground. */
function addIdle(bars: Bars, colour: string, spans: readonly Span[], y: number, height: number): void {
  let [from, to] = [0, 0];
  for (const { count, x0, x1 } of spans) {
    if (count === 1) continue;
    if (x0 > to) {
      if (to > from) bars.add(colour, from, y, to - from, height);
      from = x0;
    }
    to = x1;
  }
  if (to > from) bars.add(colour, from, y, to - from, height);
}

function addAggregate(
  bars: Bars,
  scene: TimelineScene,
  lane: number,
  span: Span,
  row: number,
  y: number,
  height: number,
): void {
  const fill = coloursOf(scene, lane, span, row)?.narrow ?? scene.colours.mixed;
  const tall = span.busy > kFullFrom ? height : Math.min(Math.max(Math.round(span.busy * height), 1), height - 1);
  bars.add(fill, span.x0, y + height - tall, span.x1 - span.x0, tall);
}
