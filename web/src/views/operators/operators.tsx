// The table of operators: grouped, filtered, sorted, each row with a link to its longest call.
import { computed, type ReadonlySignal } from "@preact/signals";
import { kOperatorGroups, type OperatorGroup, type WireOperator, type WireOperators } from "../../lib/devices";
import { formatPlural } from "../../lib/text";
import { followScoped } from "../../state/asked";
import type { Fetched } from "../../state/fetched";
import { createList, type List } from "../parts/list-view/list";
import { ListExport, ListFilter, ListTable, WhenFetched } from "../parts/list-view/list-view";
import { Nothing } from "../parts/nothing";
import { useScopedName } from "../parts/use-scoped-name";
import type { OpenView } from "../view";
import { kTitles, operatorColumns, textOfGroup } from "./columns";
import "./operators.css";

interface OperatorState {
  fetched: ReadonlySignal<Fetched<WireOperators>>;
  group: ReadonlySignal<OperatorGroup>;
  /** The group that the rows on screen are told apart by: the one before while the new one is not there yet. */
  rowsGroup: ReadonlySignal<OperatorGroup>;
  list: List<WireOperator>;
  setGroup(group: OperatorGroup): void;
}

export const openOperators: OpenView = (app, isShown) => {
  const { place } = app;
  const by = place.key("operatorsby");
  const group = computed(() => groupNamed(by.value) ?? "name");
  const fetched = followScoped<WireOperators>(app, isShown, () => `/api/v1/operators?by=${group.value}`);
  const rowsGroup = computed(() => groupNamed(fetched.value.value?.data.by) ?? group.value);
  const rows = computed(() => fetched.value.value?.data.rows ?? []);
  const list = createList<WireOperator>(place, {
    rows: () => rows.value,
    columns: () => operatorColumns(rowsGroup.value, rows.value, place),
    keyOf: (_, at) => at,
    textOf: (row) => `${row.name} ${textOfGroup(row)}`,
    keys: { text: "operators", order: "operatororder" },
    firstOrder: { column: "self_ns", descending: true },
  });
  const setGroup = (next: OperatorGroup) => place.adjust({ operatorsby: next === "name" ? null : next });
  return () => <Operators state={{ fetched, group, rowsGroup, list, setGroup }} />;
};

const groupNamed = (name: string | null | undefined) => kOperatorGroups.find((known) => known === name);

function Operators({ state: { fetched, group, rowsGroup, list, setGroup } }: { state: OperatorState }) {
  const { value } = fetched.value;
  const isStale = rowsGroup.value !== group.value;
  return (
    <div class="work whole operators">
      <header class="work-head">
        <ListFilter list={list} hint="Filter by name" label="Filter operators" />
        <select
          class="choice"
          aria-label="Tell apart"
          value={group.value}
          onChange={(event) => setGroup(event.currentTarget.value as OperatorGroup)}
        >
          {kOperatorGroups.map((each) => (
            <option key={each} value={each}>
              {kTitles[each]}
            </option>
          ))}
        </select>
        {value !== null && <span class="dim">{formatPlural(list.rows.value.length, "row")}</span>}
        <ListExport list={list} name={useScopedName(`operators ${kTitles[rowsGroup.value]}`)} />
      </header>
      <WhenFetched fetched={fetched.value} waiting="Adding up the operators" broken="The operators cannot be shown">
        {() => (
          <div class={isStale ? "scroll stale" : "scroll"} aria-busy={isStale} data-scrolls tabIndex={0}>
            <ListTable
              list={list}
              label="Operators"
              nothing={<Nothing of="operators" none="No operator of a framework was recorded." />}
            />
          </div>
        )}
      </WhenFetched>
    </div>
  );
}
