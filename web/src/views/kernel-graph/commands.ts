// The commands of the kernel graph.
import type { Command } from "../../lib/keys";
import { paneCommands } from "../parts/pane-commands";

export const commands: readonly Command[] = [
  ...paneCommands,
  { id: "kernelGraph.previous", title: "Previous kernel by time", keys: ["ArrowUp"], quiet: true },
  { id: "kernelGraph.next", title: "Next kernel by time", keys: ["ArrowDown"], quiet: true },
  { id: "kernelGraph.fit", title: "Show the whole kernel graph", keys: ["Space"] },
  { id: "kernelGraph.rewrites", title: "Go to the kernel's rewrites", words: "compiler passes", keys: ["G"] },
  { id: "kernelGraph.timeline", title: "Go to the kernel's run on the timeline", keys: ["T"] },
];
