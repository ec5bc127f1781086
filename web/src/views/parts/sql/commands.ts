// The commands of the parts of SQL.
import type { Command } from "../../../lib/keys";
import { paneCommands } from "../pane-commands";

export const sqlCommands: readonly Command[] = [
  ...paneCommands,
  { id: "sql.run", title: "Run the query", keys: ["Ctrl+Enter"] },
  { id: "sql.cancel", title: "Cancel the query", keys: [] },
];
