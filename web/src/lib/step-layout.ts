// StepLayout: where the nodes of one epoch are and how its edges run, in layout pixels, with indexes that find what is
// in a rectangle. Nodes and edges of all the epoch's states are in it; who asks, compares lives.
import Flatbush from "flatbush";
import type { StepModel } from "./step-model";
import type { WireGraph, WireLayout } from "./wire";

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

export interface Rect {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export class StepLayout {
  readonly epoch: number;
  /** States that it is for, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly height: number;
  readonly cutShare: number;
  /** Whether the edges' routes are known, or only the nodes' places. */
  readonly hasRoutes: boolean;

  /** Nodes that have a place. */
  readonly nodes: readonly number[];
  // By node; w is 0 where it has no place.
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly w: Float32Array;
  readonly h: Float32Array;
  readonly #cut: Uint8Array;
  readonly #back: Uint8Array;
  readonly #points: (readonly number[] | undefined)[];
  #nodeIndex: { tree: Flatbush; ids: number[] } | null = null;
  #edgeIndex: { tree: Flatbush; ids: number[]; edgeCount: number } | null = null;

  private constructor(wire: WireLayout, hasRoutes: boolean, nodeCount: number, edgeCount: number) {
    this.epoch = wire.epoch;
    this.from = wire.from;
    this.to = wire.to;
    this.width = wire.width;
    this.height = wire.height;
    this.cutShare = wire.cut_share;
    this.hasRoutes = hasRoutes;
    this.x = new Float32Array(nodeCount);
    this.y = new Float32Array(nodeCount);
    this.w = new Float32Array(nodeCount);
    this.h = new Float32Array(nodeCount);
    const nodes: number[] = [];
    wire.id.forEach((id, i) => {
      this.x[id] = wire.x[i]!;
      this.y[id] = wire.y[i]!;
      this.w[id] = wire.w[i]!;
      this.h[id] = wire.h[i]!;
      if (wire.w[i]! > 0 && id < nodeCount) nodes.push(id);
    });
    this.nodes = nodes;
    this.#cut = new Uint8Array(edgeCount);
    this.#back = new Uint8Array(edgeCount);
    this.#points = new Array<readonly number[] | undefined>(edgeCount);
    wire.edges.edge.forEach((edge, i) => {
      this.#cut[edge] = wire.edges.cut[i]!;
      this.#back[edge] = wire.edges.back[i]!;
      this.#points[edge] = wire.edges.points[i];
    });
  }

  /** A `layout` event. The model must have the nodes and edges that it places. */
  static read(wire: WireLayout, model: StepModel): StepLayout {
    return new StepLayout(wire, true, model.nodeCount, model.edgeCount);
  }

  /** The places that come with a `graph` event: until a layout of its epoch arrives. */
  static readFirst(graph: WireGraph, model: StepModel): StepLayout {
    const { x, y, w, h, width, height, epoch } = graph;
    const edges = { edge: [], cut: [], back: [], points: [] };
    const to = graph.states - 1;
    const wire = {
      epoch,
      from: 0,
      to,
      id: graph.nodes.id,
      x,
      y,
      w,
      h,
      edges,
      width,
      height,
      cut_share: 0,
      optimal: false,
    };
    return new StepLayout(wire, false, model.nodeCount, model.edgeCount);
  }

  has(node: number): boolean {
    return this.w[node] !== undefined && this.w[node]! > 0;
  }

  box(node: number): Box {
    return { x: this.x[node]!, y: this.y[node]!, w: this.w[node]!, h: this.h[node]! };
  }

  /** Whether an edge is drawn as a stub at each end only. */
  isCut(edge: number): boolean {
    return this.#cut[edge] === 1;
  }

  /**
   * An edge's way, x and y in turn: from the right side of the node it leaves to the left side of the one it enters.
   * Those are its source and its user, and the other way round for a back edge.
   */
  wayOf(edge: number, model: StepModel): number[] {
    const isBack = this.#back[edge] === 1;
    const from = this.box(isBack ? model.edgeUser.at(edge) : model.edgeSource.at(edge));
    const to = this.box(isBack ? model.edgeSource.at(edge) : model.edgeUser.at(edge));
    const points = this.#points[edge] ?? [];
    const way = [from.x + from.w, from.y + from.h / 2, ...points];
    if (points.length === 0) way.push(to.x, to.y + to.h / 2);
    return way;
  }

  /** How high an edge ends on the side of the node that it enters. */
  endY(edge: number, model: StepModel): number {
    const points = this.#points[edge];
    if (points !== undefined && points.length > 0) return points[points.length - 1]!;
    const to = this.box(this.#back[edge] === 1 ? model.edgeSource.at(edge) : model.edgeUser.at(edge));
    return to.y + to.h / 2;
  }

  /** Nodes whose boxes reach into the rectangle, in no order. */
  findNodes(rect: Rect): readonly number[] {
    if (this.nodes.length === 0 || this.#covers(rect)) return this.nodes;
    const { tree, ids } = (this.#nodeIndex ??= this.#indexNodes());
    return tree.search(rect.left, rect.top, rect.right, rect.bottom).map((i) => ids[i]!);
  }

  /** Edges whose way comes near the rectangle; of cut ones, those with an end there. */
  findEdges(rect: Rect, model: StepModel): readonly number[] {
    if (this.#edgeIndex?.edgeCount !== model.edgeCount) this.#edgeIndex = this.#indexEdges(model);
    const { tree, ids } = this.#edgeIndex;
    if (ids.length === 0 || this.#covers(rect)) return ids;
    return tree.search(rect.left, rect.top, rect.right, rect.bottom).map((i) => ids[i]!);
  }

  #covers(rect: Rect): boolean {
    return rect.left <= 0 && rect.top <= 0 && rect.right >= this.width && rect.bottom >= this.height;
  }

  #indexNodes(): { tree: Flatbush; ids: number[] } {
    const tree = new Flatbush(Math.max(this.nodes.length, 1), 16, Float32Array);
    for (const node of this.nodes) {
      const { x, y, w, h } = this.box(node);
      tree.add(x, y, x + w, y + h);
    }
    if (this.nodes.length === 0) tree.add(0, 0, 0, 0);
    tree.finish();
    return { tree, ids: [...this.nodes] };
  }

  #indexEdges(model: StepModel): { tree: Flatbush; ids: number[]; edgeCount: number } {
    const ids: number[] = [];
    for (let edge = 0; edge < model.edgeCount; edge++) {
      if (this.has(model.edgeSource.at(edge)) && this.has(model.edgeUser.at(edge))) ids.push(edge);
    }
    const tree = new Flatbush(Math.max(ids.length, 1), 16, Float32Array);
    for (const edge of ids) {
      const { left, top, right, bottom } = this.#boundsOf(edge, model);
      tree.add(left, top, right, bottom);
    }
    if (ids.length === 0) tree.add(0, 0, 0, 0);
    tree.finish();
    return { tree, ids, edgeCount: model.edgeCount };
  }

  #boundsOf(edge: number, model: StepModel): Rect {
    const way = this.wayOf(edge, model);
    let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
    for (let i = 0; i < way.length; i += 2) {
      left = Math.min(left, way[i]!);
      right = Math.max(right, way[i]!);
      top = Math.min(top, way[i + 1]!);
      bottom = Math.max(bottom, way[i + 1]!);
    }
    return { left, top, right, bottom };
  }
}
