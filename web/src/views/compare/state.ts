// The state of the comparison, as the URL says: the other capture, and how the two are joined.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture } from "../../lib/api";
import type { WireComparison } from "../../lib/devices";
import type { App } from "../../state/app";
import { followWish, type Fetched } from "../../state/fetched";
import { createList, type List } from "../parts/list-view/list";
import { compareColumns, kJoins, type Join, type Row } from "./columns";

export interface CompareState {
  fetched: ReadonlySignal<Fetched<WireComparison>>;
  other: ReadonlySignal<string | null>;
  join: ReadonlySignal<Join>;
  onlyChanges: ReadonlySignal<boolean>;
  list: List<Row>;
  /** Its id. */
  otherId: ReadonlySignal<string | null>;
  /** The kernel whose rewrites are compared; "": none. */
  kernel: ReadonlySignal<string>;
}

export function createCompare({ api, session, place, scope }: App): CompareState {
  const others = computed(() =>
    (session.info.value?.captures ?? []).filter(
      ({ id, has_profile }) => has_profile && id !== session.capture.value?.id,
    ),
  );
  const wanted = place.key("against");
  const chosen = computed(() => others.value.find(({ name }) => name === wanted.value) ?? others.value[0] ?? null);
  const by = place.key("join");
  const join = computed<Join>(() => (by.value !== undefined && by.value in kJoins ? (by.value as Join) : "name"));
  const fetched = followWish(
    computed(() => {
      const capture = session.capture.value;
      const other = chosen.value;
      if (capture === null || other === null) return null;
      const path = `/api/v1/compare?with=${encodeURIComponent(other.id)}&by=${join.value}${scope.query.value}`;
      return `${capture.revision}.${other.revision} ${pathOfCapture(path, capture.id)}`;
    }),
    (path, abort) => api.getJson<WireComparison>(path, abort),
  );
  const changes = place.key("changes");
  const kernel = place.key("rewritesof");
  const onlyChanges = computed(() => changes.value === "only");
  return {
    fetched,
    list: createList<Row>(place, {
      rows: () => {
        const rows = fetched.value.value?.data.rows ?? [];
        return onlyChanges.value ? rows.filter((row) => row.state !== "both") : rows;
      },
      columns: () => compareColumns(join.value),
      keyOf: (_, at) => at,
      keys: {},
    }),
    other: computed(() => chosen.value?.name ?? null),
    join,
    onlyChanges,
    otherId: computed(() => chosen.value?.id ?? null),
    kernel: computed(() => kernel.value ?? ""),
  };
}
