// The commands of the table of rules.
import type { Command } from "../../lib/keys";
import { paneCommands } from "../parts/pane-commands";

export const commands: readonly Command[] = [
  ...paneCommands,
  { id: "rules.previous", title: "Previous rule", keys: ["ArrowUp"], quiet: true },
  { id: "rules.next", title: "Next rule", keys: ["ArrowDown"], quiet: true },
  { id: "rules.open", title: "Go to the rule's first match", keys: ["Enter"] },
];
