// The search: for nodes of the state on screen by text or query, with the first states at which some or none is
// found; or matches of the whole capture by their rule. Both stand in the URL.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../../lib/api";
import type { WireRuleMatches, WireSearch } from "../../../lib/graph/wire-history";
import { followWish, type Fetched } from "../../../state/fetched";
import { createFindElsewhere, type FindElsewhere } from "./find-elsewhere";
import type { GraphState } from "./graph";
import { getWhenDone, type Progress } from "../../../state/pending-answer";
import type { PlaceState } from "../../../state/place";
import type { ChosenState } from "../../../state/chosen";
import type { SessionState } from "../../../state/session";

export type FindScope = "nodes" | "matches";

export interface FindState {
  text: ReadonlySignal<string>;
  scope: ReadonlySignal<FindScope>;
  set(text: string, scope?: FindScope): void;
  /** Grows each time that somebody wants to type. */
  asked: ReadonlySignal<number>;
  ask(): void;
  nodes: ReadonlySignal<Fetched<WireSearch>>;
  /** The same from the pass's first state on. */
  fromStart: ReadonlySignal<Fetched<WireSearch>>;
  matches: ReadonlySignal<Fetched<WireRuleMatches>>;
  progress: ReadonlySignal<Progress | null>;
  /** Nodes found at the state on screen: as they stand in the drawing, from left to right. */
  hits: ReadonlySignal<readonly number[]>;
  found: ReadonlySignal<ReadonlySet<number>>;
  /** The match of the list that was gone to last; -1 for none. */
  matchAt: ReadonlySignal<number>;
  /** Goes to the next (1) or previous (-1) of what was found, around the end. */
  go(direction: 1 | -1): void;
  goToMatch(index: number): void;
  /** The search for nodes in other passes. */
  elsewhere: FindElsewhere;
}

const kNoNodes: ReadonlySet<number> = new Set();

export function createFind(
  api: Api,
  session: SessionState,
  place: PlaceState,
  chosen: ChosenState,
  graph: GraphState,
): FindState {
  const text = computed(() => place.keys.value.search ?? "");
  const scope = computed<FindScope>(() => (place.keys.value.in === "matches" ? "matches" : "nodes"));
  const progress = signal<Progress | null>(null);
  const matchAt = signal(-1);
  const asked = signal(0);
  const wishes = createWishes(session, chosen, graph, text, scope);
  const search = (path: string, abort: AbortSignal) => api.getJson<WireSearch>(path, abort);
  const nodes = followWish(wishes.nodes, search);
  const fromStart = followWish(wishes.fromStart, search);
  const matches = followWish(wishes.matches, (path, abort) =>
    getWhenDone<WireRuleMatches>(api, path, abort, (now) => (progress.value = now)),
  );
  const hits = computed(() => orderHits(nodes.value.value?.data.ids ?? [], graph));

  function goToMatch(index: number): void {
    const list = matches.value.value?.data.matches;
    if (list === undefined || list.state[index] === undefined) return;
    matchAt.value = index;
    chosen.goToPass(list.context[index]!, list.pass[index]!, list.state[index]!);
  }

  return {
    text,
    scope,
    set(next, nextScope = scope.peek()) {
      matchAt.value = -1;
      place.adjust({ search: next === "" ? null : next, in: nextScope === "matches" ? "matches" : null });
    },
    asked,
    ask: () => {
      asked.value++;
    },
    nodes,
    fromStart,
    matches,
    progress,
    hits,
    found: computed(() => (hits.value.length === 0 ? kNoNodes : new Set(hits.value))),
    matchAt,
    go(direction) {
      if (scope.peek() === "matches") {
        const count = matches.peek().value?.data.matches.state.length ?? 0;
        if (count > 0) goToMatch(stepAround(matchAt.peek(), direction, count));
        return;
      }
      const list = hits.peek();
      if (list.length > 0)
        graph.visit(list[stepAround(list.indexOf(graph.node.peek() ?? -1), direction, list.length)]!);
    },
    goToMatch,
    elsewhere: createFindElsewhere(
      api,
      session,
      chosen,
      computed(() => text.value.trim()),
    ),
  };
}

/** The next of so many, or the one before, around the end; at: -1 before the first step. */
function stepAround(at: number, direction: 1 | -1, count: number): number {
  return (Math.max(at, direction > 0 ? -1 : 0) + direction + count) % count;
}

/** The questions to ask; null where there is none. */
function createWishes(
  session: SessionState,
  chosen: ChosenState,
  graph: GraphState,
  text: ReadonlySignal<string>,
  scope: ReadonlySignal<FindScope>,
) {
  const wishOf = (path: (c: number, s: number) => string) => {
    const contexts = session.contexts.value;
    const [c, s] = [chosen.context.value, chosen.pass.value];
    if (contexts === null || c === null || s === null) return null;
    return `${contexts.revision} ${pathOfCapture(path(c, s), contexts.capture)}`;
  };
  const query = computed(() => (scope.value === "nodes" ? text.value.trim() : ""));
  const nodes = computed(() => {
    const state = graph.shown.value?.state;
    if (query.value === "" || state === undefined) return null;
    return wishOf(
      (c, s) => `/api/v1/search/${c}/${s}?q=${encodeURIComponent(query.value)}&state=${state}&from=${state}`,
    );
  });
  const fromStart = computed(() => {
    if (query.value === "" || graph.shown.value === null) return null;
    return wishOf((c, s) => `/api/v1/search/${c}/${s}?q=${encodeURIComponent(query.value)}&from=0&limit=1`);
  });
  const matches = computed(() => {
    const rule = text.value.trim();
    if (scope.value !== "matches" || rule === "") return null;
    return wishOf(() => `/api/v1/matches?rule=${encodeURIComponent(rule)}&limit=10000`);
  });
  return { nodes, fromStart, matches };
}

/** Orders the nodes that the state on screen has as in the drawing, from left to right. */
function orderHits(ids: readonly number[], graph: GraphState): readonly number[] {
  const shown = graph.shown.value;
  if (shown === null || ids.length === 0) return [];
  const { layout, loaded, state } = shown;
  const alive = ids.filter((id) => loaded.model.isAlive(id, state));
  return alive.sort((a, b) => layout.x[a]! - layout.x[b]! || layout.y[a]! - layout.y[b]! || a - b);
}
