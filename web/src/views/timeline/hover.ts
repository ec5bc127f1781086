// The part of the timeline under the pointer.
import { barHeightOf, contentAt, kAxis_px, timeOf, yOf, type Box, type TimelineScene } from "../../draw/timeline/scene";
import { runAt } from "../../draw/timeline/runs";
import { boxOfBlock, placePicture } from "../../draw/timeline/memory";
import { valueAt, type CounterValue } from "../../lib/timeline/counter";
import { findBoxAt, rowAt, type LaneBox } from "../../lib/timeline/lanes-layout";
import type { Run } from "../../lib/timeline/runs";
import type { Span } from "../../lib/timeline/spans";
import { findBlock, liveAt } from "../../lib/timeline/memory-picture";
import type { DrawnGap } from "../../lib/timeline/idle";
import { heatOf } from "../../draw/timeline/strip";
import type { TimeRange } from "../../lib/time";

export type Hovered =
  | { kind: "span"; lane: number; row: number; span: Span; range: TimeRange; box: Box }
  | { kind: "run"; run: Run }
  | { kind: "axis" }
  /** In place of folded lanes: a track by its path, and how busy the lanes are there, 0 to 1. */
  | { kind: "strip"; path: string; lanes: number; busy: number }
  /** Beside the work of a device. */
  | { kind: "gap"; lane: number; at: number; gap: DrawnGap | null }
  | { kind: "allocation"; lane: number; allocation: number; box: Box }
  | { kind: "memory"; lane: number; live_bytes: number }
  | { kind: "counter"; lane: number; counter: number; value: CounterValue };

const kReach_px = 3;
/** Up and down, beside a rectangle of memory. */
const kMemoryReach_px = 1.5;

/** x and y in pixels of the canvas. */
export function hoverAt(scene: TimelineScene, x: number, y: number): Hovered | null {
  if (y < kAxis_px) return { kind: "axis" };
  if (y < scene.top_px) {
    const run = runAt(scene, x, y);
    return run === null ? null : { kind: "run", run };
  }
  const content = contentAt(scene, y);
  const box = findBoxAt(scene.boxes, content);
  if (box === null) return null;
  if (box.strip.length > 0) {
    const { path } = scene.timeline.lanes[box.track]!;
    return { kind: "strip", path, lanes: box.strip.length, busy: heatOf(scene, box.strip)[Math.floor(x)] ?? 0 };
  }
  if (box.kind === "heading") return null;
  if (box.kind === "memory") return hoverMemory(scene, box, x, content);
  if (box.kind === "counter") {
    const value = valueAt(scene.picture.stepsOf(box.lane, box.counter), x);
    return value === null ? null : { kind: "counter", lane: box.lane, counter: box.counter, value };
  }
  const row = rowAt(box, content);
  const span = row < 0 ? null : nearestSpan(scene.picture.spansOf(box.lane, row), x);
  if (span === null) return hoverGap(scene, box.lane, x);
  const { x0, x1 } = span;
  return {
    kind: "span",
    lane: box.lane,
    row,
    span,
    range: { from: timeOf(scene.scale, x0), to: timeOf(scene.scale, x1) },
    box: { x: x0, y: yOf(scene, box.content + row * box.pitch), w: x1 - x0, h: barHeightOf(box) },
  };
}

function hoverGap(scene: TimelineScene, lane: number, x: number): Hovered | null {
  if (scene.timeline.lanes[lane]!.work === null) return null;
  const at = timeOf(scene.scale, x);
  const gap = scene.gaps.find((each) => each.lane === lane && each.from <= at && at < each.to) ?? null;
  return { kind: "gap", lane, at, gap };
}

function hoverMemory(scene: TimelineScene, box: LaneBox, x: number, content: number): Hovered | null {
  const picture = scene.memoryOf(box.lane);
  if (picture === null) return null;
  const place = placePicture(scene, box, picture);
  const column = (x - place.left) / place.column_px;
  const line = (box.content + box.contentHeight - content) / place.line_px;
  const reach = { columns: kReach_px / place.column_px, lines: kMemoryReach_px / place.line_px };
  const block = scene.memory.shown === "blocks" ? findBlock(picture, column, line, reach) : -1;
  if (block < 0) return { kind: "memory", lane: box.lane, live_bytes: liveAt(picture, column) };
  const { x: left, y, w, h } = boxOfBlock(picture.blocks, block, place);
  return {
    kind: "allocation",
    lane: box.lane,
    allocation: picture.blocks.index[block]!,
    box: { x: left, y, w: Math.max(w, 1), h: Math.max(h, 1) },
  };
}

/** The span under x, else the nearest within reach. Spans come by time. */
function nearestSpan(spans: readonly Span[], x: number): Span | null {
  let low = 0;
  let high = spans.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (spans[middle]!.x0 <= x) low = middle + 1;
    else high = middle;
  }
  let best: Span | null = null;
  let bestGap = kReach_px;
  for (const span of spans.slice(Math.max(low - 2, 0), low + 1)) {
    const gap = Math.max(span.x0 - x, x - span.x1, 0);
    if (gap < bestGap) {
      best = span;
      bestGap = gap;
    }
  }
  return best;
}
