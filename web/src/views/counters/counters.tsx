// All runs that a GPU counted as one table, and beside it the chosen one: its rates with their formulas, how full the
// engines were, and where on the chip a counter counted.
import { linkToProgramAlone } from "../../lib/links";
import { formatPlural } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { ListExport, ListFilter, ListTable, useListCommands, WhenFetched } from "../parts/list-view/list-view";
import type { List } from "../parts/list-view/list";
import { Split } from "../parts/split";
import { useScopedName } from "../parts/use-scoped-name";
import type { OpenView } from "../view";
import { RunSide } from "./run-side";
import { SampleSide } from "./sample-side";
import { createCounters, type CounterState } from "./state";
import type { RunRow, WireSampling } from "./wire";
import "./counters.css";

export const openCounters: OpenView = (app, isShown) => {
  const counters = createCounters(app, isShown);
  return () => <Counters counters={counters} />;
};

function Counters({ counters }: { counters: CounterState }) {
  useListCommands(counters.runs, { previous: "counters.previous", next: "counters.next" });
  return (
    <WhenFetched fetched={counters.fetched.value} waiting="Reading the counters" broken="The counters cannot be shown">
      {() => (
        <Split
          left={null}
          leftLabel=""
          middle={<Tables counters={counters} />}
          right={<Side counters={counters} />}
          rightLabel="the run"
        />
      )}
    </WhenFetched>
  );
}

function Tables({ counters }: { counters: CounterState }) {
  const { runs, samplings } = counters;
  return (
    <div class="work whole counters">
      {runs.all.value.length > 0 && <RunsHead list={runs} />}
      {runs.all.value.length === 0 && <SamplingsHead list={samplings} />}
      <div class="scroll" data-scrolls tabIndex={0}>
        {runs.all.value.length > 0 && <ListTable list={runs} label="Counters of runs" />}
        {samplings.all.value.length > 0 && (
          <section>
            {runs.all.value.length > 0 && <SamplingsHead list={samplings} />}
            <ListTable list={samplings} label="Samples of kernels" />
          </section>
        )}
      </div>
    </div>
  );
}

function RunsHead({ list }: { list: List<RunRow> }) {
  return (
    <header class="work-head">
      <ListFilter list={list} hint="Filter by kernel" label="Filter kernels" />
      <span class="dim">{formatPlural(list.all.value.length, "run")}</span>
      <ListExport list={list} name={useScopedName("counters")} />
    </header>
  );
}

function SamplingsHead({ list }: { list: List<WireSampling> }) {
  return (
    <header class="work-head">
      <h2>Samples of program counters</h2>
      <ListFilter list={list} hint="Filter by kernel" label="Filter sampled kernels" />
      <span class="dim">{formatPlural(list.all.value.length, "run")}</span>
      <ListExport list={list} name={useScopedName("samples")} />
    </header>
  );
}

function Side({ counters }: { counters: CounterState }) {
  const { runs, samplings } = counters;
  const { place, session } = useApp();
  const row = runs.chosen.value;
  const program = session.contexts.value?.programs.find((each) => each.program === row?.program);
  return (
    <div class="scroll" data-scrolls tabIndex={0}>
      {row === null && samplings.chosen.value === null && (
        <p class="dim note">Choose a run to see its rates with their formulas, and where on the chip it was counted.</p>
      )}
      {row !== null && (
        <>
          {program !== undefined && (
            <button
              class="link to-program"
              onClick={() => place.follow(linkToProgramAlone({ index: program.program, name: program.name }))}
            >
              Where its cycles went, instruction by instruction
            </button>
          )}
          <RunSide counters={counters} />
        </>
      )}
      {samplings.chosen.value !== null && <SampleSide counters={counters} />}
    </div>
  );
}
