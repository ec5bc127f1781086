// The content of one exact frame: the nodes and edges on screen at this state, and their level of detail.
import { viewedRect } from "../../lib/camera";
import { layOutLabel, kColumn_px, type LabelRun } from "../../lib/graph/label";
import { colourOfMeasure } from "../../lib/graph/measures";
import type { Rect } from "../../lib/camera";
import type { PassModel } from "../../lib/graph/pass-model";
import type { Brush } from "../svg-context";
import type { GraphFrame } from "./renderer";

/**
 * "text": whole labels; "name": the op's name only; "block": a block of colour, groups of them named; "dense": likewise,
 * the blocks set pixel by pixel.
 */
export type Detail = "text" | "name" | "block" | "dense";

export interface Scene extends GraphFrame {
  context: Brush;
  view: Rect;
  detail: Detail;
  nodes: number[];
  edges: number[];
  /** Boxes of the state before that this match removed. */
  ghosts: number[];
  /** The font size at which a column is as wide as the layout took it to be. */
  font_px: number;
}

/** No text of the graph is smaller than this on screen. */
export const kLeastText_px = 10;
/** Below this, too few boxes hold their names. */
const kGroupZoom = 0.45;
/** The font's size is what it measures to be, which is not exact. */
const kAlmost_px = 0.05;
const kManyBoxes = 2000;
/** Stubs, badges and outlines around boxes reach this far, in layout pixels. */
const kOverhang = 120;

export function buildScene(frame: GraphFrame, context: Brush, font_px: number): Scene {
  const { model, layout, state, camera } = frame;
  const view = viewedRect(camera, frame);
  const near = {
    left: view.left - kOverhang,
    top: view.top - kOverhang,
    right: view.right + kOverhang,
    bottom: view.bottom + kOverhang,
  };
  const nodes = layout.findNodes(near).filter((node) => layout.draws(node, model, state));
  const isReadable = font_px * camera.zoom >= kLeastText_px - kAlmost_px;
  const far = nodes.length > kManyBoxes ? "dense" : "block";
  const detail = isReadable ? "text" : camera.zoom >= kGroupZoom ? "name" : far;
  return {
    ...frame,
    context,
    view,
    detail,
    nodes,
    edges: layout.findEdges(near, model).filter((edge) => isDrawn(frame, edge)),
    ghosts: frame.changes.removed.filter((node) => layout.has(node)),
    font_px,
  };
}

/** Both ends are boxes: a node that became an inlined constant stands in its users' labels only. */
function isDrawn({ layout, model, state }: GraphFrame, edge: number): boolean {
  const { edges } = layout;
  if (!edges.isAlive(edge, model, state)) return false;
  const isBox = (node: number) => layout.draws(node, model, state);
  return isBox(edges.sourceOf(edge, model)) && isBox(edges.userOf(edge, model));
}

/** By its op, or by its number, tuned for the theme; what has no number steps back. */
export function colourOfNode({ measure, model, palette }: GraphFrame, node: number, state: number): string {
  if (measure === null) return palette.tune(model.kindAt(node, state)?.colour ?? "");
  const colour = colourOfMeasure(measure, node);
  return colour === null ? palette.faint : palette.tune(colour);
}

/** The size of a monospace font at which its columns are those of the layout. */
export function fitFont(context: CanvasRenderingContext2D, family: string): number {
  context.font = `100px ${family}`;
  const advance = context.measureText("0".repeat(32)).width / 32;
  return advance > 0 ? (100 * kColumn_px) / advance : 12;
}

const labelsOfModels = new WeakMap<PassModel, Map<number, LabelRun[][]>>();

/** A node's label at a state, laid out; each text is laid out once a model. */
export function laidLabel(model: PassModel, node: number, state: number): LabelRun[][] {
  let labels = labelsOfModels.get(model);
  if (labels === undefined) labelsOfModels.set(model, (labels = new Map()));
  const index = model.versionLabel.at(model.versionAt(node, state));
  let label = labels.get(index);
  if (label === undefined) labels.set(index, (label = layOutLabel(model.labels[index] ?? "")));
  return label;
}
