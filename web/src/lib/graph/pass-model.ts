// PassModel: a pass's whole life as the server streams it (server/http/API.md): nodes and edges with the states between
// which they live, and every version of a node's label. Any state is answered from it without another request.
//
// Filled by addMatches() as batches arrive; one state after another becomes known, never out of order. Asking costs the
// answer: lives are compared, versions found by bisection, and what happens at one state is grouped by state.
import { groupBy, groupOf, Int32Column, type Grouping } from "./columns";
import type { WireGraph, WireKind, WireMatches, WireNodes } from "./wire";
import type { WireLocation } from "../wire";

/** A life that does not end. */
export const kForever = 0x7fffffff;

interface Indexes {
  versionsByNode: Grouping;
  versionsByState: Grouping;
  deathsByState: Grouping;
  edgesBySource: Grouping;
  edgesByUser: Grouping;
  edgeBirthsByState: Grouping;
  edgeDeathsByState: Grouping;
  /** By state: boxes that appear, that go, and that there are. */
  made: Int32Array;
  removed: Int32Array;
  boxes: Int32Array;
}

export class PassModel {
  readonly stateCount: number;
  readonly locations: readonly WireLocation[];
  readonly kinds: WireKind[];
  readonly labels: string[];
  readonly errors = new Map<number, string>();

  // By node.
  readonly born = new Int32Column();
  readonly died = new Int32Column();
  /** The node it became equal to when it died, or -1. */
  readonly mergedInto = new Int32Column();

  // By version: what a node is from a state on.
  readonly versionNode = new Int32Column();
  readonly versionState = new Int32Column();
  readonly versionKind = new Int32Column();
  readonly versionLabel = new Int32Column();
  readonly versionInlined = new Int32Column();
  readonly versionRef = new Int32Column();
  readonly versionTag: (string | null)[] = [];

  // By edge: sources[port] of user is source.
  readonly edgeSource = new Int32Column();
  readonly edgeUser = new Int32Column();
  readonly edgePort = new Int32Column();
  readonly edgeBorn = new Int32Column();
  readonly edgeDied = new Int32Column();

  /** By state: index into locations of the rule whose match led to it; -1 for state 0. */
  readonly rule = new Int32Column();
  readonly #dur_ns: number[] = [];
  readonly #roots: { state: number; id: number }[] = [];
  #indexes: Indexes | null = null;

  constructor(graph: WireGraph) {
    this.stateCount = graph.states;
    this.locations = graph.locations;
    this.kinds = [...graph.kinds];
    this.labels = [...graph.labels];
    this.rule.push(-1);
    this.#roots.push({ state: 0, id: graph.root });
    this.#addNodes(graph.nodes, () => 0);
    this.#addEdges(graph.edges, () => 0);
  }

  /** States 0 up to this (exclusive) are known. */
  get knownStates(): number {
    return this.rule.length;
  }

  get nodeCount(): number {
    return this.born.length;
  }

  get edgeCount(): number {
    return this.edgeSource.length;
  }

  addMatches(batch: WireMatches): void {
    this.#indexes = null;
    this.kinds.push(...batch.kinds);
    for (const label of batch.labels) this.labels.push(label);
    this.#addNodes(batch.nodes, (i) => batch.nodes.born[i]!);
    this.#addEdges(batch.edges, (i) => batch.edges.born[i]!);
    this.#addVersions(batch.versions, (i) => batch.versions.state[i]!);
    batch.deaths.id.forEach((id, i) => {
      this.died.data[id] = batch.deaths.state[i]!;
      this.mergedInto.data[id] = batch.deaths.into[i]!;
    });
    batch.edge_deaths.edge.forEach((edge, i) => {
      this.edgeDied.data[edge] = batch.edge_deaths.state[i]!;
    });
    batch.roots.state.forEach((state, i) => this.#roots.push({ state, id: batch.roots.id[i]! }));
    for (const [state, text] of batch.errors) this.errors.set(state, text);
    this.rule.append(batch.rule);
    batch.dur_ns?.forEach((dur_ns, i) => (this.#dur_ns[batch.from + i] = dur_ns));
  }

  #addNodes(nodes: WireNodes, bornAt: (i: number) => number): void {
    nodes.id.forEach((_, i) => {
      this.born.push(bornAt(i));
      this.died.push(kForever);
      this.mergedInto.push(-1);
    });
    this.#addVersions(nodes, bornAt);
  }

  #addVersions(nodes: WireNodes, stateOf: (i: number) => number): void {
    nodes.id.forEach((id, i) => {
      this.versionNode.push(id);
      this.versionState.push(stateOf(i));
    });
    this.versionKind.append(nodes.kind);
    this.versionLabel.append(nodes.label);
    this.versionInlined.append(nodes.inlined);
    this.versionRef.append(nodes.ref);
    for (const tag of nodes.tag) this.versionTag.push(tag);
  }

  #addEdges(edges: WireGraph["edges"], bornAt: (i: number) => number): void {
    this.edgeSource.append(edges.source);
    this.edgeUser.append(edges.user);
    this.edgePort.append(edges.port);
    edges.source.forEach((_, i) => {
      this.edgeBorn.push(bornAt(i));
      this.edgeDied.push(kForever);
    });
  }

  // The content of a state.

  isAlive(node: number, state: number): boolean {
    return node >= 0 && node < this.nodeCount && this.born.at(node) <= state && state < this.died.at(node);
  }

