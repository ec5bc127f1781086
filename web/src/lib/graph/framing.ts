// Framing: how the graph is looked at for the change of a match. A function of the change, its surroundings, the layout
// and the view's size alone, so that a match looks the same however one has come to it.
//
// The changed boxes come into the middle third of the view, with their sources and users around them. The camera stands
// on as coarse a grid as that allows, so that matches that change neighbours are looked at from one place, and nothing
// moves between them.
import { fitRect, unite, type Camera, type Rect, type Size } from "../camera";

/** From here on whole labels are drawn, in letters of ten pixels. */
export const kLabelZoom = 0.9;
/** From here on every box holds its op's name in such letters. */
export const kNameZoom = 0.6;
/** Controls that lie over the graph at its edges fit into this. */
export const kMargin_px = 32;

export interface Framed {
  /** The boxes that the match made or removed, or else rewrote. */
  changed: readonly Rect[];
  /** What else it rewrote, their sources and their users, as far as edges to them are drawn. */
  around: readonly Rect[];
}

/** The camera for a change of at least one box. */
export function frameChange({ changed, around }: Framed, layout: Size, view: Size): Camera {
  const zooms = zoomsFor(layout, view);
  const whole = unite(changed);
  const isSeen = zooms.some((zoom) => fits(whole, innerSize(view), zoom));
  const change = isSeen ? whole : densestPart(changed, view, zooms[0]!);
  const surroundings = takeNear(change, around, view, zooms.at(-1)!);
  const third = { width: view.width / 3, height: view.height / 3 };
  const zoom =
    zooms.find((z) => fits(change, third, z) && holdsBoth(change, surroundings, view, z)) ??
    zooms.find((z) => fits(change, third, z)) ??
    zooms.find((z) => fits(change, innerSize(view), z)) ??
    zooms[0]!;
  return standAt(change, surroundings, layout, view, zoom);
}

/** The whole layout, where every name in it can be read then; else null. */
export function frameWhole(layout: Size, view: Size): Camera | null {
  const whole = fitRect({ left: 0, top: 0, right: layout.width, bottom: layout.height }, view, kMargin_px);
  return whole.zoom >= kNameZoom ? whole : null;
}

/**
 * The zooms to choose from, the best first. All of a layout that can be read whole is looked at as that is: no match of
 * it needs another.
 */
function zoomsFor(layout: Size, view: Size): readonly number[] {
  const whole = frameWhole(layout, view);
  return whole === null ? [kLabelZoom, kNameZoom] : [whole.zoom];
}

function fits({ left, top, right, bottom }: Rect, { width, height }: Size, zoom: number): boolean {
  return (right - left) * zoom <= width && (bottom - top) * zoom <= height;
}

function innerSize({ width, height }: Size): Size {
  return { width: Math.max(width - 2 * kMargin_px, 1), height: Math.max(height - 2 * kMargin_px, 1) };
}

/** The change with as much around it as can be seen while it is in the middle, the nearest first. */
function takeNear(change: Rect, around: readonly Rect[], view: Size, zoom: number): Rect {
  const [x, y] = middleOf(change);
  const distance = (box: Rect) => Math.hypot(middleOf(box)[0] - x, middleOf(box)[1] - y);
  let taken = change;
  for (const box of around.toSorted((a, b) => distance(a) - distance(b))) {
    const more = unite([taken, box]);
    if (holdsBoth(change, more, view, zoom)) taken = more;
  }
  return taken;
}

/** One of the two axes: the ends of boxes along it, and what of a size it is. */
interface Axis {
  from: "left" | "top";
  to: "right" | "bottom";
  side: "width" | "height";
}
const kAcross: Axis = { from: "left", to: "right", side: "width" };
const kDown: Axis = { from: "top", to: "bottom", side: "height" };

/** Where the camera may be along an axis for the change to be in the middle third, or its middle in the view's. */
function nearSpan(change: Rect, view: Size, zoom: number, { from, to, side }: Axis): Span {
  const middle = (change[from] + change[to]) / 2;
  return inside(change[from], change[to], view[side] / zoom / 3) ?? { from: middle, to: middle };
}

/** Where it may be for the surroundings to be in view; null where they are too large. */
function wideSpan(surroundings: Rect, view: Size, zoom: number, { from, to, side }: Axis): Span | null {
  return inside(surroundings[from], surroundings[to], innerSize(view)[side] / zoom);
}

/** Whether one place of the camera has the change in the middle and all of the surroundings in view. */
function holdsBoth(change: Rect, surroundings: Rect, view: Size, zoom: number): boolean {
  return [kAcross, kDown].every((axis) => {
    const near = nearSpan(change, view, zoom, axis);
    const wide = wideSpan(surroundings, view, zoom, axis);
    return wide !== null && wide.from <= near.to && near.from <= wide.to;
  });
}

function standAt(change: Rect, surroundings: Rect, layout: Size, view: Size, zoom: number): Camera {
  const along = (axis: Axis) => {
    const near = nearSpan(change, view, zoom, axis);
    const wide = wideSpan(surroundings, view, zoom, axis);
    return coarsestIn(wide === null ? near : meet(near, wide), view[axis.side] / zoom / 3, layout[axis.side] / 2);
  };
  return { x: along(kAcross), y: along(kDown), zoom };
}

interface Span {
  from: number;
  to: number;
}

/** Where the middle of a window may lie so that it holds a stretch; null where it is too short. */
function inside(from: number, to: number, window: number): Span | null {
  return to - from > window ? null : { from: to - window / 2, to: from + window / 2 };
}

function middleOf({ left, top, right, bottom }: Rect): [x: number, y: number] {
  return [(left + right) / 2, (top + bottom) / 2];
}

/** A place that both allow, or else the one that the first allows nearest to the second. */
function meet(first: Span, second: Span): Span {
  const from = Math.min(Math.max(first.from, second.from), first.to);
  const to = Math.max(Math.min(first.to, second.to), first.from);
  return from <= to ? { from, to } : { from: to, to: from };
}

/** Halving the grid more often than this is no less than going to the place itself. */
const kFinest = 8;

/** The point of the coarsest grid around the origin that lies in the span: of two, the one nearer to its middle. */
function coarsestIn({ from, to }: Span, spacing: number, origin: number): number {
  const middle = (from + to) / 2;
  for (let halved = 0, step = spacing; halved < kFinest; halved++, step /= 2) {
    const nearest = origin + Math.round((middle - origin) / step) * step;
    if (from <= nearest && nearest <= to) return nearest;
  }
  return middle;
}

/** For boxes too far apart to be seen together: as many as fit in one view, around where they are the closest. */
function densestPart(boxes: readonly Rect[], view: Size, zoom: number): Rect {
  const [width, height] = [view.width / zoom / 3, view.height / zoom / 3];
  const cells = new Map<string, Rect[]>();
  for (const box of boxes) {
    const [x, y] = middleOf(box);
    const [column, row] = [Math.floor(x / width), Math.floor(y / height)];
    const key = `${column} ${row}`;
    if (!cells.has(key)) cells.set(key, []);
    cells.get(key)!.push(box);
  }
  return unite([...cells.values()].reduce((most, cell) => (cell.length > most.length ? cell : most)));
}
