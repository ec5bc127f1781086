// The ranks of a job: step by step against each other, busy or idle over time, and as a table with the slowest first.
import { formatDuration, formatShare } from "../../lib/text";
import { useCommand } from "../parts/app-context";
import { Blank } from "../parts/blank";
import type { List } from "../parts/list-view/list";
import { ListExport, ListFilter, ListTable } from "../parts/list-view/list-view";
import { Section } from "../parts/section";
import { HeatMap, strongestOf } from "./heat-map";
import type { RankRow } from "./model";
import { formatMoreShare } from "./rank-columns";
import type { FleetState } from "./state";

export function JobRanks({ fleet }: { fleet: FleetState }) {
  useCommand("fleet.open", () => fleet.chosen.value !== null && void fleet.open(fleet.chosen.value));
  if (fleet.ranks.value === null) return <Blank title="Asking the store" />;
  return (
    <>
      <div class="fleet-maps">
        <Steps fleet={fleet} />
        <Busy fleet={fleet} />
      </div>
      <RankTable list={fleet.lists.ranks} />
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
            : `${where}: ${formatDuration(dur_ns)}, ${formatMoreShare(heat.values[row]![column]!)} against the median`;
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

function RankTable({ list }: { list: List<RankRow> }) {
  return (
    <Section
      title="Ranks"
      note={
        <span class="fleet-tools">
          <ListFilter list={list} hint="Filter ranks" label="Filter ranks" />
          <ListExport list={list} name="ranks" />
        </span>
      }
    >
      <ListTable list={list} label="Ranks" />
    </Section>
  );
}
