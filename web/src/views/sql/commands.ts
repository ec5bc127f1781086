// What the SQL view can be told to do.
import type { Command } from "../../lib/keys";
import { paneCommands } from "../parts/pane-commands";

export const commands: readonly Command[] = [
  ...paneCommands,
  { id: "sql.run", title: "Run the query", keys: ["Ctrl+Enter"] },
  { id: "sql.cancel", title: "Cancel the query", keys: [] },
];
