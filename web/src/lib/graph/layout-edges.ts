// The edges of one layout: where they run, and, in a view that hides or folds nodes, what they lead from and to. An
// epoch's layout draws the pass's own edges, by their numbers in the model. A view has edges of its own (one may stand
// for several, or lead past hidden nodes): they count up from kOwnEdges.
import { groupBy, groupOf, type Grouping } from "./columns";
import type { PassModel } from "./pass-model";
import type { WireLayout } from "./wire";
import type { WireViewLayout } from "./wire-history";

/** Edges of a view count from here. */
export const kOwnEdges = 1 << 30;
const kSlot = kOwnEdges - 1;

interface OwnEdges {
  source: Int32Array;
  user: Int32Array;
  port: Int32Array;
  /** The model's number, or -1. */
  model: Int32Array;
  bridged: Uint8Array;
  bySource: Grouping;
  byUser: Grouping;
  state: number;
}

export class LayoutEdges {
  readonly #cut: Uint8Array;
  readonly #back: Uint8Array;
  readonly #points: (readonly number[] | undefined)[];
  readonly #own: OwnEdges | null;

  private constructor(count: number, own: OwnEdges | null) {
    this.#cut = new Uint8Array(count);
    this.#back = new Uint8Array(count);
    this.#points = new Array<readonly number[] | undefined>(count);
    this.#own = own;
  }

  /** Edges of an epoch; those not listed lead straight from box to box. */
  static ofEpoch(edges: WireLayout["edges"], edgeCount: number): LayoutEdges {
    const made = new LayoutEdges(edgeCount, null);
    edges.edge.forEach((edge, i) => made.#setWay(edge, edges.cut[i], edges.back[i], edges.points[i]));
    return made;
  }

  /** Edges of a view of one state. */
  static ofView(edges: WireViewLayout["edges"], state: number, nodeCount: number): LayoutEdges {
    const [source, user] = [Int32Array.from(edges.source), Int32Array.from(edges.user)];
    const own: OwnEdges = {
      source,
      user,
      port: Int32Array.from(edges.port),
      model: Int32Array.from(edges.edge),
      bridged: Uint8Array.from(edges.bridged),
      bySource: groupBy(source, nodeCount),
      byUser: groupBy(user, nodeCount),
      state,
    };
    const made = new LayoutEdges(source.length, own);
    source.forEach((_, i) => made.#setWay(i, edges.cut[i], edges.back[i], edges.points[i]));
    return made;
  }

  /** The same edges, all of them straight: for boxes that are on their way. */
  withoutWays(): LayoutEdges {
    const made = new LayoutEdges(this.#cut.length, this.#own);
    made.#cut.set(this.#cut);
    made.#back.set(this.#back);
    return made;
  }

  #setWay(slot: number, cut = 0, back = 0, points: readonly number[] | undefined): void {
    this.#cut[slot] = cut;
    this.#back[slot] = back;
    this.#points[slot] = points;
  }

  /** Every edge there may be to draw, at whatever state. */
  list(model: PassModel): number[] {
    const [first, count] = this.#own === null ? [0, model.edgeCount] : [kOwnEdges, this.#own.source.length];
    return Array.from({ length: count }, (_, i) => first + i);
  }

  sourceOf(edge: number, model: PassModel): number {
    return edge < kOwnEdges ? model.edgeSource.at(edge) : this.#own!.source[edge - kOwnEdges]!;
  }

  userOf(edge: number, model: PassModel): number {
    return edge < kOwnEdges ? model.edgeUser.at(edge) : this.#own!.user[edge - kOwnEdges]!;
  }

  portOf(edge: number, model: PassModel): number {
    return edge < kOwnEdges ? model.edgePort.at(edge) : this.#own!.port[edge - kOwnEdges]!;
  }

  /** The edge's number in the model; -1 where it stands for several or leads past hidden nodes. */
  modelEdgeOf(edge: number): number {
    return edge < kOwnEdges ? edge : this.#own!.model[edge - kOwnEdges]!;
  }

  isAlive(edge: number, model: PassModel, state: number): boolean {
    if (edge < kOwnEdges) return model.isEdgeAlive(edge, state);
    const own = this.#own!;
    if (state === own.state) return true;
    const slot = edge - kOwnEdges;
    // A view that another match still shows: as far as it holds there.
    if (own.model[slot]! >= 0) return model.isEdgeAlive(own.model[slot]!, state);
    return model.isBox(own.source[slot]!, state) && model.isBox(own.user[slot]!, state);
  }

  /** Edges into a node at a state, by port. */
  into(node: number, model: PassModel, state: number): number[] {
    return this.#own === null ? model.sourceEdges(node, state) : this.#listOwn(this.#own.byUser, node, model, state);
  }

  /** Edges out of a node at a state. */
  outOf(node: number, model: PassModel, state: number): number[] {
    return this.#own === null ? model.userEdges(node, state) : this.#listOwn(this.#own.bySource, node, model, state);
  }

  #listOwn(grouping: Grouping, node: number, model: PassModel, state: number): number[] {
    return Array.from(groupOf(grouping, node), (slot) => slot + kOwnEdges).filter((e) => this.isAlive(e, model, state));
  }

  isCut(edge: number): boolean {
    return this.#cut[edge & kSlot] === 1;
  }

  isBack(edge: number): boolean {
    return this.#back[edge & kSlot] === 1;
  }

  /** Whether it leads past hidden nodes. */
  isBridged(edge: number): boolean {
    return edge >= kOwnEdges && this.#own!.bridged[edge - kOwnEdges] === 1;
  }

  pointsOf(edge: number): readonly number[] {
    return this.#points[edge & kSlot] ?? kNoPoints;
  }
}

const kNoPoints: readonly number[] = [];
