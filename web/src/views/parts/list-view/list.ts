// A list of rows on screen: which of them the filter keeps, in which order, and which one is chosen, all as the URL
// says. A view makes one of its rows and columns, and shows it with the parts of list-view.tsx.
import { computed, type ReadonlySignal } from "@preact/signals";
import { arrangeRows, formatListOrder, parseListOrder, type ListOrder } from "../../../lib/list-order";
import type { PlaceState } from "../../../state/place";
import { textColumns, type Column } from "../table";

export interface ListOptions<Row> {
  /** All rows, in the order that they have without another. Reads signals. */
  rows: () => readonly Row[];
  /** All columns, those too that there is no room for. Reads signals. */
  columns: () => readonly Column<Row>[];
  /** The key of a row in the URL; `at`: its place among all rows. */
  keyOf: (row: Row, at: number) => string | number;
  /** The text that the filter's words are looked for in. */
  textOf?: (row: Row) => string;
  /** The keys of the URL; without one, there is no such thing in this list. */
  keys: { text?: string; order?: string; chosen?: string };
  /**
   * The order that the list has before another is asked for; null: as the rows come, and back to that at a third click.
   */
  firstOrder?: ListOrder | null;
}

export interface List<Row> {
  columns: ReadonlySignal<readonly Column<Row>[]>;
  all: ReadonlySignal<readonly Row[]>;
  /** The rows that hold all words, in order. */
  rows: ReadonlySignal<readonly Row[]>;
  text: ReadonlySignal<string>;
  order: ReadonlySignal<ListOrder | null>;
  /** Whether the list can be sorted by its columns. */
  isSortable: boolean;
  /** Whether one of its rows can be chosen. */
  isChoosable: boolean;
  chosen: ReadonlySignal<Row | null>;
  /** Its place among all rows. */
  placeOf: (row: Row) => number;
  setText(text: string): void;
  sortBy(column: string): void;
  choose(row: Row | null): void;
  /** Chooses the row so many after the chosen one; the first where none is. */
  move(by: number): void;
}

export function createList<Row>(place: PlaceState, options: ListOptions<Row>): List<Row> {
  const { keys, keyOf, textOf = () => "", firstOrder = null } = options;
  const valueOf = (key: string | undefined) => (key === undefined ? computed(() => undefined) : place.key(key));
  const [textKey, orderKey, chosenKey] = [valueOf(keys.text), valueOf(keys.order), valueOf(keys.chosen)];
  const adjust = (key: string | undefined, value: string | null) => {
    if (key !== undefined) place.adjust({ [key]: value });
  };
  const columns = computed(options.columns);
  const all = computed(options.rows);
  const placeOfRow = computed(() => new Map(all.value.map((row, at) => [row, at])));
  const text = computed(() => textKey.value ?? "");
  const order = computed(() => parseListOrder(orderKey.value) ?? firstOrder);
  const rows = computed(() => arrangeRows(all.value, textColumns(columns.value), order.value, text.value, textOf));
  const chosen = computed(() => {
    const key = chosenKey.value;
    return key === undefined ? null : (all.value.find((row, at) => String(keyOf(row, at)) === key) ?? null);
  });
  const choose = (row: Row | null) =>
    adjust(keys.chosen, row === null ? null : String(keyOf(row, placeOfRow.peek().get(row)!)));
  return {
    columns,
    all,
    rows,
    text,
    order,
    isSortable: keys.order !== undefined,
    isChoosable: keys.chosen !== undefined,
    chosen,
    placeOf: (row) => placeOfRow.value.get(row)!,
    setText: (next) => adjust(keys.text, next === "" ? null : next),
    sortBy(id) {
      const isText = columns.peek().find((column) => column.id === id)?.align === "left";
      const next = turnOrder(order.peek(), id, !isText, firstOrder === null);
      adjust(keys.order, next === null ? null : formatListOrder(next));
    },
    choose,
    move(by) {
      const list = rows.peek();
      const at = chosen.peek() === null ? -1 : list.indexOf(chosen.peek()!);
      const next = list[at < 0 ? 0 : Math.min(Math.max(at + by, 0), list.length - 1)];
      if (next !== undefined) choose(next);
    },
  };
}

/** The order after a click on a column's title: figures come with the most first, names from A on. */
function turnOrder(
  now: ListOrder | null,
  column: string,
  descendsFirst: boolean,
  endsAgain: boolean,
): ListOrder | null {
  if (now?.column !== column) return { column, descending: descendsFirst };
  const isTurned = now.descending !== descendsFirst;
  return isTurned && endsAgain ? null : { column, descending: !now.descending };
}
