// The state of the comparison, as the URL says: which capture is before and which after, how the two are joined, which
// row is open.
import { computed, effect, type ReadonlySignal } from "@preact/signals";
import { stripAnsi } from "../../lib/ansi";
import { pathOfCapture } from "../../lib/api";
import { stateOf } from "../../lib/comparison";
import type { WireComparison } from "../../lib/devices";
import type { App } from "../../state/app";
import { createComparedPair, type ComparedPair } from "../../state/compared-pair";
import { followWish, type Fetched } from "../../state/fetched";
import { createList, type List } from "../parts/list-view/list";
import { compareColumns, kJoins, nameOf, type Join, type Row } from "./columns";
import type { WireKernelPair, WireParting } from "./wire";

export interface CompareState extends ComparedPair {
  fetched: ReadonlySignal<Fetched<WireComparison>>;
  join: ReadonlySignal<Join>;
  onlyChanges: ReadonlySignal<boolean>;
  list: List<Row>;
  /** The row whose evidence is shown, be it listed or not; null: none. */
  opened: ReadonlySignal<Row | null>;
  /** The launches of the open row. */
  kernel: ReadonlySignal<Fetched<WireKernelPair>>;
  /** Where the compiler began to do otherwise for it; no wish where neither capture tells rewrites. */
  parting: ReadonlySignal<Fetched<WireParting>>;
}

export function createCompare(app: App): CompareState {
  const { api, place, scope } = app;
  const compared = createComparedPair(app, ({ has_profile }) => has_profile, { before: "against", after: "after" });
  const { pair } = compared;
  const by = place.key("join");
  const join = computed<Join>(() => (by.value !== undefined && by.value in kJoins ? (by.value as Join) : "name"));

  /** A path of the capture after, with the one before. */
  const wishOf = (path: string, query: string) => {
    if (pair.value === null) return null;
    const { before: a, after: b } = pair.value;
    const whole = `${path}?with=${encodeURIComponent(a.id)}${query}`;
    return `${a.revision}.${b.revision} ${pathOfCapture(whole, b.id)}`;
  };
  const fetched = followWish(
    computed(() => wishOf("/api/v1/compare", `&by=${join.value}${scope.query.value}`)),
    (path, abort) => api.getJson<WireComparison>(path, abort),
  );
  const changes = place.key("changes");
  const onlyChanges = computed(() => changes.value === "only");
  const list = createList<Row>(place, {
    rows: () => {
      const rows = fetched.value.value?.data.rows ?? [];
      return onlyChanges.value ? rows.filter((row) => row.state !== "both") : rows;
    },
    columns: () => compareColumns(join.value, longestChange(fetched.value.value?.data.rows ?? [])),
    keyOf: (row) => keyOf(row, join.value),
    keys: { chosen: "comparerow" },
  });
  const [openKey, oldKey] = [place.key("comparerow"), place.key("rewritesof")];
  effect(() => {
    if (oldKey.value !== undefined) place.adjust({ comparerow: stripAnsi(oldKey.value), rewritesof: null });
  });
  const opened = computed(() => {
    const rows = fetched.value.value?.data.rows ?? [];
    return rows.find((row) => keyOf(row, join.value) === openKey.value) ?? null;
  });
  const kernel = followWish(
    computed(() =>
      opened.value === null
        ? null
        : wishOf("/api/v1/compare/kernel", queryOf(opened.value, join.value) + scope.query.value),
    ),
    (path, abort) => api.getJson<WireKernelPair>(path, abort),
    0,
  );
  const parting = followWish(
    computed(() => {
      const row = opened.value;
      const hasRewrites = pair.value?.before.has_rewrites === true || pair.value?.after.has_rewrites === true;
      if (row === null || row.name === undefined || !hasRewrites) return null;
      return wishOf("/api/v1/compare-rewrites", `&kernel=${encodeURIComponent(row.name)}`);
    }),
    (path, abort) => api.getJson<WireParting>(path, abort),
    0,
  );
  return {
    ...compared,
    fetched,
    join,
    onlyChanges,
    list,
    opened,
    kernel,
    parting,
  };
}

/** Rows of a kernel and of a copy may have one name. */
function keyOf(row: Row, join: Join): string {
  const name = stripAnsi(nameOf(row, join));
  return row.class === undefined || row.class === "kernel" ? name : `${row.class} ${name}`;
}

function queryOf(row: Row, join: Join): string {
  const name = (join === "occurrence" ? row.name : row[join]) ?? "";
  const parts = [`&by=${join}`, `&name=${encodeURIComponent(name)}`];
  if (row.class !== undefined) parts.push(`&class=${row.class}`);
  if (row.occurrence !== undefined) parts.push(`&occurrence=${row.occurrence}`);
  return parts.join("");
}

const longestChange = (rows: readonly Row[]) =>
  rows.reduce((most, row) => Math.max(most, stateOf(row) === "same" ? 0 : Math.abs(row.delta_total_ns)), 0);
