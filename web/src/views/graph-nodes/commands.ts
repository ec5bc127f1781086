// The commands of the nodes of a graph.
import type { Command } from "../../lib/keys";
import { paneCommands } from "../parts/pane-commands";

export const commands: readonly Command[] = [
  ...paneCommands,
  { id: "graph-nodes.previous", title: "Previous node", keys: ["ArrowUp"], quiet: true },
  { id: "graph-nodes.next", title: "Next node", keys: ["ArrowDown"], quiet: true },
  { id: "graph-nodes.slowest", title: "Go to the node's slowest replay", words: "worst timeline", keys: ["Enter"] },
];
