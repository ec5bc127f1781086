// The steps of a server of models: time per step and its spread, tokens per second, the steady window, and what the
// device waited for before replays.
import { computed, type ReadonlySignal } from "@preact/signals";
import { linkToStretch } from "../../lib/devices";
import { groupSteps, type WireReplayGap, type WireServerStep, type WireServerSteps } from "../../lib/replays";
import { formatCount, formatDuration, formatPlural, formatShare } from "../../lib/text";
import { followScoped } from "../../state/asked";
import type { Fetched } from "../../state/fetched";
import { useApp } from "../parts/app-context";
import { createList, type List } from "../parts/list-view/list";
import { ListExport, ListFilter, ListTable, WhenFetched } from "../parts/list-view/list-view";
import { OnlyRank } from "../parts/only-rank";
import { ScopeButton } from "../parts/scope-button";
import { Table } from "../parts/table";
import { useScopedName } from "../parts/use-scoped-name";
import { Nothing } from "../parts/nothing";
import type { OpenView } from "../view";
import { kGapHints, groupColumns, stepColumns } from "./columns";
import { StepChart } from "./step-chart";
import "./server-steps.css";

type RankSteps = WireServerSteps["ranks"][number];

interface StepsState {
  fetched: ReadonlySignal<Fetched<WireServerSteps>>;
  list: List<WireServerStep>;
  /** Whether steps with more and with less context are no longer alike. */
  byContext: ReadonlySignal<boolean>;
}

export const openServerSteps: OpenView = (app, isShown) => {
  const fetched = followScoped<WireServerSteps>(app, isShown, () => "/api/v1/server-steps");
  const rows = computed(() => fetched.value.value?.data.ranks[0]?.rows ?? []);
  const list = createList<WireServerStep>(app.place, {
    rows: () => rows.value,
    columns: () => stepColumns(rows.value),
    keyOf: (row) => row.step,
    textOf: (row) => `phase:${row.phase ?? "none"} ${row.name}`,
    keys: { text: "steps", order: "steporder" },
  });
  const alike = app.place.key("stepsalike");
  const byContext = computed(() => alike.value === "context");
  return () => <ServerSteps state={{ fetched, list, byContext }} />;
};

function ServerSteps({ state: { fetched, list, byContext } }: { state: StepsState }) {
  const { place } = useApp();
  return (
    <div class="work whole server-steps">
      <header class="work-head">
        <ListFilter list={list} hint="Filter: phase:decode, or by name" label="Filter steps" />
        <span class="dim">{formatPlural(list.rows.value.length, "step")}</span>
        <OnlyRank ranks={fetched.value.value?.data.ranks ?? []} />
        <ListExport list={list} name={useScopedName("server steps")} />
      </header>
      <WhenFetched fetched={fetched.value} waiting="Finding the server's steps" broken="The steps cannot be shown">
        {({ ranks: [rank] }) =>
          rank === undefined || rank.rows.length === 0 ? (
            <p class="dim note">
              <Nothing of="server_steps" none="No step of a server is told in this capture." />
            </p>
          ) : (
            <div class="scroll" data-scrolls tabIndex={0}>
              <Steady rank={rank} />
              <StepChart rows={list.rows.value} steady={rank.steady} />
              <Gaps gap={rank.gap} />
              <h3>
                Steps alike{" "}
                {list.rows.value.some(({ generation_kv }) => generation_kv !== null) && (
                  <button
                    class={byContext.value ? "pill on" : "pill"}
                    aria-pressed={byContext.value}
                    title="Of how much context each request has, by powers of two"
                    onClick={() => place.adjust({ stepsalike: byContext.value ? null : "context" })}
                  >
                    By context too
                  </button>
                )}
              </h3>
              <Table
                columns={groupColumns(byContext.value)}
                rows={groupSteps(list.rows.value, byContext.value)}
                keyOf={({ phase, requests, context_from }) => `${phase} ${requests} ${context_from}`}
                label="Steps by phase and requests"
              />
              <h3>Each step</h3>
              <ListTable list={list} label="Steps of the server" onRow={(row) => place.follow(linkToStretch(row))} />
            </div>
          )
        }
      </WhenFetched>
    </div>
  );
}

/** The window in which the server was fully used, in words, and as the range of all other views. */
function Steady({ rank: { steady } }: { rank: RankSteps }) {
  if (steady === null)
    return <p class="dim note">No steady window: no step of this server tells how many requests it serves.</p>;
  const { decode_period_median_ns: period_ns, tokens_per_s } = steady;
  return (
    <p class="steady-line">
      <ScopeButton of="the steady window" change={{ range: { from: steady.from_ns, to: steady.to_ns } }} /> Steady
      window: {formatPlural(steady.steps, "step")} of up to {formatPlural(steady.requests_max, "request")}
      {tokens_per_s !== null && (
        <>
          {" "}
          · <b>{formatCount(Math.round(tokens_per_s * 10) / 10)} tokens/s</b>
        </>
      )}
      {period_ns !== null && (
        <>
          {" "}
          · <b>{formatDuration(period_ns)}</b> a decode step
        </>
      )}
    </p>
  );
}

const kGapTitles: Record<keyof WireReplayGap, string> = {
  launch_ns: "launch late",
  host_ns: "host late",
  no_step_ns: "nothing to do",
  unknown_ns: "not told",
};

function Gaps({ gap }: { gap: WireReplayGap }) {
  const parts = (Object.keys(kGapTitles) as (keyof WireReplayGap)[]).filter((part) => gap[part] > 0);
  const all_ns = parts.reduce((sum, part) => sum + gap[part], 0);
  if (all_ns === 0) return <p class="dim">Before no replay was its device idle.</p>;
  return (
    <p class="replay-gaps">
      <span class="dim">Idle before replays, {formatDuration(all_ns)}:</span>{" "}
      {parts.map((part) => (
        <span key={part} class={`replay-gap gap-${part}`} title={kGapHints[part]}>
          {kGapTitles[part]} <b>{formatDuration(gap[part])}</b>{" "}
          <span class="dim">{formatShare(gap[part] / all_ns)}</span>
        </span>
      ))}
    </p>
  );
}
