// Two captures compared: the one on screen with an earlier one: which kernels came, went, became faster and slower.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture } from "../../lib/api";
import { nameDevice, type WireComparison } from "../../lib/devices";
import { stripAnsi } from "../../lib/ansi";
import { formatCount, formatDuration, formatPlural } from "../../lib/text";
import type { App } from "../../state/app";
import { followWish, type Fetched } from "../../state/fetched";
import type { OpenView } from "../view";
import { AnsiText } from "../parts/ansi-text";
import { useApp } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { Duration, Figure } from "../parts/figure";
import { Table, textColumns, type Column } from "../parts/table";
import { TableExport } from "../parts/table-export";
import { TimeBar } from "../parts/time-bar";
import { KernelRewrites } from "./kernel-rewrites";
import "./compare.css";

type Row = WireComparison["rows"][number];
const kJoins = {
  name: "exact name",
  family: "family",
  operator: "operator",
  occurrence: "name and place in the step",
} as const;
type Join = keyof typeof kJoins;

interface CompareState {
  fetched: ReadonlySignal<Fetched<WireComparison>>;
  other: ReadonlySignal<string | null>;
  join: ReadonlySignal<Join>;
  onlyChanges: ReadonlySignal<boolean>;
  /** Its id. */
  otherId: ReadonlySignal<string | null>;
  /** The kernel whose rewrites are compared; "": none. */
  kernel: ReadonlySignal<string>;
}

export const openCompare: OpenView = (app) => {
  const state = createCompare(app);
  return () => <Compare state={state} />;
};

function createCompare({ api, session, place }: App): CompareState {
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
      const path = `/api/v1/compare?with=${encodeURIComponent(other.id)}&by=${join.value}`;
      return `${capture.revision}.${other.revision} ${pathOfCapture(path, capture.id)}`;
    }),
    (path, abort) => api.getJson<WireComparison>(path, abort),
  );
  const changes = place.key("changes");
  const kernel = place.key("rewritesof");
  return {
    fetched,
    other: computed(() => chosen.value?.name ?? null),
    join,
    onlyChanges: computed(() => changes.value === "only"),
    otherId: computed(() => chosen.value?.id ?? null),
    kernel: computed(() => kernel.value ?? ""),
  };
}

function Compare({ state }: { state: CompareState }) {
  const { session } = useApp();
  const { value, problem } = state.fetched.value;
  const capture = session.capture.value;
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
  if (problem !== null)
    return <Blank title="The captures cannot be compared" lines={[problem.message]} tone="broken" />;
  if (value === null || capture === null) return <Blank title="Comparing" />;
  return <Comparison state={state} data={value.data} />;
}

function Comparison({ state, data }: { state: CompareState; data: WireComparison }) {
  const { session, place } = useApp();
  const hasRewrites = session.capture.value?.has_rewrites === true;
  const chosen = state.kernel.value;
  const join = state.join.value;
  const rows = state.onlyChanges.value ? data.rows.filter((row) => row.state !== "both") : data.rows;
  const columns = columnsOf(join);
  return (
    <div class="compare" data-scrolls tabIndex={0}>
      <header class="compare-head">
        <Choices state={state} />
        <TableExport columns={textColumns(columns)} rows={rows} name="comparison" />
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
      {rows.length === 0 ? (
        <p class="dim note">No device did any work in either, or nothing came and went.</p>
      ) : (
        <Table
          columns={columns}
          rows={rows}
          keyOf={(row) => `${row.class} ${nameOf(row, join)}`}
          label="What changed"
        />
      )}
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
const signed = (ns: number) => `${ns >= 0 ? "+" : "−"}${formatDuration(Math.abs(ns))}`;

function State({ of }: { of: Row["state"] }) {
  if (of === "both") return null;
  const hasCome = of === "added";
  return <span class={hasCome ? "made" : "removed"}>{hasCome ? "came" : "went"}</span>;
}

/** With its colours. */
function nameOf(row: Row, join: Join): string {
  if (join === "occurrence") return `${row.name} #${row.occurrence}`;
  return String(row[join] ?? "not known");
}

function columnsOf(join: Join): readonly Column<Row>[] {
  return [
    {
      id: "name",
      title: join === "occurrence" ? "name" : join,
      align: "left",
      isWide: true,
      show: (row) => (
        <span class="kernel-cell" title={stripAnsi(nameOf(row, join))}>
          <State of={row.state} /> <AnsiText text={nameOf(row, join).replace(/^void /, "")} />
        </span>
      ),
      value: (row) => stripAnsi(nameOf(row, join)),
    },
    {
      id: "a_launches",
      title: "A launches",
      show: (row) => formatCount(row.a_launches),
      value: (row) => row.a_launches,
    },
    {
      id: "b_launches",
      title: "B launches",
      show: (row) => formatCount(row.b_launches),
      value: (row) => row.b_launches,
    },
    {
      id: "a_total_ns",
      title: "A total",
      show: (row) => <Duration ns={row.a_total_ns} />,
      value: (row) => row.a_total_ns,
    },
    {
      id: "b_total_ns",
      title: "B total",
      show: (row) => <Duration ns={row.b_total_ns} />,
      value: (row) => row.b_total_ns,
    },
    {
      id: "delta_total_ns",
      title: "Change",
      show: (row) => (
        <span class={row.delta_total_ns > 0 ? "removed" : row.delta_total_ns < 0 ? "made" : ""}>
          <Figure text={signed(row.delta_total_ns)} exact={row.delta_total_ns} unit="ns" />
        </span>
      ),
      value: (row) => row.delta_total_ns,
    },
    {
      id: "total_ratio",
      title: "B / A",
      show: (row) =>
        row.total_ratio === null ? "" : <Figure text={row.total_ratio.toFixed(3)} exact={row.total_ratio} />,
      value: (row) => row.total_ratio,
    },
    {
      id: "median_change",
      title: "Median, 95 %",
      hint: "Between what the change of the median lies, with 95 % likelihood: told of five launches and more",
      show: (row) =>
        row.median_change_ns === null ? "" : `${signed(row.median_change_ns[0])} … ${signed(row.median_change_ns[1])}`,
    },
  ];
}
