// What ran on the devices of all ranks, and how much that differs from rank to rank.
import { formatCount, formatShare } from "../../lib/text";
import { Blank } from "../parts/blank";
import { Duration } from "../parts/figure";
import { Table, textColumns, type Column } from "../parts/table";
import { TableExport } from "../parts/table-export";
import { JobFilter, keepRows, NothingKept, sayKept } from "./job-filter";
import type { JobKernel } from "./model";
import type { FleetState } from "./state";

function columnsOf(fleet: FleetState): Column<JobKernel>[] {
  return [
    { id: "name", title: "kernel", align: "left", isWide: true, show: ({ name }) => name, value: ({ name }) => name },
    { id: "ranks", title: "ranks", show: ({ ranks }) => formatCount(ranks), value: ({ ranks }) => ranks },
    {
      id: "launches",
      title: "launches",
      show: ({ launches }) => formatCount(launches),
      value: ({ launches }) => launches,
    },
    {
      id: "total",
      title: "total",
      show: ({ total_ns }) => <Duration ns={total_ns} />,
      value: ({ total_ns }) => total_ns,
    },
    {
      id: "least",
      title: "least",
      hint: "Of the ranks the one with the least",
      show: ({ least_ns }) => <Duration ns={least_ns} />,
      value: ({ least_ns }) => least_ns,
    },
    {
      id: "median",
      title: "median rank",
      show: ({ median_ns }) => <Duration ns={median_ns} />,
      value: ({ median_ns }) => median_ns,
    },
    { id: "most", title: "most", show: ({ most_ns }) => <Duration ns={most_ns} />, value: ({ most_ns }) => most_ns },
    {
      id: "spread",
      title: "beyond median",
      hint: "The rank with the most, against the median",
      show: ({ median_ns, most_ns }) => (median_ns > 0 ? `+${formatShare(most_ns / median_ns - 1)}` : ""),
      value: ({ median_ns, most_ns }) => (median_ns > 0 ? most_ns / median_ns - 1 : null),
    },
    {
      id: "rank",
      title: "rank with most",
      show: ({ most_rank }) => (
        <button
          class="link"
          onClick={() => {
            fleet.choose(most_rank);
            fleet.goToPart("ranks");
          }}
        >
          {most_rank}
        </button>
      ),
      value: ({ most_rank }) => most_rank,
    },
  ];
}

export function JobKernels({ fleet }: { fleet: FleetState }) {
  const kernels = fleet.kernels.value;
  if (kernels === null) return <Blank title="Asking the store" />;
  if (kernels.length === 0) return <p class="dim note">No device did any work in this job.</p>;
  const columns = columnsOf(fleet);
  const kept = keepRows(fleet, kernels, ({ name }) => name);
  return (
    <>
      <div class="fleet-note">
        <JobFilter fleet={fleet} what="kernels" />
        <span class="dim">{sayKept(kept, kernels, "kernel")} over all ranks, most time first</span>
        <TableExport columns={textColumns(columns)} rows={kept} name="kernels of all ranks" />
      </div>
      <Table columns={columns} rows={kept} keyOf={({ name }) => name} label="Kernels of all ranks" />
      <NothingKept rows={kept} />
    </>
  );
}
