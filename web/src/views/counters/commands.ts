// The commands of the view of counters.
import type { Command } from "../../lib/keys";
import { paneCommands } from "../parts/pane-commands";

export const commands: readonly Command[] = [
  ...paneCommands,
  { id: "counters.next", title: "The next run", keys: ["J"] },
  { id: "counters.previous", title: "The previous run", keys: ["K"] },
];
