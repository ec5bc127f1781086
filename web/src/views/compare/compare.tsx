// Two captures compared, the one on screen with an earlier one: which kernels came, went, became faster and slower.
import { nameDevice, type WireComparison } from "../../lib/devices";
import { formatDuration, formatPlural } from "../../lib/text";
import type { OpenView } from "../view";
import { useApp } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { Duration } from "../parts/figure";
import { ListExport, ListTable, WhenFetched } from "../parts/list-view/list-view";
import { TimeBar } from "../parts/time-bar";
import { useScopedName } from "../parts/use-scoped-name";
import { kJoins, type Row } from "./columns";
import { KernelRewrites } from "./kernel-rewrites";
import { createCompare, type CompareState } from "./state";
import "./compare.css";

export const openCompare: OpenView = (app) => {
  const state = createCompare(app);
  return () => <Compare state={state} />;
};

function Compare({ state }: { state: CompareState }) {
  const { session } = useApp();
  if (state.other.value === null)
    return (
      <Blank
        title="There is nothing to compare with"
        lines={[
          "Open another capture beside this one: name both on the command line, or drop a file on the page.",
          "  vizd before.json.gz after.json.gz",
        ]}
      />
    );
  return (
    <WhenFetched fetched={state.fetched.value} waiting="Comparing" broken="The captures cannot be compared">
      {(data) => (session.capture.value === null ? null : <Comparison state={state} data={data} />)}
    </WhenFetched>
  );
}

function Comparison({ state, data }: { state: CompareState; data: WireComparison }) {
  const { session, place } = useApp();
  const hasRewrites = session.capture.value?.has_rewrites === true;
  const chosen = state.kernel.value;
  return (
    <div class="compare" data-scrolls tabIndex={0}>
      <header class="compare-head">
        <Choices state={state} />
        <ListExport list={state.list} name={useScopedName("comparison")} />
      </header>
      <Totals data={data} />
      <Breakdowns data={data} />
      {hasRewrites && chosen !== "" && (
        <KernelRewrites
          kernel={chosen}
          other={state.otherId.value ?? ""}
          onClose={() => place.adjust({ rewritesof: null })}
        />
      )}
      <ListTable
        list={state.list}
        label="What changed"
        nothing="No device did any work in either, or nothing came and went."
      />
    </div>
  );
}

function Choices({ state }: { state: CompareState }) {
  const { session, place } = useApp();
  const captures = (session.info.value?.captures ?? []).filter(({ has_profile }) => has_profile);
  return (
    <>
      <label>
        <span class="dim">before (A)</span>{" "}
        <select
          class="choice"
          value={state.other.value!}
          onChange={(event) => place.adjust({ against: event.currentTarget.value })}
        >
          {captures
            .filter(({ id }) => id !== session.capture.value?.id)
            .map(({ id, name }) => (
              <option key={id} value={name}>
                {name}
              </option>
            ))}
        </select>
      </label>
      <span>
        <span class="dim">after (B)</span> {session.capture.value?.name}
      </span>
      <label>
        <span class="dim">joined by</span>{" "}
        <select
          class="choice"
          value={state.join.value}
          onChange={(event) =>
            place.adjust({ join: event.currentTarget.value === "name" ? null : event.currentTarget.value })
          }
        >
          {Object.entries(kJoins).map(([id, title]) => (
            <option key={id} value={id}>
              {title}
            </option>
          ))}
        </select>
      </label>
      <button
        class={state.onlyChanges.value ? "pill on" : "pill"}
        aria-pressed={state.onlyChanges.value}
        onClick={() => place.adjust({ changes: state.onlyChanges.value ? null : "only" })}
      >
        Only what came and went
      </button>
    </>
  );
}

function Totals({ data: { rows } }: { data: WireComparison }) {
  const sum = (of: (row: Row) => number) => rows.reduce((all, row) => all + of(row), 0);
  const [a, b] = [sum((row) => row.a_total_ns), sum((row) => row.b_total_ns)];
  const count = (wanted: Row["state"]) => rows.filter(({ state }) => state === wanted).length;
  return (
    <p class="compare-totals">
      All work <Duration ns={a} /> → <Duration ns={b} />{" "}
      <strong class={b > a ? "removed" : "made"}>{a === 0 ? "" : formatChange(b / a - 1)}</strong>{" "}
      <span class="dim">
        {count("both")} in both · {formatPlural(count("added"), "kernel")} came · {count("removed")} went
      </span>
    </p>
  );
}

/** Side by side, on one scale. */
function Breakdowns({ data: { a, b } }: { data: WireComparison }) {
  const whole = [a, b].map(({ name, breakdown }) => ({
    name,
    rows: breakdown.filter(({ stream }) => stream === null),
  }));
  const longest_ns = Math.max(1, ...whole.flatMap(({ rows }) => rows.map(({ span_ns }) => span_ns)));
  return (
    <div class="compare-bars">
      {whole.flatMap(({ name, rows }, side) =>
        rows.map((row) => (
          <div key={`${side} ${nameDevice(row)}`}>
            <span class="dim" title={name}>
              {side === 0 ? "A" : "B"} {nameDevice(row)} · {formatDuration(row.span_ns)}
            </span>
            <TimeBar row={row} longest_ns={longest_ns} />
          </div>
        )),
      )}
    </div>
  );
}

const formatChange = (share: number) => `${share >= 0 ? "+" : "−"}${(100 * Math.abs(share)).toFixed(1)} %`;
