// PassLayout: where the nodes of one epoch are and how its edges run, in layout pixels, with indexes that find what is
// in a rectangle. Nodes and edges of all the epoch's states are in it; callers compare lives. The layout of a view of
// one state (compact, focus, folded) is of the same kind.
import type { Point, Rect, Size } from "../camera";
import Flatbush from "flatbush";
import { LayoutEdges } from "./layout-edges";
import type { PassModel } from "./pass-model";
import type { LayoutKind, WireGraph, WireLayout } from "./wire";
import type { WireView } from "./wire-history";

export interface Box {
  x: number;
  y: number;
  w: number;
  h: number;
}

type WirePlaces = Omit<WireLayout, "edges">;

interface SpaceIndex {
  tree: Flatbush;
  ids: number[];
}

export class PassLayout {
  readonly kind: LayoutKind;
  /** The number of the epoch, or the state. */
  readonly number: number;
  /** States that it is for, both inclusive. */
  readonly from: number;
  readonly to: number;
  readonly width: number;
  readonly height: number;
  /** From top to bottom: edges leave boxes below and enter them above, else at the right and at the left. */
  readonly isDown: boolean;
  /** About how large it would be from top to bottom; null where that is not known. */
  readonly sizeDown: Size | null;
  readonly cutShare: number;
  /** Whether the server would find none better with more time. */
  readonly isOptimal: boolean;
  /** Whether the edges' routes are known, or only the nodes' places. */
  readonly hasRoutes: boolean;
  readonly edges: LayoutEdges;
  /** Nodes that stand for others of their kind, and for which. */
  readonly folds: ReadonlyMap<number, readonly number[]>;
  /** Nodes that are boxes in this view alone. */
  readonly #excluded: ReadonlySet<number>;

  /** Nodes that have a place. */
  readonly nodes: readonly number[];
  // By node; w is 0 where it has no place.
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly w: Float32Array;
  readonly h: Float32Array;
  #nodeIndex: SpaceIndex | null = null;
  #edgeIndex: (SpaceIndex & { edgeCount: number }) | null = null;

  private constructor(
    wire: WirePlaces,
    hasRoutes: boolean,
    nodeCount: number,
    edges: LayoutEdges,
    folds: PassLayout["folds"] = new Map(),
    excluded: ReadonlySet<number> = new Set(),
  ) {
    this.#excluded = excluded;
    this.kind = wire.kind;
    this.number = wire.number;
    this.from = wire.from;
    this.to = wire.to;
    this.width = wire.width;
    this.height = wire.height;
    this.isDown = wire.down === true;
    this.sizeDown = wire.size_down === undefined ? null : { width: wire.size_down[0], height: wire.size_down[1] };
    this.cutShare = wire.cut_share;
    this.isOptimal = wire.optimal && wire.coarse !== true;
    this.hasRoutes = hasRoutes;
    this.edges = edges;
    this.folds = folds;
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
  }

  /** A `layout` event. The model must have the nodes and edges that it places. */
  static read(wire: WireLayout, model: PassModel): PassLayout {
    return new PassLayout(wire, true, model.nodeCount, LayoutEdges.ofEpoch(wire.edges, model.edgeCount));
  }

  /** The places that come with a `graph` event: until a layout of its epoch arrives. */
  static readFirst(graph: WireGraph, model: PassModel): PassLayout {
    const { x, y, w, h, width, height, epoch } = graph;
    const range = { from: 0, to: graph.states - 1, id: graph.nodes.id };
    const size = { width, height, cut_share: 0, optimal: false, coarse: false };
    const wire: WirePlaces = { kind: "epoch", number: epoch, ...range, x, y, w, h, ...size };
    const edges = LayoutEdges.ofEpoch({ edge: [], cut: [], back: [], points: [] }, model.edgeCount);
    return new PassLayout(wire, false, model.nodeCount, edges);
  }

  /** The answer to /focus. */
  static readView({ layout, folds, excluded }: WireView, model: PassModel): PassLayout {
    const edges = LayoutEdges.ofView(layout.edges, layout.from, model.nodeCount);
    const standing = new Map(folds.map((fold) => [fold.id, fold.ids]));
    return new PassLayout(layout, true, model.nodeCount, edges, standing, new Set(excluded));
  }

  /** Whether both are of the same; they may have come one after the other. */
  isOfSame(other: PassLayout): boolean {
    return this.kind === other.kind && this.number === other.number;
  }

