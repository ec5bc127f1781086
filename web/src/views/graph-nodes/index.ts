// Graph: the nodes of a replayed graph in order, each over all replays: what it is, what it takes, how much that varies.
import { computed, signal } from "@preact/signals";
import { asksForNodes, linkToGraphNodes, type WireReplays } from "../../lib/replays";
import { followProfile } from "../../state/asked";
import type { View } from "../view";
import { commands } from "./commands";
import { openGraphNodes } from "./graph-nodes";

export const graphNodes: View = {
  id: "graph-nodes",
  title: "Graph",
  words: "cuda hip graph replay nodes p99 spread layer module guessed",
  suits: (capture) => capture.format === "chrome" && capture.has_profile,
  isOffered(app) {
    const replays = followProfile<WireReplays>(app, signal(true), () => "/api/v1/graph-replays");
    return computed(() => replays.value.value?.data.ranks.some(({ graphs }) => graphs.length > 0) === true);
  },
  commands,
  pointer: "A click on a node in the strip or the list chooses it; a click on a dot goes to that replay.",
  listSearches: ({ place }, typed) =>
    asksForNodes(typed)
      ? [{ title: `Find nodes of graphs: ${typed}`, detail: "graph", run: () => place.follow(linkToGraphNodes(typed)) }]
      : [],
  sayWhere: ({ place }) => place.key("graphnode").value ?? "",
  asCommand: () => ({ words: ["kernels", "--nodes"] }),
  urlKeys: { replayedgraph: "kept", graphnodes: "kept", graphnodeorder: "kept", graphnode: "ofLink" },
  open: openGraphNodes,
};
