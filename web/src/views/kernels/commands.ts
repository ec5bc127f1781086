// The commands of the table of kernels.
import type { Command } from "../../lib/keys";
import { paneCommands } from "../parts/pane-commands";

export const commands: readonly Command[] = [
  ...paneCommands,
  { id: "kernels.previous", title: "Previous kernel", keys: ["ArrowUp"], quiet: true },
  { id: "kernels.next", title: "Next kernel", keys: ["ArrowDown"], quiet: true },
  { id: "kernels.rewrites", title: "Go to the kernel's rewrites", words: "compiler graph passes why", keys: ["G"] },
  { id: "kernels.worst", title: "Go to the kernel's longest launch", words: "slowest timeline", keys: ["Enter"] },
  { id: "kernels.scope", title: "Scope to the kernel, or no longer", words: "filter only", keys: ["S"] },
];
