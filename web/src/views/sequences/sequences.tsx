// Kernels that follow one another on a stream again and again: candidates for fusion.
import { signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { WireSequence } from "../../lib/devices";
import { formatPlural } from "../../lib/text";
import { followScoped } from "../../state/asked";
import type { Fetched } from "../../state/fetched";
import { createList, type List } from "../parts/list-view/list";
import { ListExport, ListFilter, ListTable, WhenFetched } from "../parts/list-view/list-view";
import { useScopedName } from "../parts/use-scoped-name";
import { Nothing } from "../parts/nothing";
import type { OpenView } from "../view";
import { sequenceColumns } from "./columns";
import "./sequences.css";

interface SequenceState {
  fetched: ReadonlySignal<Fetched<{ rows: WireSequence[] }>>;
  list: List<WireSequence>;
  /** Whether only candidates for fusion are listed. */
  onlyCandidates: Signal<boolean>;
}

export const openSequences: OpenView = (app, isShown) => {
  const { place } = app;
  const fetched = followScoped<{ rows: WireSequence[] }>(app, isShown, () => "/api/v1/kernel-sequences");
  const onlyCandidates = signal(false);
  const list = createList<WireSequence>(place, {
    rows: () => {
      const all = fetched.value.value?.data.rows ?? [];
      return onlyCandidates.value ? all.filter((row) => row.fusion_candidate) : all;
    },
    columns: () => sequenceColumns(place),
    keyOf: (row) => row.kernels.join("\n"),
    textOf: (row) => row.kernels.join("\n"),
    keys: { text: "sequences" },
  });
  return () => <Sequences state={{ fetched, list, onlyCandidates }} />;
};

function Sequences({ state: { fetched, list, onlyCandidates } }: { state: SequenceState }) {
  const { value } = fetched.value;
  return (
    <div class="work whole sequences">
      <header class="work-head">
        <ListFilter list={list} hint="Filter by kernel" label="Filter kernels" />
        <button
          class={onlyCandidates.value ? "pill on" : "pill"}
          aria-pressed={onlyCandidates.value}
          title="Without products, convolutions and attention: kernels that memory holds up"
          onClick={() => (onlyCandidates.value = !onlyCandidates.value)}
        >
          Only candidates for fusion
        </button>
        {value !== null && <span class="dim">{formatPlural(list.rows.value.length, "sequence")}</span>}
        <ListExport list={list} name={useScopedName("kernel sequences")} />
      </header>
      <WhenFetched fetched={fetched.value} waiting="Finding what follows what" broken="The sequences cannot be shown">
        {({ rows }) =>
          list.rows.value.length === 0 ? (
            <p class="dim note">
              {rows.length === 0 ? (
                <Nothing of="device_work" none="No kernels follow one another three times." />
              ) : (
                "No such sequence."
              )}
            </p>
          ) : (
            <div class="scroll" data-scrolls tabIndex={0}>
              <ListTable list={list} label="Sequences of kernels" />
            </div>
          )
        }
      </WhenFetched>
    </div>
  );
}
