// The nodes of one graph of the capture on screen: filtered, sorted, one chosen, all as the URL says.
import { computed, type ReadonlySignal } from "@preact/signals";
import {
  termsOf,
  wordsOfNode,
  type WireNaming,
  type WireNode,
  type WireNodes,
  type WireReplays,
} from "../../lib/replays";
import type { App } from "../../state/app";
import { followProfile, followScoped } from "../../state/asked";
import type { Fetched } from "../../state/fetched";
import { createList, type List } from "../parts/list-view/list";
import { nodeColumns } from "./columns";

export interface GraphNodesState {
  replays: ReadonlySignal<Fetched<WireReplays>>;
  nodes: ReadonlySignal<Fetched<WireNodes>>;
  /** The naming of the chosen node's slowest run. */
  naming: ReadonlySignal<Fetched<WireNaming>>;
  /** The graph's number. */
  graph: ReadonlySignal<number>;
  /** All its nodes, in order. */
  inOrder: ReadonlySignal<readonly WireNode[]>;
  list: List<WireNode>;
  setGraph(graph: number): void;
}

export function createGraphNodes(app: App, isShown: ReadonlySignal<boolean>): GraphNodesState {
  const { place } = app;
  const replays = followScoped<WireReplays>(app, isShown, () => "/api/v1/graph-replays");
  const nodes = followScoped<WireNodes>(app, isShown, () => "/api/v1/graph-nodes");
  const all = computed(() => nodes.value.value?.data.ranks[0]?.rows ?? []);
  const graphKey = place.key("replayedgraph");
  const nodeKey = place.key("graphnode");
  const graph = computed(() => {
    const asked = Number(nodeKey.value?.split(".")[0] ?? graphKey.value ?? NaN);
    return all.value.some((row) => row.graph === asked) ? asked : busiestOf(all.value);
  });
  const inOrder = computed(() => all.value.filter((row) => row.graph === graph.value));
  const textKey = place.key("graphnodes");
  const list = createList<WireNode>(place, {
    rows: () => {
      const terms = termsOf(textKey.value ?? "");
      return terms.length === 0 ? inOrder.value : inOrder.value.filter((row) => holdsAll(row, terms));
    },
    columns: () => nodeColumns(inOrder.value),
    keyOf: (row) => `${row.graph}.${row.node}`,
    textOf: (row) => [row.name, row.label, row.module, row.layer, ...wordsOfNode(row)].join(" "),
    keys: { text: "graphnodes", order: "graphnodeorder", chosen: "graphnode" },
  });
  const naming = followProfile<WireNaming>(app, isShown, () => {
    const at = list.chosen.value?.worst_place;
    return at === undefined ? null : `/api/v1/kernel-naming/${at[0]}/${at[1]}`;
  });
  const setGraph = (next: number) => place.adjust({ replayedgraph: String(next), graphnode: null });
  return { replays, nodes, naming, graph, inOrder, list, setGraph };
}

const holdsAll = (row: WireNode, terms: readonly string[]) => {
  const words = wordsOfNode(row);
  return terms.every((term) => words.includes(term));
};

/** The graph that took the most time. */
function busiestOf(rows: readonly WireNode[]): number {
  const times = new Map<number, number>();
  for (const { graph, total_ns } of rows) times.set(graph, (times.get(graph) ?? 0) + total_ns);
  return [...times].sort((a, b) => b[1] - a[1])[0]?.[0] ?? 0;
}
