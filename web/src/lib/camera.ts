// The camera over a drawing: what lies at the middle of the view, and how large. Pure arithmetic between layout pixels
// and pixels of the view.

export interface Camera {
  /** The middle of the view, in layout pixels. */
  x: number;
  y: number;
  zoom: number;
}

export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Size {
  width: number;
  height: number;
}

export interface Point {
  x: number;
  y: number;
}

export const kMinZoom = 0.0005;
export const kMaxZoom = 4;

export function toView(camera: Camera, size: Size, p: Point): Point {
  return {
    x: (p.x - camera.x) * camera.zoom + size.width / 2,
    y: (p.y - camera.y) * camera.zoom + size.height / 2,
  };
}

export function toLayout(camera: Camera, size: Size, p: Point): Point {
  return {
    x: (p.x - size.width / 2) / camera.zoom + camera.x,
    y: (p.y - size.height / 2) / camera.zoom + camera.y,
  };
}

/** The part of the layout that is on screen, in layout pixels. */
export function viewedRect(camera: Camera, size: Size): Rect {
  const { x: left, y: top } = toLayout(camera, size, { x: 0, y: 0 });
  const { x: right, y: bottom } = toLayout(camera, size, { x: size.width, y: size.height });
  return { left, top, right, bottom };
}

/** Zooms by a factor; what is under the point of the view stays there. */
export function zoomAt(camera: Camera, size: Size, at: Point, factor: number): Camera {
  const zoom = clampZoom(camera.zoom * factor);
  const fixed = toLayout(camera, size, at);
  return {
    x: fixed.x - (at.x - size.width / 2) / zoom,
    y: fixed.y - (at.y - size.height / 2) / zoom,
    zoom,
  };
}

/** Moves what is on screen by that many pixels of the view. */
export function pan(camera: Camera, dx: number, dy: number): Camera {
  return { ...camera, x: camera.x - dx / camera.zoom, y: camera.y - dy / camera.zoom };
}

/** Shows a rectangle whole, with a margin, and no larger than maxZoom. */
export function fitRect(rect: Rect, size: Size, margin = 24, maxZoom = 1): Camera {
  const width = Math.max(rect.right - rect.left, 1);
  const height = Math.max(rect.bottom - rect.top, 1);
  const across = Math.max(size.width - 2 * margin, 1) / width;
  const down = Math.max(size.height - 2 * margin, 1) / height;
  return {
    x: (rect.left + rect.right) / 2,
    y: (rect.top + rect.bottom) / 2,
    zoom: clampZoom(Math.min(across, down, maxZoom)),
  };
}

/** The least rectangle that holds them all; of none an empty one. */
export function unite(rects: readonly Rect[]): Rect {
  if (rects.length === 0) return { left: 0, top: 0, right: 0, bottom: 0 };
  const united = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { left, top, right, bottom } of rects) {
    united.left = Math.min(united.left, left);
    united.top = Math.min(united.top, top);
    united.right = Math.max(united.right, right);
    united.bottom = Math.max(united.bottom, bottom);
  }
  return united;
}

/** Moves as little as is needed for the rectangle to be on screen; keeps the zoom. */
export function reveal(camera: Camera, size: Size, rect: Rect, margin = 60): Camera {
  const view = viewedRect(camera, size);
  const room = margin / camera.zoom;
  return {
    ...camera,
    x: camera.x + slideInto(rect.left - room, rect.right + room, view.left, view.right),
    y: camera.y + slideInto(rect.top - room, rect.bottom + room, view.top, view.bottom),
  };
}

function slideInto(from: number, to: number, viewFrom: number, viewTo: number): number {
  if (to - from > viewTo - viewFrom) return (from + to - viewFrom - viewTo) / 2;
  if (from < viewFrom) return from - viewFrom;
  return to > viewTo ? to - viewTo : 0;
}

function clampZoom(zoom: number): number {
  return Math.min(Math.max(zoom, kMinZoom), kMaxZoom);
}

/** "X,Y,ZOOM", with that many digits of a pixel. */
export function formatCamera({ x, y, zoom }: Camera, digits = 0): string {
  return `${Number(x.toFixed(digits))},${Number(y.toFixed(digits))},${Number(zoom.toPrecision(4 + digits))}`;
}

export function parseCamera(text: string | undefined): Camera | null {
  const numbers = (text ?? "").split(",").map(Number);
  const [x, y, zoom] = numbers;
  if (numbers.length !== 3 || x === undefined || y === undefined || zoom === undefined) return null;
  return numbers.every(Number.isFinite) && zoom > 0 ? { x, y, zoom } : null;
}