  /** Whether a node is a box of its own at a state, and not a line in its users' boxes. */
  isBox(node: number, state: number): boolean {
    return this.isAlive(node, state) && this.versionInlined.at(this.versionAt(node, state)) === 0;
  }

  isEdgeAlive(edge: number, state: number): boolean {
    return this.edgeBorn.at(edge) <= state && state < this.edgeDied.at(edge);
  }

  /** The version of a node at a state (its first, where it is not yet born). */
  versionAt(node: number, state: number): number {
    const { starts, items } = this.#index().versionsByNode;
    let low = starts[node]!;
    let high = starts[node + 1]! - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.versionState.at(items[middle]!) <= state) low = middle;
      else high = middle - 1;
    }
    return items[low]!;
  }

  labelAt(node: number, state: number): string {
    return this.labels[this.versionLabel.at(this.versionAt(node, state))] ?? "";
  }

  kindAt(node: number, state: number): WireKind | undefined {
    return this.kinds[this.versionKind.at(this.versionAt(node, state))];
  }

  /** Nodes that are boxes at a state. O(nodes of all states). */
  listBoxes(state: number): number[] {
    const nodes: number[] = [];
    for (let node = 0; node < this.nodeCount; node++) if (this.isBox(node, state)) nodes.push(node);
    return nodes;
  }

  rootAt(state: number): number {
    return this.#roots.findLast((root) => root.state <= state)?.id ?? -1;
  }

  // A node's surroundings, and its life.

  /** Edges into a node at a state, by port. */
  sourceEdges(node: number, state: number): number[] {
    const edges = [...this.allSourceEdges(node)].filter((edge) => this.isEdgeAlive(edge, state));
    return edges.sort((a, b) => this.edgePort.at(a) - this.edgePort.at(b));
  }

  /** Edges out of a node at a state. */
  userEdges(node: number, state: number): number[] {
    return [...groupOf(this.#index().edgesBySource, node)].filter((edge) => this.isEdgeAlive(edge, state));
  }

  /** Edges into a node at any state. */
  allSourceEdges(node: number): Int32Array {
    return groupOf(this.#index().edgesByUser, node);
  }

  /** Every version of a node, by state. */
  versionsOf(node: number): Int32Array {
    return groupOf(this.#index().versionsByNode, node);
  }

  // The events at a state.

  /** Versions that begin at a state: of nodes born there, and of others rewritten there. */
  versionsFrom(state: number): Int32Array {
    return groupOf(this.#index().versionsByState, state);
  }

  /** Nodes that live at the state before and not at this one. */
  deathsAt(state: number): Int32Array {
    return groupOf(this.#index().deathsByState, state);
  }

  edgeBirthsAt(state: number): Int32Array {
    return groupOf(this.#index().edgeBirthsByState, state);
  }

  edgeDeathsAt(state: number): Int32Array {
    return groupOf(this.#index().edgeDeathsByState, state);
  }

  /** By state: how many boxes the match made. */
  get made(): Int32Array {
    return this.#index().made;
  }

  /** By state: how many boxes the match removed. */
  get removed(): Int32Array {
    return this.#index().removed;
  }

  /** By state: how many boxes there are. */
  get boxes(): Int32Array {
    return this.#index().boxes;
  }

  /** Where the rule of a state's match is written; undefined for state 0 and states not yet known. */
  ruleAt(state: number): WireLocation | undefined {
    return state > 0 && state < this.knownStates ? this.locations[this.rule.at(state)] : undefined;
  }

  durationAt(state: number): number | null {
    return this.#dur_ns[state] ?? null;
  }

  #index(): Indexes {
    return (this.#indexes ??= this.#buildIndexes());
  }

  #buildIndexes(): Indexes {
    const states = this.stateCount;
    const versionsByNode = groupBy(this.versionNode.view(), this.nodeCount);
    return {
      versionsByNode,
      versionsByState: groupBy(this.versionState.view(), states),
      deathsByState: groupBy(this.died.view(), states),
      edgesBySource: groupBy(this.edgeSource.view(), this.nodeCount),
      edgesByUser: groupBy(this.edgeUser.view(), this.nodeCount),
      edgeBirthsByState: groupBy(this.edgeBorn.view(), states),
      edgeDeathsByState: groupBy(this.edgeDied.view(), states),
      ...this.#countBoxes(versionsByNode),
    };
  }

  /** A box appears and goes with its node, and where a version turns the node into a line of its users or back. */
  #countBoxes(versionsByNode: Grouping): Pick<Indexes, "made" | "removed" | "boxes"> {
    const made = new Int32Array(this.stateCount);
    const removed = new Int32Array(this.stateCount);
    const boxes = new Int32Array(this.stateCount);
    for (let node = 0; node < this.nodeCount; node++) {
      let isBox = false;
      for (const version of groupOf(versionsByNode, node)) {
        const wasBox = isBox;
        isBox = this.versionInlined.at(version) === 0;
        const state = this.versionState.at(version);
        if (isBox && !wasBox) made[state]!++;
        if (wasBox && !isBox) removed[state]!++;
      }
      const death = this.died.at(node);
      if (isBox && death < this.stateCount) removed[death]!++;
    }
    let count = 0;
    for (let state = 0; state < this.stateCount; state++) {
      count += made[state]! - removed[state]!;
      boxes[state] = count;
    }
    made[0] = 0; // the pass's input was not made by it
    return { made, removed, boxes };
  }
}
