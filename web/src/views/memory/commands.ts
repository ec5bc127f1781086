// The commands of the memory's view.
import type { Command } from "../../lib/keys";
import { paneCommands } from "../parts/pane-commands";

export const commands: readonly Command[] = [
  ...paneCommands,
  { id: "memory.previous", title: "Previous holder", keys: ["ArrowUp"], quiet: true },
  { id: "memory.next", title: "Next holder", keys: ["ArrowDown"], quiet: true },
  { id: "memory.peak", title: "Back to the peak of memory", keys: ["P"], quiet: true },
  { id: "memory.since", title: "Count the memory's growth from the time that is shown", keys: ["B"] },
  { id: "memory.operators", title: "Memory by operator", keys: [] },
  { id: "memory.modules", title: "Memory by module", keys: [] },
  { id: "memory.lines", title: "Memory by Python function", keys: [] },
];
