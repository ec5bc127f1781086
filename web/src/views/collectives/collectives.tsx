// The collectives of ranks: how much they exchanged, how fast, and which rank the others waited for.
import { computed, type ReadonlySignal } from "@preact/signals";
import type { WireCollective } from "../../lib/devices";
import { formatPlural } from "../../lib/text";
import { followScoped } from "../../state/asked";
import type { Fetched } from "../../state/fetched";
import { createList, type List } from "../parts/list-view/list";
import { ListExport, ListTable, WhenFetched } from "../parts/list-view/list-view";
import { useScopedName } from "../parts/use-scoped-name";
import type { OpenView } from "../view";
import { collectiveColumns } from "./columns";

interface CollectiveState {
  fetched: ReadonlySignal<Fetched<{ rows: WireCollective[] }>>;
  list: List<WireCollective>;
}

export const openCollectives: OpenView = (app, isShown) => {
  const { place } = app;
  const fetched = followScoped<{ rows: WireCollective[] }>(app, isShown, () => "/api/v1/collectives");
  const rows = computed(() => fetched.value.value?.data.rows ?? []);
  const list = createList<WireCollective>(place, {
    rows: () => rows.value,
    columns: () => collectiveColumns(rows.value, place),
    keyOf: (_, at) => at,
    keys: {},
  });
  return () => <Collectives state={{ fetched, list }} />;
};

function Collectives({ state: { fetched, list } }: { state: CollectiveState }) {
  const rows = list.rows.value;
  const count = rows.reduce((sum, row) => sum + row.count, 0);
  return (
    <div class="work whole">
      <header class="work-head">
        {fetched.value.value !== null && <span class="dim">{formatPlural(count, "collective")}</span>}
        <ListExport list={list} name={useScopedName("collectives")} />
      </header>
      <WhenFetched
        fetched={fetched.value}
        waiting="Finding what ranks exchanged"
        broken="The collectives cannot be shown"
      >
        {() =>
          rows.length === 0 ? (
            <p class="dim note">No ranks exchanged anything in this capture.</p>
          ) : (
            <div class="scroll" data-scrolls tabIndex={0}>
              <ListTable list={list} label="Collectives" />
              {rows.every(({ bytes }) => bytes === null) && (
                <p class="dim note">
                  The capture does not tell how much was exchanged: PyTorch 2.2 and later record it.
                </p>
              )}
              {rows.every(({ seen_ranks }) => seen_ranks < 2) && (
                <p class="dim note">
                  Who came last is told where the profiles of several ranks are opened as one capture.
                </p>
              )}
            </div>
          )
        }
      </WhenFetched>
    </div>
  );
}
