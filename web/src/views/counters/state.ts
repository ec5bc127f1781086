// The runs that a GPU counted, the one that is chosen with its counters place by place, and the samples of program
// counters; the choices are in the URL.
import { computed, type ReadonlySignal } from "@preact/signals";
import type { App } from "../../state/app";
import { followProfile } from "../../state/asked";
import type { Fetched } from "../../state/fetched";
import { createList, type List } from "../parts/list-view/list";
import { runColumns, samplingColumns } from "./columns";
import { listRuns, type RunRow, type WireCounters, type WireRun, type WireSampling, type WireSamples } from "./wire";

export interface CounterState {
  fetched: ReadonlySignal<Fetched<WireCounters>>;
  runs: List<RunRow>;
  samplings: List<WireSampling>;
  run: ReadonlySignal<Fetched<WireRun>>;
  samples: ReadonlySignal<Fetched<WireSamples>>;
  /** The counter whose places are shown; null: the run's first that is counted in several. */
  counter: ReadonlySignal<string | null>;
  chooseCounter(name: string): void;
}

export function createCounters(app: App, isShown: ReadonlySignal<boolean>): CounterState {
  const { place } = app;
  const fetched = followProfile<WireCounters>(app, isShown, () => "/api/v1/counters");
  const data = computed(() => fetched.value.value?.data);
  const rows = computed(() => (data.value === undefined ? [] : listRuns(data.value)));
  const runs = createList<RunRow>(place, {
    rows: () => rows.value,
    columns: () => (data.value === undefined ? [] : runColumns(data.value)),
    keyOf: (row) => `${row.run}:${row.kernel}`,
    textOf: (row) => `${row.kernel} run ${row.run}`,
    keys: { text: "counterstext", order: "countersorder", chosen: "countersrun" },
  });
  const samplings = createList<WireSampling>(place, {
    rows: () => data.value?.samplings ?? [],
    columns: () => samplingColumns(data.value?.samplings ?? []),
    keyOf: (row, at) => `${at}:${row.kernel}`,
    textOf: (row) => row.kernel,
    keys: { text: "samplestext", order: "samplesorder", chosen: "sampling" },
  });
  const counter = place.key("counter");
  return {
    fetched,
    runs,
    samplings,
    run: followProfile<WireRun>(app, isShown, () => {
      const row = runs.chosen.value;
      return row === null ? null : `/api/v1/counters/${row.at}`;
    }),
    samples: followProfile<WireSamples>(app, isShown, () => {
      const row = samplings.chosen.value;
      return row === null ? null : `/api/v1/samples/${samplings.placeOf(row)}`;
    }),
    counter: computed(() => counter.value ?? null),
    chooseCounter: (name) => place.adjust({ counter: name }),
  };
}
