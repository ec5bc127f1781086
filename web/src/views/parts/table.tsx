// A table of the details: numbers to the right, a column to sort by, the first hundred rows until more are asked for.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef } from "preact/hooks";
import type { Cell, TextColumn } from "../../lib/table-text";
import { formatCount } from "../../lib/text";
import { Neighbours } from "./name";
import { useTableKeys } from "./table-keys";

export interface Column<Row> {
  id: string;
  title: string;
  /** Says what the column holds, where the title does not. */
  hint?: string;
  align?: "left";
  /** Its text takes the room that the others leave, and ends in dots where that is not enough. */
  isWide?: boolean;
  /** There is no sorting by it. */
  isFixed?: boolean;
  show: (row: Row) => ComponentChildren;
  /** The names that it shows (name.tsx), where it does: no two different names of its rows look the same. */
  namesOf?: (row: Row) => readonly string[];
  /** As it is taken away (table-export.tsx), exact; what has none is left out there. */
  value?: (row: Row) => Cell;
}

/** The columns that can be hidden. */
export function textColumns<Row>(columns: readonly Column<Row>[]): TextColumn<Row>[] {
  return columns.flatMap(({ id, value }) => (value === undefined ? [] : [{ id, value }]));
}

interface TableProps<Row> {
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  /** Tells a row from the others; `at`: its place among them. */
  keyOf: (row: Row, at: number) => string | number;
  label: string;
  sort?: { column: string; descending: boolean; by: (column: string) => void };
  isCurrent?: (row: Row) => boolean;
  onRow?: (row: Row) => void;
}

const kFirst = 100;

export function Table<Row>({ columns, rows, keyOf, label, sort, isCurrent, onRow }: TableProps<Row>) {
  const table = useRef<HTMLTableElement>(null);
  useTableKeys(table);
  const shown = useSignal(kFirst);
  const current = isCurrent === undefined ? -1 : rows.findIndex(isCurrent);
  const count = Math.max(shown.value, current + 1);
  const left = rows.length - count;
  const currentKey = current < 0 ? null : keyOf(rows[current]!, current);
  // A row that is chosen from elsewhere, by a link or a key, is to be seen.
  useLayoutEffect(() => {
    if (currentKey !== null) table.current!.querySelector("tr.current")?.scrollIntoView({ block: "nearest" });
  }, [currentKey]);
  const names = useMemo(() => columns.flatMap(({ namesOf = () => [] }) => rows.flatMap(namesOf)), [columns, rows]);
  return (
    <Neighbours names={names}>
      <table class="details" ref={table} aria-label={label}>
        <thead>
          <tr>
            {columns.map((column) =>
              column.title === "" ? (
                <td key={column.id} />
              ) : (
                <th
                  key={column.id}
                  class={column.align}
                  title={column.hint}
                  aria-sort={sort?.column !== column.id ? undefined : sort.descending ? "descending" : "ascending"}
                >
                  {sort === undefined || column.isFixed ? (
                    column.title
                  ) : (
                    <button class="sort" onClick={() => sort.by(column.id)}>
                      {column.title}
                      {sort.column === column.id && (sort.descending ? " ↓" : " ↑")}
                    </button>
                  )}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, count).map((row, at) => (
            <tr
              key={keyOf(row, at)}
              data-row={onRow === undefined ? undefined : ""}
              class={isCurrent?.(row) ? "current" : undefined}
              aria-current={isCurrent?.(row) ? "true" : undefined}
              onClick={() => onRow?.(row)}
            >
              {columns.map((column) => (
                <td key={column.id} class={[column.align, column.isWide && "wide"].filter(Boolean).join(" ")}>
                  {column.show(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {left > 0 && (
        <button class="link more" onClick={() => (shown.value = count + kFirst * 10)}>
          {formatCount(left)} more
        </button>
      )}
    </Neighbours>
  );
}
