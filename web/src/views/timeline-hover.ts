// What of the timeline lies under the pointer.
import { byteAtY, contentAt, memoryAxisOf, type TimelineScene } from "../draw/lanes-scene";
import type { EventRef } from "../lib/lanes";
import type { AllocationRef } from "../lib/lanes-find";
import { findBoxAt, rowAt } from "../lib/lanes-layout";
import { describeAggregate, type Aggregate, type Span } from "../lib/lanes-spans";
import { findAllocationAt } from "../lib/memory";

export type Hovered =
  | { kind: "event"; ref: EventRef }
  | { kind: "aggregate"; lane: number; about: Aggregate }
  | { kind: "allocation"; ref: AllocationRef }
  | { kind: "memory"; lane: number; at_ns: number };

const kReach_px = 3;

/** x and y in pixels of the canvas. */
export function hoverAt(scene: TimelineScene, x: number, y: number): Hovered | null {
  if (y < scene.top_px) return null;
  const content = contentAt(scene, y);
  const box = findBoxAt(scene.boxes, content);
  if (box === null || box.kind === "group") return null;
  const lane = scene.profile.lanes[box.lane]!;
  if (box.kind === "memory") {
    const memory = lane.memory!;
    const axis = memoryAxisOf(scene, memory);
    const at = axis.timeOf(x);
    if (scene.memory.shown === "categories") return { kind: "memory", lane: box.lane, at_ns: at };
    const byte = byteAtY(box, content, memory.height_bytes);
    const reach = scene.memory.order === "time" ? axis.timeOf(x + kReach_px) - at : 0;
    const allocation = findAllocationAt(memory, at, byte, reach, (memory.height_bytes / box.contentHeight) * 1.5);
    if (allocation >= 0) return { kind: "allocation", ref: { lane: box.lane, allocation } };
    return { kind: "memory", lane: box.lane, at_ns: at };
  }
  const row = lane.rows[rowAt(box, content)];
  if (row === undefined) return null;
  const span = nearestSpan(scene.spansOf(box.lane, rowAt(box, content)), x);
  if (span === null) return null;
  if (span.end - span.first > 1)
    return { kind: "aggregate", lane: box.lane, about: describeAggregate(lane, row, span) };
  return { kind: "event", ref: { lane: box.lane, event: row.event[span.first]! } };
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

/** What a click there means: of events drawn together, the longest. */
export function refOf(hovered: Hovered | null): EventRef | AllocationRef | null {
  if (hovered?.kind === "event" || hovered?.kind === "allocation") return hovered.ref;
  return hovered?.kind === "aggregate" ? { lane: hovered.lane, event: hovered.about.longest } : null;
}
