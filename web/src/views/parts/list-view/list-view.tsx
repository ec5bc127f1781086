// A list as a view shows it: the filter's box, the table, the export, the keys; and what stands there until its rows
// have come, or where they do not come.
import type { ComponentChildren } from "preact";
import type { Fetched } from "../../../state/fetched";
import { useCommand } from "../app-context";
import { Blank } from "../blank";
import { FilterBox } from "../filter-box";
import { Table, textColumns, type Column } from "../table";
import { TableExport } from "../table-export";
import type { List } from "./list";

interface WhenFetchedProps<T> {
  fetched: Fetched<T>;
  /** The titles while the answer is on its way, and where there is a problem instead. */
  waiting: string;
  broken: string;
  children: (data: T) => ComponentChildren;
}

export function WhenFetched<T>({ fetched: { value, problem }, waiting, broken, children }: WhenFetchedProps<T>) {
  if (problem !== null) return <Blank title={broken} lines={[problem.message]} tone="broken" />;
  return value === null ? <Blank title={waiting} /> : <>{children(value.data)}</>;
}

interface ListTableProps<Row> {
  list: List<Row>;
  label: string;
  /** The columns that there is room for; without it, all. */
  columns?: readonly Column<Row>[];
  /** The line where there are no rows at all. */
  nothing?: ComponentChildren;
  /** The line where the words leave none. */
  nothingKept?: string;
  /** Called by a click on a row; without it, the row is chosen where rows can be. */
  onRow?: (row: Row) => void;
  /** Whether a row stands out; without it, the chosen one does. */
  isCurrent?: (row: Row) => boolean;
}

export function ListTable<Row>(props: ListTableProps<Row>) {
  const { list, label, columns = list.columns.value, nothingKept = "Nothing holds all these words." } = props;
  const rows = list.rows.value;
  const order = list.order.value;
  const chosen = list.chosen.value;
  const { onRow = list.isChoosable ? list.choose : undefined, isCurrent = (row) => row === chosen } = props;
  if (rows.length === 0) {
    return <p class="dim note">{list.all.value.length === 0 ? (props.nothing ?? nothingKept) : nothingKept}</p>;
  }
  const sort = { column: order?.column ?? "", descending: order?.descending ?? false, by: list.sortBy };
  return (
    <Table
      columns={columns}
      rows={rows}
      keyOf={list.placeOf}
      label={label}
      {...(list.isSortable ? { sort } : {})}
      isCurrent={isCurrent}
      {...(onRow === undefined ? {} : { onRow })}
    />
  );
}

interface ListFilterProps<Row> {
  list: List<Row>;
  /** Names the text that the words are looked for in: "Filter by name". */
  hint: string;
  label: string;
}

export function ListFilter<Row>({ list, hint, label }: ListFilterProps<Row>) {
  return <FilterBox hint={hint} label={label} text={list.text.value} onText={list.setText} />;
}

/** name: what the table holds, after which the file is called. */
export function ListExport<Row>({ list, name }: { list: List<Row>; name: string }) {
  return <TableExport columns={textColumns(list.columns.value)} rows={list.rows.value} name={name} />;
}

/** The keys that lead from row to row, and away from the chosen one. */
export function useListCommands<Row>(list: List<Row>, { previous, next }: { previous: string; next: string }): void {
  useCommand(previous, () => list.move(-1));
  useCommand(next, () => list.move(1));
  useCommand("page.clear", () => {
    if (list.chosen.value === null) return false;
    list.choose(null);
    return true;
  });
}