  /**
   * On the way from one layout to another, 0 < t < 1: boxes of the other, those that both have between their places.
   */
  static between(from: PassLayout, to: PassLayout, t: number, model: PassModel): PassLayout {
    const way = (a: Float32Array, b: Float32Array) =>
      to.nodes.map((node) => (from.has(node) ? a[node]! + (b[node]! - a[node]!) * t : b[node]!));
    const wire: WirePlaces = {
      kind: to.kind,
      number: -1,
      from: to.from,
      to: to.to,
      id: [...to.nodes],
      x: way(from.x, to.x),
      y: way(from.y, to.y),
      w: way(from.w, to.w),
      h: way(from.h, to.h),
      width: Math.max(from.width, to.width),
      height: Math.max(from.height, to.height),
      cut_share: to.cutShare,
      optimal: true,
      coarse: false,
      down: to.isDown,
    };
    return new PassLayout(wire, false, model.nodeCount, to.edges.withoutWays(), to.folds, to.#excluded);
  }

  has(node: number): boolean {
    return this.w[node] !== undefined && this.w[node]! > 0;
  }

  /** Whether a node that it places is drawn at a state: as the box it is, or as one that the view asks for besides. */
  draws(node: number, model: PassModel, state: number): boolean {
    return model.isBox(node, state) || (this.#excluded.has(node) && model.isAlive(node, state));
  }

  box(node: number): Box {
    return { x: this.x[node]!, y: this.y[node]!, w: this.w[node]!, h: this.h[node]! };
  }

  /**
   * An edge's way, x and y in turn: from the right side of the node it leaves to the left side of the one it enters
   * (from top to bottom: from the lower to the upper side). Those are its source and its user, and the other way round
   * for a back edge.
   */
  wayOf(edge: number, model: PassModel): number[] {
    const isBack = this.edges.isBack(edge);
    const [source, user] = [this.edges.sourceOf(edge, model), this.edges.userOf(edge, model)];
    const from = this.box(isBack ? user : source);
    const to = this.box(isBack ? source : user);
    const points = this.edges.pointsOf(edge);
    const way = this.isDown
      ? [from.x + from.w / 2, from.y + from.h, ...points]
      : [from.x + from.w, from.y + from.h / 2, ...points];
    if (points.length === 0) way.push(...this.#middleOfEntry(to));
    return way;
  }

  /** Where an edge ends on the side of the node that it enters. */
  endOf(edge: number, model: PassModel): Point {
    const points = this.edges.pointsOf(edge);
    if (points.length > 0) return { x: points[points.length - 2]!, y: points[points.length - 1]! };
    const isBack = this.edges.isBack(edge);
    const [x, y] = this.#middleOfEntry(
      this.box(isBack ? this.edges.sourceOf(edge, model) : this.edges.userOf(edge, model)),
    );
    return { x, y };
  }

  #middleOfEntry({ x, y, w, h }: Box): [x: number, y: number] {
    return this.isDown ? [x + w / 2, y] : [x, y + h / 2];
  }

  /** Nodes whose boxes reach into the rectangle, in no order. */
  findNodes(rect: Rect): readonly number[] {
    if (this.nodes.length === 0 || this.#covers(rect)) return this.nodes;
    const { tree, ids } = (this.#nodeIndex ??= indexRects(this.nodes, (node) => this.#rectOf(node)));
    return tree.search(rect.left, rect.top, rect.right, rect.bottom).map((i) => ids[i]!);
  }

  /** Edges whose way comes near the rectangle; of cut ones, those with an end there. */
  findEdges(rect: Rect, model: PassModel): readonly number[] {
    if (this.#edgeIndex?.edgeCount !== model.edgeCount) {
      const drawn = this.edges.list(model).filter((edge) => {
        return this.has(this.edges.sourceOf(edge, model)) && this.has(this.edges.userOf(edge, model));
      });
      const index = indexRects(drawn, (edge) => boundsOfWay(this.wayOf(edge, model)));
      this.#edgeIndex = { ...index, edgeCount: model.edgeCount };
    }
    const { tree, ids } = this.#edgeIndex;
    if (ids.length === 0 || this.#covers(rect)) return ids;
    return tree.search(rect.left, rect.top, rect.right, rect.bottom).map((i) => ids[i]!);
  }

  #covers(rect: Rect): boolean {
    return rect.left <= 0 && rect.top <= 0 && rect.right >= this.width && rect.bottom >= this.height;
  }

  #rectOf(node: number): Rect {
    const { x, y, w, h } = this.box(node);
    return { left: x, top: y, right: x + w, bottom: y + h };
  }
}

function indexRects(items: readonly number[], rectOf: (item: number) => Rect): SpaceIndex {
  const tree = new Flatbush(Math.max(items.length, 1), 16, Float32Array);
  for (const item of items) {
    const { left, top, right, bottom } = rectOf(item);
    tree.add(left, top, right, bottom);
  }
  if (items.length === 0) tree.add(0, 0, 0, 0);
  tree.finish();
  return { tree, ids: [...items] };
}

function boundsOfWay(way: readonly number[]): Rect {
  let [left, top, right, bottom] = [Infinity, Infinity, -Infinity, -Infinity];
  for (let i = 0; i < way.length; i += 2) {
    left = Math.min(left, way[i]!);
    right = Math.max(right, way[i]!);
    top = Math.min(top, way[i + 1]!);
    bottom = Math.max(bottom, way[i + 1]!);
  }
  return { left, top, right, bottom };
}
