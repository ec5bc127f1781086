// The graph of the state on screen: its layout, the changes of the match, the nodes that the selection lights
// up. All local: no request.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import type { LoadedPass } from "../../../lib/graph/loaded-pass";
import { changesAt, touchingStates, type PassChanges } from "../../../lib/graph/pass-changes";
import type { PassLayout } from "../../../lib/graph/pass-layout";
import type { ArrangementState } from "./arrangement";
import type { DiffState } from "./diff";
import type { PassStream } from "./pass-stream";
import type { SpotState } from "./spot";

export interface Lit {
  node: number;
  sources: ReadonlySet<number>;
  users: ReadonlySet<number>;
  sourceEdges: ReadonlySet<number>;
  userEdges: ReadonlySet<number>;
}

export interface GraphState {
  /** The pass, its layout and the state: what a drawing needs together. */
  shown: ReadonlySignal<{ loaded: LoadedPass; layout: PassLayout; state: number; changes: PassChanges } | null>;
  /** The selected node, where the pass has it, alive at this state or not. */
  node: ReadonlySignal<number | null>;
  /** The node that was selected before it; null where none was in this pass. */
  nodeBefore: ReadonlySignal<number | null>;
  /** The selected node's surroundings, where it is a box at this state. */
  lit: ReadonlySignal<Lit | null>;
  select(node: number | null): void;
  /** Selects a node and asks for it to be brought into view. */
  visit(node: number): void;
  /** The last visit, as a new object each time. */
  visited: ReadonlySignal<{ node: number } | null>;
  /** Goes to a state of the pass on screen; clamped. */
  goToState(state: number): void;
  /** The next (1) or previous (-1) state at which something happens to the selected node; null where there is none. */
  findTouching(direction: 1 | -1): number | null;
}

export function createGraph(
  spot: SpotState,
  pass: PassStream,
  arrangement: ArrangementState,
  diff: DiffState,
): GraphState {
  const shown = computed(() => {
    const loaded = pass.loaded.value;
    if (loaded === null) return null;
    const state = Math.min(pass.state.value, loaded.model.knownStates - 1);
    const layout = arrangement.layoutOf(loaded, state);
    const changes = diff.changesOf(loaded.model, state) ?? changesAt(loaded.model, state);
    return layout === null ? null : { loaded, layout, state, changes };
  });
  const node = computed(() => {
    const model = shown.value?.loaded.model;
    const wanted = spot.node.value;
    return model === undefined || wanted === null || wanted >= model.nodeCount ? null : wanted;
  });
  const lit = computed(() => {
    if (shown.value === null || node.value === null) return null;
    const { state, layout } = shown.value;
    const { edges } = layout;
    const { model } = shown.value.loaded;
    if (!layout.draws(node.value, model, state)) return null;
    const isDrawn = (edge: number) => layout.draws(edges.sourceOf(edge, model), model, state);
    const sourceEdges = edges.into(node.value, model, state).filter(isDrawn);
    const userEdges = edges.outOf(node.value, model, state);
    return {
      node: node.value,
      sources: new Set(sourceEdges.map((edge) => edges.sourceOf(edge, model))),
      users: new Set(userEdges.map((edge) => edges.userOf(edge, model))),
      sourceEdges: new Set(sourceEdges),
      userEdges: new Set(userEdges),
    };
  });
  const visited = signal<{ node: number } | null>(null);
  const before = signal<{ key: string; node: number } | null>(null);
  const nodeBefore = computed(() => {
    const key = shown.value?.loaded.key;
    return before.value === null || before.value.key !== key ? null : before.value.node;
  });
  const select = (next: number | null) => {
    const now = node.peek();
    if (next === spot.node.peek()) return;
    if (now !== null) before.value = { key: shown.peek()!.loaded.key, node: now };
    spot.select(next);
  };
  return {
    shown,
    node,
    nodeBefore,
    lit,
    select,
    visited,
    visit(next) {
      select(next);
      visited.value = { node: next };
    },
    goToState(state) {
      const last = (pass.loaded.value?.model.stateCount ?? 1) - 1;
      const match = Math.min(Math.max(state, 0), last);
      if (match !== spot.match.peek()) spot.goToMatch(match);
    },
    findTouching(direction) {
      if (shown.value === null || node.value === null) return null;
      const { state, loaded } = shown.value;
      const states = touchingStates(loaded.model, node.value);
      return (direction > 0 ? states.find((s) => s > state) : states.findLast((s) => s < state)) ?? null;
    },
  };
}
