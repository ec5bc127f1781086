// Tables as text: CSV for programs (RFC 4180), Markdown for a chat or an issue, tab-separated values for a spreadsheet.

export type Cell = string | number | null;
export type TableFormat = "csv" | "markdown" | "tsv";

export interface TextColumn<Row> {
  /** Its heading, with the unit: "total_ns". */
  id: string;
  value: (row: Row) => Cell;
}

/** Ends with a line break. */
export function formatTable<Row>(
  format: TableFormat,
  columns: readonly TextColumn<Row>[],
  rows: readonly Row[],
): string {
  const heads = columns.map(({ id }) => id);
  const lines = rows.map((row) => columns.map(({ value }) => value(row)));
  if (format === "markdown") return formatMarkdown(heads, lines);
  const [between, write] = format === "csv" ? [",", quote] : ["\t", (cell: Cell) => flatten(keepText(cell))];
  return [heads, ...lines].map((cells) => `${cells.map(write).join(between)}\n`).join("");
}

function formatMarkdown(heads: readonly string[], lines: readonly (readonly Cell[])[]): string {
  const write = (cell: Cell) => flatten(cell).replace(/[\\|`*_<>[\]]/g, "\\$&");
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |\n`;
  const isNumber = (at: number) =>
    lines.some((cells) => typeof cells[at] === "number") && lines.every((cells) => typeof cells[at] !== "string");
  const rule = heads.map((_, at) => (isNumber(at) ? "---:" : "---"));
  return line(heads) + line(rule) + lines.map((cells) => line(cells.map(write))).join("");
}

/** On one line, for cells that cannot hold more. */
function flatten(cell: Cell): string {
  return String(cell ?? "").replace(/[\t\r\n]+/g, " ");
}

/** A text of a capture that a spreadsheet would take for a formula gets an apostrophe, which keeps it a text. */
function keepText(cell: Cell): string {
  return typeof cell === "number" ? String(cell) : (cell ?? "").replace(/^(?=[=+\-@\t\r])/, "'");
}

function quote(cell: Cell): string {
  const text = keepText(cell);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
