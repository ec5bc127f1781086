// Lists: what the filter keeps, in which order, which row is chosen, and how all of that stands in the URL.
import assert from "node:assert/strict";
import { test } from "node:test";
import { computed, signal } from "@preact/signals";
import { arrangeRows, formatListOrder, parseListOrder } from "../../web/src/lib/list-order";
import { changeKeys, type Keys } from "../../web/src/lib/place";
import type { PlaceState } from "../../web/src/state/place";
import { fieldColumn, withoutEmpty } from "../../web/src/views/parts/list-view/field-column";
import { createList } from "../../web/src/views/parts/list-view/list";

interface Row {
  name: string;
  avg: number | null;
  bytes: number | null;
}

const rows: readonly Row[] = [
  { name: "b", avg: 1, bytes: null },
  { name: "a 10", avg: null, bytes: null },
  { name: "a 9", avg: 3, bytes: null },
];
const columns = [
  fieldColumn<Row>("name", { title: "Name", unit: "text" }),
  fieldColumn<Row>("avg", { title: "Mean", unit: "ns", hint: "Of all" }),
  fieldColumn<Row>("bytes", { title: "Size", unit: "B" }),
];

/** Keys alone, without a browser. */
function makePlace(keys = signal<Keys>({})) {
  const place: Partial<PlaceState> = {
    key: (name) => computed(() => keys.value[name]),
    adjust: (change) => (keys.value = changeKeys(keys.value, change)),
  };
  return { place: place as PlaceState, keys };
}

function makeList(firstOrder: { column: string; descending: boolean } | null = null) {
  const { place, keys } = makePlace();
  const list = createList<Row>(place, {
    rows: () => rows,
    columns: () => columns,
    keyOf: ({ name }) => name,
    textOf: ({ name }) => name,
    keys: { text: "words", order: "order", chosen: "row" },
    firstOrder,
  });
  return { list, keys, names: () => list.rows.value.map(({ name }) => name) };
}

test("rows stay in their order until one is asked for, and those without a figure come last", () => {
  const names = (order: string | undefined, filter = "") =>
    arrangeRows(
      rows,
      columns.map(({ id, value }) => ({ id, value: value! })),
      parseListOrder(order),
      filter,
      (row) => row.name,
    ).map(({ name }) => name);
  assert.deepEqual(names(undefined), ["b", "a 10", "a 9"]);
  assert.deepEqual(names("-avg"), ["a 9", "b", "a 10"]);
  assert.deepEqual(names("avg"), ["b", "a 9", "a 10"]);
  assert.deepEqual(names("name"), ["a 9", "a 10", "b"]);
  assert.deepEqual(names("colour"), ["b", "a 10", "a 9"]);
  assert.deepEqual(names(undefined, "A 1"), ["a 10"]);
});

test("the order stands in the URL, and is read as it once stood there", () => {
  for (const column of ["name", "matches", "each"]) {
    for (const descending of [true, false]) {
      assert.deepEqual(parseListOrder(formatListOrder({ column, descending })), { column, descending });
    }
  }
  assert.deepEqual(parseListOrder("matches-"), { column: "matches", descending: true });
  for (const broken of [undefined, "", "-"]) assert.equal(parseListOrder(broken), null);
});

test("figures are sorted with the most first, names from A on, and a third click ends it where there is no first order", () => {
  const { list, keys, names } = makeList();
  list.sortBy("avg");
  assert.equal(keys.value.order, "-avg");
  assert.deepEqual(names(), ["a 9", "b", "a 10"]);
  list.sortBy("avg");
  assert.equal(keys.value.order, "avg");
  list.sortBy("avg");
  assert.equal(keys.value.order, undefined);
  list.sortBy("name");
  assert.equal(keys.value.order, "name");

  const sorted = makeList({ column: "avg", descending: true });
  assert.deepEqual(sorted.names(), ["a 9", "b", "a 10"]);
  sorted.list.sortBy("avg");
  assert.equal(sorted.keys.value.order, "avg");
  sorted.list.sortBy("avg");
  assert.equal(sorted.keys.value.order, "-avg");
});

test("a row is chosen by its key, and the next one from there", () => {
  const { list, keys } = makeList();
  const chosen = () => list.chosen.value?.name ?? null;
  assert.equal(chosen(), null);
  list.move(1);
  assert.equal(keys.value.row, "b");
  list.move(1);
  assert.equal(chosen(), "a 10");
  list.move(7);
  assert.equal(chosen(), "a 9");
  keys.value = { ...keys.value, row: "gone" };
  assert.equal(chosen(), null);
  list.choose(null);
  assert.equal(keys.value.row, undefined);
});

test("a list without keys shows all of its rows as they come", () => {
  const { place, keys } = makePlace(signal<Keys>({ words: "b" }));
  const list = createList<Row>(place, { rows: () => rows, columns: () => columns, keyOf: (_, at) => at, keys: {} });
  list.setText("a");
  list.choose(rows[0]!);
  assert.deepEqual(keys.value, { words: "b" });
  assert.deepEqual(list.rows.value, rows);
  assert.deepEqual([list.isSortable, list.isChoosable, list.placeOf(rows[2]!)], [false, false, 2]);
});

test("a column says what its field does, and one without any value can be left out", () => {
  const [name, avg] = columns;
  assert.deepEqual([name!.align, avg!.align, avg!.hint], ["left", undefined, "Of all"]);
  assert.deepEqual(
    withoutEmpty(columns, rows).map(({ id }) => id),
    ["name", "avg"],
  );
});
