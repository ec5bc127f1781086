// Draws the lanes: one pass over what is visible, a few fills. Nothing is measured by event.
import type { LaneBox } from "../lib/lanes-layout";
import type { Span } from "../lib/lanes-spans";
import { drawAxis, drawGrid, drawMarkers } from "./lanes-axis";
import { drawLabels, makeLabel, type LabelJob } from "./lanes-labels";
import {
  barHeightOf,
  findEdges,
  findShownBoxes,
  findShownRows,
  kLabelFont_px,
  yOf,
  type TimelineScene,
} from "./lanes-scene";
import { drawBytes, drawMemory } from "./memory";
import { drawMemoryPicture } from "./memory-picture";
import { RectBatch } from "./rect-batch";

const kLeastLabel_px = 22;
const kHit_px = 3;
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
  for (const box of findShownBoxes(scene)) drawBox(ctx, scene, box);
  ctx.restore();
  drawAxis(ctx, scene);
  drawMarkers(ctx, scene);
}

/** A box inside its own edges: those that scroll go under those that do not. */
function drawBox(ctx: CanvasRenderingContext2D, scene: TimelineScene, box: LaneBox): void {
  const { palette, scale } = scene;
  const top = yOf(scene, box.top);
  const [from, to] = findEdges(scene, box);
  const isLastStuck = box.top + box.height === scene.stuck_px;
  ctx.save();
  ctx.beginPath();
  ctx.rect(0, from, scale.width_px, to - from);
  ctx.clip();
  const memory = box.kind === "memory" ? scene.memoryOf(box.lane) : null;
  const picture = box.kind === "memory" && memory === null ? scene.memoryPictureOf(box.lane) : null;
  if (box.kind === "group") {
    ctx.fillStyle = palette.panel;
    ctx.fillRect(0, top, scale.width_px, box.height);
  } else if (box.kind === "events") drawLane(ctx, scene, box);
  else if (memory !== null) drawMemory(ctx, scene, box, memory);
  else if (picture !== null) drawMemoryPicture(ctx, scene, box, picture);
  if (box.kind === "memory") drawBytes(ctx, scene, box);
  ctx.fillStyle = isLastStuck ? palette.faint : palette.line;
  ctx.fillRect(0, Math.round(top + box.height) - 1, scale.width_px, 1);
  ctx.restore();
}

function drawLane(ctx: CanvasRenderingContext2D, scene: TimelineScene, box: LaneBox): void {
  const bars = new RectBatch();
  const roundBars = new RectBatch();
  const hits = new RectBatch();
  const labels: LabelJob[] = [];
  const height = barHeightOf(box);
  const [firstRow, endRow] = findShownRows(scene, box);
  for (let r = firstRow; r < endRow; r++) {
    const y = Math.round(yOf(scene, box.content + r * box.pitch));
    for (const { x0, x1 } of scene.picture.ticksOf(box.lane, r))
      hits.add(scene.palette.marker, x0, y - 1, x1 - x0, kHit_px);
    for (const span of scene.picture.spansOf(box.lane, r)) {
      if (span.count > 1) {
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
        const job = makeLabel(scene, span, y + height / 2 + 0.5);
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
