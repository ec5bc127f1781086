// Gestures of the pointer over the lanes: dragging chooses a time range over the lanes it crosses, with Shift or the
// middle button it moves the view; scrolling moves the lanes and, sideways or with Shift, the time; a pinch or the
// wheel with Ctrl zooms at the pointer.
import { contentAt, timeOf, type TimelineScene } from "../../draw/timeline/scene";
import { findBoxes } from "../../lib/timeline/lanes-layout";
import type { Area } from "../../lib/timeline/stats";
import { nsOfPixel } from "../../lib/timeline/spans";
import { readWheel } from "../../lib/wheel";
import { clampRange, zoomRange, type TimeRange } from "../../lib/time";

export interface GestureTarget {
  scene(): TimelineScene | null;
  bounds(): TimeRange;
  setRange(range: TimeRange): void;
  wheelZooms(): boolean;
  scrollBy(px: number): void;
  setArea(area: Area | null): void;
  /** Without a drag. */
  click(x: number, y: number): void;
  point(x: number, y: number): void;
}

const kDragFrom_px = 4;

/** Listens on the canvas; returns what stops it. */
export function bindGestures(canvas: HTMLElement, target: GestureTarget): () => void {
  const abort = new AbortController();
  const { signal } = abort;
  let drag: Drag | null = null;

  canvas.addEventListener(
    "pointerdown",
    (event) => {
      const scene = target.scene();
      if (scene === null || event.button > 1) return;
      canvas.setPointerCapture(event.pointerId);
      const moves = event.shiftKey || event.button === 1;
      drag = { x: event.offsetX, y: event.offsetY, at: timeOf(scene.scale, event.offsetX), moves, began: false };
      if (event.button === 1) event.preventDefault();
    },
    { signal },
  );
  canvas.addEventListener(
    "pointermove",
    (event) => {
      target.point(event.offsetX, event.offsetY);
      const scene = target.scene();
      if (drag === null || scene === null) return;
      drag.began ||= Math.hypot(event.offsetX - drag.x, event.offsetY - drag.y) >= kDragFrom_px;
      if (!drag.began) return;
      if (drag.moves) moveView(scene, drag, event, target);
      else target.setArea(areaOf(scene, drag, event));
    },
    { signal },
  );
  canvas.addEventListener(
    "pointerup",
    (event) => {
      if (drag !== null && !drag.began && !drag.moves) target.click(event.offsetX, event.offsetY);
      drag = null;
    },
    { signal },
  );
  canvas.addEventListener("pointercancel", () => (drag = null), { signal });
  canvas.addEventListener("wheel", (event) => turnWheel(event, target), { signal, passive: false });
  return () => abort.abort();
}

interface Drag {
  x: number;
  y: number;
  /** The time where it began. */
  at: number;
  moves: boolean;
  began: boolean;
}

function moveView(scene: TimelineScene, drag: Drag, event: PointerEvent, target: GestureTarget): void {
  const from = drag.at - event.offsetX * nsOfPixel(scene.scale);
  const { range } = scene.scale;
  target.setRange(clampRange({ from, to: from + range.to - range.from }, target.bounds()));
  target.scrollBy(-event.movementY);
}

/** From where the drag began to the pointer; in the axis, over all lanes. */
function areaOf(scene: TimelineScene, drag: Drag, event: PointerEvent): Area | null {
  const at = timeOf(scene.scale, event.offsetX);
  const range = { from: Math.min(drag.at, at), to: Math.max(drag.at, at) };
  const [top, bottom] = [Math.min(drag.y, event.offsetY), Math.max(drag.y, event.offsetY)];
  const [from, to] = findBoxes(scene.boxes, contentAt(scene, top), contentAt(scene, bottom) + 1);
  const chosen = drag.y < scene.top_px ? scene.boxes : scene.boxes.slice(from, to);
  const lanes = [...new Set(chosen.flatMap((box) => (box.lane >= 0 ? [box.lane] : box.strip)))];
  return lanes.length === 0 || range.from === range.to ? null : { range, lanes };
}

function turnWheel(event: WheelEvent, target: GestureTarget): void {
  const scene = target.scene();
  if (scene === null) return;
  const { range } = scene.scale;
  const meaning = readWheel(event, target.wheelZooms());
  if (meaning.kind === "zoom") {
    target.setRange(zoomRange(range, 1 / meaning.factor, timeOf(scene.scale, event.offsetX), target.bounds()));
  } else {
    if (Math.abs(meaning.dx) <= Math.abs(meaning.dy)) return; // the lanes scroll by themselves
    const by = meaning.dx * nsOfPixel(scene.scale);
    target.setRange(clampRange({ from: range.from + by, to: range.to + by }, target.bounds()));
  }
  event.preventDefault();
}
