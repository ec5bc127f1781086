// The input of a graph's drawing, and the renderer's interface. CanvasGraphRenderer (canvas.ts) is the only renderer;
// another (WebGL) needs to offer the same three functions.
import type { Camera, Rect } from "../../lib/camera";
import type { BodyChoice } from "../../lib/graph/arrangement";
import type { NodeMeasure } from "../../lib/graph/measures";
import type { PassChanges } from "../../lib/graph/pass-changes";
import type { PassLayout } from "../../lib/graph/pass-layout";
import type { PassModel } from "../../lib/graph/pass-model";
import type { Palette } from "../palette";

export interface GraphFrame {
  model: PassModel;
  layout: PassLayout;
  state: number;
  changes: PassChanges;
  camera: Camera;
  /** The view's size, in CSS pixels. */
  width: number;
  height: number;
  palette: Palette;
  /** Numbers to colour the nodes by; null: by op. */
  measure: NodeMeasure | null;
  selection: Selection | null;
  /** The nodes whose bodies are left out. */
  bodies: BodyChoice;
  /** The selected node, where this state has it not, and a state that has. */
  absent: { node: number; state: number } | null;
  /** Nodes that the search has found. */
  found: ReadonlySet<number>;
  /** Nodes that a reload has changed, and how strongly that still shows, 1 to 0. */
  flash: { nodes: ReadonlySet<number>; strength: number } | null;
  /** The camera is being moved: a quick picture now is better than an exact one late. */
  moving: boolean;
}

/** The selected node and what it lights up at this state. */
export interface Selection {
  node: number;
  sources: ReadonlySet<number>;
  users: ReadonlySet<number>;
  sourceEdges: ReadonlySet<number>;
  userEdges: ReadonlySet<number>;
}

/** Something in the picture that a click means, in pixels of the view. */
export interface Hotspot {
  x: number;
  y: number;
  w: number;
  h: number;
  target:
    | { kind: "node" | "fold" | "body"; node: number }
    | { kind: "group"; bounds: Rect }
    | { kind: "context"; context: number };
  /** The tooltip under the pointer. */
  title: string;
}

export interface GraphRenderer {
  /** Draws a frame. Returns false where a quick picture was drawn, and an exact one should follow. */
  draw(frame: GraphFrame): boolean;
  /** Stubs and badges of the last exact frame that can be clicked, besides the nodes. */
  hotspots(): readonly Hotspot[];
  dispose(): void;
}
