// The graph of basic blocks as the server laid it out: where boxes and edges are, and what a camera shows of them.
import { fitRect, type Size } from "../../lib/camera";
import type { Camera } from "../../lib/camera";
import type { WireCode } from "./code";
import type { Rect } from "../../lib/camera";

type Flow = Pick<WireCode, "layout" | "edges">;

/** A way around the right side of a block that leads to itself. */
const kSelfReach_px = 26;
const kCorner_px = 6;
const kMinBend_px = 18;
const kMargin_px = 32;
/** Smaller than this a whole graph is no help: the entry is shown instead. */
const kLegibleZoom = 0.55;

/** By block the place of its box in the layout; -1: it is not drawn. */
export function placesOfBlocks(code: Pick<WireCode, "layout" | "blocks">): Int32Array {
  const places = new Int32Array(code.blocks.first.length).fill(-1);
  code.layout.block.forEach((block, place) => (places[block] = place));
  return places;
}

export function boxAt({ layout }: Pick<WireCode, "layout">, place: number): Rect {
  const [left, top] = [layout.x[place]!, layout.y[place]!];
  return { left, top, right: left + layout.w[place]!, bottom: top + layout.h[place]! };
}

/** An SVG path, curved as the graph view's edges are. From top to bottom, also where the edge leads back up. */
export function pathOfEdge(code: Flow, edge: number, places: Int32Array): string {
  const { layout, edges } = code;
  const [from, to] = [edges.from[edge]!, edges.to[edge]!];
  if (from === to) return pathAround(boxAt(code, places[from]!));
  const points = layout.points[edge]!;
  let [x, y] = [points[0]!, points[1]!];
  let path = `M${x},${y}`;
  for (let i = 2; i + 1 < points.length; i += 2) {
    const [toX, toY] = [points[i]!, points[i + 1]!];
    const bend = Math.max((toY - y) / 2, Math.min(kMinBend_px, Math.abs(toY - y)));
    path += Math.abs(toX - x) < 0.5 ? ` L${toX},${toY}` : ` C${x},${y + bend} ${toX},${toY - bend} ${toX},${toY}`;
    [x, y] = [toX, toY];
  }
  return path;
}

function pathAround({ top, right, bottom }: Rect): string {
  const [c, out] = [kCorner_px, right + kSelfReach_px];
  const [down, up] = [bottom + 2 * c, top - 2 * c - 4];
  return `M${right - 24},${bottom} V${down - c} q0,${c} ${c},${c} H${out - c} q${c},0 ${c},${-c} V${up + c} q0,${-c} ${-c},${-c} H${right - 24 + c} q${-c},0 ${-c},${c} V${top}`;
}

/** The whole graph, or, where that could not be read, its entry at the top. */
export function homeCamera(code: Pick<WireCode, "layout">, size: Size): Camera {
  const { layout } = code;
  const whole = fitRect(boundsOf(code), size, kMargin_px);
  if (whole.zoom >= kLegibleZoom || layout.x.length === 0) return whole;
  const entry = boxAt(code, 0);
  return { x: (entry.left + entry.right) / 2, y: entry.top - kMargin_px + size.height / 2, zoom: 1 };
}

/** All boxes, and the ways around them. */
export function boundsOf({ layout }: Pick<WireCode, "layout">): Rect {
  return { left: 0, top: 0, right: Math.max(layout.width, 1) + kSelfReach_px, bottom: Math.max(layout.height, 1) };
}
