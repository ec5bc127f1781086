// The collectives of ranks: how much they exchanged, how fast, and which rank the others waited for.
import { computed, type ReadonlySignal } from "@preact/signals";
import type { WireCollective, WireCollectiveInstance, WireCollectives } from "../../lib/devices";
import { formatCount, formatPlural } from "../../lib/text";
import { followScoped } from "../../state/asked";
import type { Fetched } from "../../state/fetched";
import { createList, type List } from "../parts/list-view/list";
import { ListExport, ListFilter, ListTable, WhenFetched } from "../parts/list-view/list-view";
import { useScopedName } from "../parts/use-scoped-name";
import { Nothing } from "../parts/nothing";
import type { OpenView } from "../view";
import { collectiveColumns } from "./columns";
import { instanceColumns } from "./instance-columns";

interface CollectiveState {
  fetched: ReadonlySignal<Fetched<WireCollectives>>;
  kinds: List<WireCollective>;
  each: List<WireCollectiveInstance>;
  /** Whether each is listed by itself. */
  isEach: ReadonlySignal<boolean>;
  turn: () => void;
}

export const openCollectives: OpenView = (app, isShown) => {
  const { place } = app;
  const fetched = followScoped<WireCollectives>(app, isShown, () => "/api/v1/collectives");
  const rows = computed(() => fetched.value.value?.data.rows ?? []);
  const instances = computed(() => fetched.value.value?.data.instances ?? []);
  const kinds = createList<WireCollective>(place, {
    rows: () => rows.value,
    columns: () => collectiveColumns(rows.value, place),
    keyOf: (_, at) => at,
    keys: {},
  });
  const each = createList<WireCollectiveInstance>(place, {
    rows: () => instances.value,
    columns: () => instanceColumns(instances.value, place),
    keyOf: (_, at) => at,
    textOf: (row) => `${row.collective} ${row.name} ${row.group ?? ""} rank ${row.last_rank ?? ""} ${row.before ?? ""}`,
    keys: { text: "collectivetext", order: "collectiveorder" },
  });
  const key = place.key("collectives");
  const isEach = computed(() => key.value === "each");
  const turn = () => place.adjust({ collectives: isEach.peek() ? null : "each" });
  return () => <Collectives state={{ fetched, kinds, each, isEach, turn }} />;
};

function Collectives({ state: { fetched, kinds, each, isEach, turn } }: { state: CollectiveState }) {
  const rows = kinds.rows.value;
  const answer = fetched.value.value?.data;
  const name = useScopedName("collectives");
  return (
    <div class="work whole">
      <header class="work-head">
        <button
          class={isEach.value ? "pill on" : "pill"}
          aria-pressed={isEach.value}
          title="Those first whose ranks came furthest apart"
          onClick={turn}
        >
          Each by itself
        </button>
        {isEach.value && <ListFilter list={each} hint="Filter by kernel, last rank" label="Filter collectives" />}
        {answer !== undefined && <span class="dim">{formatPlural(answer.all, "collective")}</span>}
        {isEach.value && answer !== undefined && answer.all > answer.instances.length && (
          <span class="dim">, the {formatCount(answer.instances.length)} whose ranks came furthest apart</span>
        )}
        {isEach.value ? <ListExport list={each} name={name} /> : <ListExport list={kinds} name={name} />}
      </header>
      <WhenFetched
        fetched={fetched.value}
        waiting="Finding what ranks exchanged"
        broken="The collectives cannot be shown"
      >
        {() =>
          rows.length === 0 ? (
            <p class="dim note">
              <Nothing of="device_work" none="No ranks exchanged anything in this capture." />
            </p>
          ) : (
            <div class="scroll" data-scrolls tabIndex={0}>
              {isEach.value ? (
                <ListTable list={each} label="Each collective" />
              ) : (
                <ListTable list={kinds} label="Collectives" />
              )}
              {answer?.notes.map((note) => (
                <p key={note} class="dim note">
                  {note.charAt(0).toUpperCase() + note.slice(1)}.
                </p>
              ))}
              {rows.every(({ bytes }) => bytes === null) && (
                <p class="dim note">
                  The capture does not tell how much was exchanged: PyTorch 2.2 and later record it.
                </p>
              )}
              {rows.every(({ seen_ranks }) => seen_ranks < 2) && (
                <p class="dim note">
                  Who made others wait is told where the profiles of several ranks are opened as one capture.
                </p>
              )}
            </div>
          )
        }
      </WhenFetched>
    </div>
  );
}
