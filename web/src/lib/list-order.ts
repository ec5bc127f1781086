// The rows of a list as they are shown: those that hold all words of a filter, in the order of a column.
import type { Cell, TextColumn } from "./table-text";
import { wordFilter } from "./word-filter";

export interface ListOrder {
  column: string;
  descending: boolean;
}

/** "-total_ns": the most first; "name": from A on. */
export function formatListOrder({ column, descending }: ListOrder): string {
  return `${descending ? "-" : ""}${column}`;
}

/** Null where the text names no column. A "-" at the end, as links once had it, is read too. */
export function parseListOrder(text: string | undefined): ListOrder | null {
  const column = text?.replace(/^-|-$/g, "") ?? "";
  return column === "" ? null : { column, descending: column.length < text!.length };
}

/**
 * Rows without a value come last either way; equals stay as they come. Without an order, or of an unknown column, all
 * do.
 */
export function arrangeRows<Row>(
  rows: readonly Row[],
  columns: readonly TextColumn<Row>[],
  order: ListOrder | null,
  filter: string,
  textOf: (row: Row) => string,
): Row[] {
  const isKept = wordFilter(filter);
  const kept = rows.filter((row) => isKept(textOf(row)));
  const valueOf = columns.find(({ id }) => id === order?.column)?.value;
  if (order === null || valueOf === undefined) return kept;
  const sign = order.descending ? -1 : 1;
  const values = new Map<Row, Cell>(kept.map((row) => [row, valueOf(row)]));
  return kept.sort((a, b) => compareCells(values.get(a)!, values.get(b)!, sign));
}

function compareCells(a: Cell, b: Cell, sign: 1 | -1): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "number" && typeof b === "number") return sign * (a - b);
  return sign * String(a).localeCompare(String(b), "en", { numeric: true });
}
