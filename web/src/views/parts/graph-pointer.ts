// Mouse, touch and wheel over a drawing: drag and scrolling move, pinch and Ctrl with the wheel zoom at the pointer, a
// press that does not move is a click. Touches the camera only through what it is given.
import { pan, zoomAt, type Point, type Size } from "../../lib/camera";
import type { Camera } from "../../lib/camera";
import { readWheel } from "../../lib/wheel";

export interface PointerHandlers {
  camera: () => Camera | null;
  size: () => Size;
  wheelZooms: () => boolean;
  move: (camera: Camera) => void;
  hover: (at: Point) => void;
  click: (at: Point) => void;
  doubleClick: (at: Point) => void;
}

const kClickSlack_px = 4;

/** Returns what ends it. */
export function followPointer(box: HTMLElement, handlers: PointerHandlers): () => void {
  const down = new Map<number, Point>();
  let pressedAt: Point | null = null;

  const pointOf = (event: MouseEvent): Point => {
    const { left, top } = box.getBoundingClientRect();
    return { x: event.clientX - left, y: event.clientY - top };
  };
  const isText = (event: Event) => event.target instanceof Element && event.target.closest(".node-overlay") !== null;

  const onDown = (event: PointerEvent) => {
    if (isText(event) || event.button > 1) return;
    box.setPointerCapture(event.pointerId);
    box.focus({ preventScroll: true });
    down.set(event.pointerId, pointOf(event));
    pressedAt = down.size === 1 && event.button === 0 ? pointOf(event) : null;
  };
  const onMove = (event: PointerEvent) => {
    const at = pointOf(event);
    const before = down.get(event.pointerId);
    if (before === undefined) return handlers.hover(at);
    if (pressedAt !== null && Math.hypot(at.x - pressedAt.x, at.y - pressedAt.y) < kClickSlack_px) return;
    pressedAt = null;
    const camera = handlers.camera();
    if (camera === null) return;
    const other = [...down].find(([id]) => id !== event.pointerId)?.[1];
    down.set(event.pointerId, at);
    if (other === undefined) return handlers.move(pan(camera, at.x - before.x, at.y - before.y));
    const spread =
      Math.hypot(at.x - other.x, at.y - other.y) / Math.max(Math.hypot(before.x - other.x, before.y - other.y), 1);
    const middle = { x: (at.x + other.x) / 2, y: (at.y + other.y) / 2 };
    const moved = pan(camera, (at.x - before.x) / 2, (at.y - before.y) / 2);
    handlers.move(zoomAt(moved, handlers.size(), middle, spread));
  };
  const onUp = (event: PointerEvent) => {
    if (!down.delete(event.pointerId)) return;
    if (pressedAt !== null && event.type === "pointerup") handlers.click(pressedAt);
    pressedAt = null;
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const camera = handlers.camera();
    if (camera === null) return;
    const meaning = readWheel(event, handlers.wheelZooms());
    if (meaning.kind === "pan") return handlers.move(pan(camera, -meaning.dx, -meaning.dy));
    handlers.move(zoomAt(camera, handlers.size(), pointOf(event), meaning.factor));
  };
  const onDoubleClick = (event: MouseEvent) => {
    if (!isText(event)) handlers.doubleClick(pointOf(event));
  };

  box.addEventListener("pointerdown", onDown);
  box.addEventListener("pointermove", onMove);
  box.addEventListener("pointerup", onUp);
  box.addEventListener("pointercancel", onUp);
  box.addEventListener("wheel", onWheel, { passive: false });
  box.addEventListener("dblclick", onDoubleClick);
  return () => {
    box.removeEventListener("pointerdown", onDown);
    box.removeEventListener("pointermove", onMove);
    box.removeEventListener("pointerup", onUp);
    box.removeEventListener("pointercancel", onUp);
    box.removeEventListener("wheel", onWheel);
    box.removeEventListener("dblclick", onDoubleClick);
  };
}
