// Two captures compared: the verdict first, then where the time went, then kernel by kernel; a row opens what both
// sides did for it.
import { useEffect, useRef } from "preact/hooks";
import type { WireComparison } from "../../lib/devices";
import type { OpenView } from "../view";
import { useApp, useCommand } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { ListExport, ListTable, useListCommands, WhenFetched } from "../parts/list-view/list-view";
import { PairChoice } from "../parts/pair-choice";
import { useScopedName } from "../parts/use-scoped-name";
import { kJoins } from "./columns";
import { Evidence } from "./evidence";
import { createCompare, type CompareState } from "./state";
import { Breakdowns, Verdict } from "./verdict";
import "./compare.css";

export const openCompare: OpenView = (app) => {
  const state = createCompare(app);
  return () => <Compare state={state} />;
};

function Compare({ state }: { state: CompareState }) {
  useListCommands(state.list, { previous: "compare.previous", next: "compare.next" });
  useCommand("compare.swap", state.swap);
  if (state.pair.value === null)
    return (
      <Blank
        title="There is nothing to compare with"
        lines={[
          "Open a second capture: name both on the command line, or drop a file on the page.",
          "  vizd before.json.gz after.json.gz",
        ]}
      />
    );
  return (
    <div class="comparison">
      <Head state={state} />
      <WhenFetched fetched={state.fetched.value} waiting="Comparing" broken="The captures cannot be compared">
        {(data) => <Comparison state={state} data={data} />}
      </WhenFetched>
    </div>
  );
}

function Comparison({ state, data }: { state: CompareState; data: WireComparison }) {
  const { place } = useApp();
  const { wish, value } = state.fetched.value;
  const opened = state.opened.value;
  const main = useRef<HTMLDivElement>(null);
  // The pane below takes room: the row that it is of stays in sight.
  useEffect(() => main.current?.querySelector("tr[aria-current]")?.scrollIntoView({ block: "nearest" }), [opened]);
  const count = (wanted: "added" | "removed" | "both") => data.rows.filter((row) => row.state === wanted).length;
  return (
    <>
      <div
        ref={main}
        class={wish === value?.wish ? "comparison-main" : "comparison-main stale"}
        data-scrolls
        tabIndex={0}
      >
        <Verdict state={state} data={data} />
        <Breakdowns data={data} />
        <div class="comparison-counts">
          <span class="dim">
            {count("both")} in both · {count("added")} added · {count("removed")} removed · totals are of all launches
          </span>
          <button
            class={state.onlyChanges.value ? "pill on" : "pill"}
            aria-pressed={state.onlyChanges.value}
            onClick={() => place.adjust({ changes: state.onlyChanges.value ? null : "only" })}
          >
            Only added and removed
          </button>
          <ListExport list={state.list} name={useScopedName("comparison")} />
        </div>
        <ListTable
          list={state.list}
          label="What changed"
          nothing="No device did any work in either, or nothing was added or removed."
        />
      </div>
      {opened !== null && <Evidence state={state} row={opened} />}
    </>
  );
}

function Head({ state }: { state: CompareState }) {
  const { place } = useApp();
  return (
    <header class="comparison-head">
      <PairChoice compared={state} command="compare.swap" />
      <label>
        <span class="dim">joined by</span>{" "}
        <select
          class="choice"
          value={state.join.value}
          onChange={({ currentTarget: { value } }) =>
            place.adjust({ join: value === "name" ? null : value, comparerow: null })
          }
        >
          {Object.entries(kJoins).map(([id, title]) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
    </header>
  );
}
