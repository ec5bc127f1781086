// The ranks of a job: step by step against each other, busy or idle over time, and as a table with the slowest first.
import { computed } from "@preact/signals";
import { formatCount, formatDuration, formatShare } from "../../lib/text";
import { useApp, useCommand } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { Section } from "../parts/section";
import { Table, textColumns, type Column } from "../parts/table";
import { TableExport } from "../parts/table-export";
import { HeatMap, strongestOf } from "./heat-map";
import { JobFilter, keepRows, NothingKept } from "./job-filter";
import type { RankRow } from "./model";
import type { FleetState } from "./state";

function signed(share: number): string {
  if (Math.abs(share) < 0.0005) return "±0 %";
  return `${share >= 0 ? "+" : "−"}${formatShare(Math.abs(share))}`;
}

export function JobRanks({ fleet }: { fleet: FleetState }) {
  useCommand("fleet.open", () => fleet.chosen.value !== null && void fleet.open(fleet.chosen.value));
  const ranks = fleet.ranks.value;
  if (ranks === null) return <Blank title="Asking the store" />;
  return (
    <>
      <div class="fleet-maps">
        <Steps fleet={fleet} />
        <Busy fleet={fleet} />
      </div>
      <RankTable fleet={fleet} rows={ranks} />
    </>
  );
}

function Steps({ fleet }: { fleet: FleetState }) {
  const heat = fleet.steps.value;
  if (heat === null) return null;
  return (
    <Section
      title="Steps"
      note={`against the step's median over all ranks: red up to ${formatShare(strongestOf(heat))} slower, blue faster`}
    >
      <Medians median_ns={heat.median_ns} numbers={heat.numbers} />
      <HeatMap
        heat={heat}
        label="Steps of each rank, against the median of the step"
        tone="difference"
        chosen={fleet.chosen.value}
        onRank={fleet.choose}
        say={(row, column) => {
          const dur_ns = heat.durs_ns[row]![column] ?? null;
          const where = `rank ${heat.ranks[row]!} · step ${heat.numbers[column]!}`;
          return dur_ns === null
            ? `${where}: none`
            : `${where}: ${formatDuration(dur_ns)}, ${signed(heat.values[row]![column]!)} against the median`;
        }}
      />
    </Section>
  );
}

/** How long each step took half of the ranks: a step that is slow for all is seen here. */
function Medians({ median_ns, numbers }: { median_ns: readonly number[]; numbers: readonly number[] }) {
  const most = Math.max(...median_ns, 1);
  return (
    <div class="fleet-medians" role="img" aria-label="Median of each step">
      {median_ns.map((ns, column) => (
        <span
          key={numbers[column]}
          style={{ height: `${(100 * ns) / most}%` }}
          title={`step ${numbers[column]!}: median ${formatDuration(ns)}`}
        />
      ))}
    </div>
  );
}

function Busy({ fleet }: { fleet: FleetState }) {
  const heat = fleet.busy.value;
  if (heat === null || heat.ranks.length === 0) return null;
  return (
    <Section title="Devices, over time" note="colour: busy; from each rank's own start">
      <div class="fleet-medians" />
      <HeatMap
        heat={heat}
        label="How busy the devices of each rank were over time"
        tone="share"
        chosen={fleet.chosen.value}
        onRank={fleet.choose}
        say={(row, column) => {
          const share = heat.values[row]![column] ?? null;
          return `rank ${heat.ranks[row]!}: ${share === null ? "ended" : `${formatShare(share)} busy`}`;
        }}
      />
    </Section>
  );
}

const kOrders: Record<string, (row: RankRow) => number> = {
  rank: (row) => row.rank,
  slowness: (row) => row.slowness ?? -Infinity,
  worst: (row) => row.worst ?? -Infinity,
  busy: (row) => (row.busy_ns === null ? -Infinity : row.busy_ns / Math.max(row.span_ns, 1)),
  span: (row) => row.span_ns,
  last: (row) => row.timesLast,
  slices: (row) => row.slices,
};

function columnsOf(fleet: FleetState): Column<RankRow>[] {
  return [
    { id: "rank", title: "rank", show: ({ rank }) => rank, value: ({ rank }) => rank },
    {
      id: "capture",
      title: "capture",
      align: "left",
      isWide: true,
      isFixed: true,
      show: ({ capture }) => capture,
      value: ({ capture }) => capture,
    },
    {
      id: "slowness",
      title: "slower",
      hint: "Of its steps, on average, against the median of all ranks",
      show: ({ slowness }) => (slowness === null ? "" : signed(slowness)),
      value: ({ slowness }) => slowness,
    },
    {
      id: "worst",
      title: "worst step",
      show: ({ worst, worstStep }) => (worst === null ? "" : `${worstStep!}: ${signed(worst)}`),
      value: ({ worst }) => worst,
    },
    {
      id: "last",
      title: "came last",
      hint: "To how many collectives it came last: the others had waited longer",
      show: ({ timesLast }) => (timesLast === 0 ? "" : formatCount(timesLast)),
      value: ({ timesLast }) => timesLast,
    },
    {
      id: "busy",
      title: "busy",
      hint: "Share of its time in which any of its devices ran",
      show: ({ busy_ns, span_ns }) => (busy_ns === null ? "" : formatShare(busy_ns / Math.max(span_ns, 1))),
      value: ({ busy_ns }) => busy_ns,
    },
    { id: "span", title: "time", show: ({ span_ns }) => formatDuration(span_ns), value: ({ span_ns }) => span_ns },
    { id: "slices", title: "slices", show: ({ slices }) => formatCount(slices), value: ({ slices }) => slices },
    {
      id: "open",
      title: "",
      isFixed: true,
      show: ({ rank, isWhole }) =>
        isWhole ? (
          <button
            class="quiet"
            aria-label={`Open rank ${rank}`}
            disabled={fleet.opening.value !== null}
            onClick={(event) => {
              event.stopPropagation();
              fleet.choose(rank);
              void fleet.open(rank);
            }}
          >
            {fleet.opening.value === rank ? "Opening" : "Open"}
          </button>
        ) : (
          <span class="warned" title="It is being pushed, or its push was cut: run it again">
            not whole
          </span>
        ),
    },
  ];
}

function RankTable({ fleet, rows }: { fleet: FleetState; rows: RankRow[] }) {
  const { place } = useApp();
  const wanted = place.key("jobsort").value ?? "-slowness";
  const descending = wanted.startsWith("-");
  const column = wanted.replace(/^-/, "");
  const order = kOrders[column] ?? kOrders.rank!;
  const sorted = computed(() => {
    const way = descending ? -1 : 1;
    const kept = keepRows(fleet, rows, ({ rank, capture }) => `${rank} ${capture}`);
    return kept.sort((a, b) => (order(a) === order(b) ? a.rank - b.rank : way * (order(a) < order(b) ? -1 : 1)));
  });
  const columns = columnsOf(fleet);
  return (
    <Section
      title="Ranks"
      note={
        <span class="fleet-tools">
          <JobFilter fleet={fleet} what="ranks" />
          <TableExport columns={textColumns(columns)} rows={sorted.value} name="ranks" />
        </span>
      }
    >
      <Table
        columns={columns}
        rows={sorted.value}
        keyOf={({ rank }) => rank}
        label="Ranks"
        sort={{
          column,
          descending,
          by: (id) => place.adjust({ jobsort: id === column && descending ? id : `-${id}` }),
        }}
        isCurrent={({ rank }) => rank === fleet.chosen.value}
        onRow={({ rank }) => fleet.choose(rank)}
      />
      <NothingKept rows={sorted.value} />
    </Section>
  );
}
