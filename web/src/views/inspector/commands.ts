// The commands of the Inspector.
import type { Command } from "../../lib/keys";
import { paneCommands } from "../parts/pane-commands";

export const commands: readonly Command[] = [
  ...paneCommands,
  { id: "inspector.previous", title: "Previous row", keys: ["ArrowUp"], quiet: true },
  { id: "inspector.next", title: "Next row", keys: ["ArrowDown"], quiet: true },
  { id: "inspector.timeline", title: "Go to the event on the timeline", keys: ["Enter"] },
];
