// SQL: questions to one capture or several in SQL, and the answers as a table or a chart.
import { sqlCommands } from "../parts/sql/commands";
import type { View } from "../view";
import { openSql } from "./sql";

export const sql: View = {
  id: "sql",
  title: "SQL",
  words: "query select database",
  suits: (capture) => capture.has_rewrites || capture.has_profile,
  needsServer: true,
  commands: sqlCommands,
  pointer: "A click on a row goes to what it is of.",
  asCommand: ({ place }) => {
    const query = place.key("sql").value ?? "";
    return query === "" ? null : { words: ["sql", query] };
  },
  urlKeys: { sql: "kept", sqlwith: "kept" },
  open: openSql,
};
