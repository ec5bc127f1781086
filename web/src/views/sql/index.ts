// SQL: questions to the capture in SQL, and the answers as a table or a chart.
import type { View } from "../view";
import { commands } from "./commands";

export const sql: View = {
  id: "sql",
  title: "SQL",
  suits: (capture) => capture.has_rewrites || capture.has_profile,
  commands,
  pointer: "A click on a row goes to what it is of.",
  urlKeys: { sql: "kept" },
  load: async () => (await import("./sql")).openSql,
};
