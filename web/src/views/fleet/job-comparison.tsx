// The job on screen with another: the time of each kernel in a rank, on average.
import { formatCount, formatShare } from "../../lib/text";
import { Blank } from "../parts/blank";
import { Duration } from "../parts/figure";
import { Table, textColumns, type Column } from "../parts/table";
import { TableExport } from "../parts/table-export";
import { JobFilter, keepRows, NothingKept } from "./job-filter";
import type { Job } from "./model";
import type { Comparison, FleetState } from "./state";

function sayChange({ before_ns, after_ns }: Comparison): string {
  if (before_ns === 0) return "came";
  if (after_ns === 0) return "went";
  const change = after_ns / before_ns - 1;
  return `${change >= 0 ? "+" : "−"}${formatShare(Math.abs(change))}`;
}

const sayLaunches = (launches: number) => formatCount(Math.round(10 * launches) / 10);

/** before, after: how many ranks the jobs have, that one of each can be set against the other. */
const columnsOf = (before: number, after: number): Column<Comparison>[] => [
  { id: "name", title: "kernel", align: "left", isWide: true, show: ({ name }) => name, value: ({ name }) => name },
  {
    id: "before",
    title: "before",
    show: ({ before_ns }) => <Duration ns={before_ns} />,
    value: ({ before_ns }) => before_ns,
  },
  {
    id: "after",
    title: "after",
    show: ({ after_ns }) => <Duration ns={after_ns} />,
    value: ({ after_ns }) => after_ns,
  },
  {
    id: "change",
    title: "change",
    show: (row) => <span class={row.after_ns > row.before_ns ? "slower" : "faster"}>{sayChange(row)}</span>,
    value: sayChange,
  },
  {
    id: "launches",
    title: "launches",
    hint: "Of a rank, on average, before and after",
    show: ({ before_launches, after_launches }) =>
      `${sayLaunches(before_launches / before)} → ${sayLaunches(after_launches / after)}`,
    value: ({ after_launches }) => after_launches / after,
  },
];

export function JobComparison({ fleet, jobs }: { fleet: FleetState; jobs: Job[] }) {
  const other = fleet.other.value;
  const rows = fleet.comparison.value;
  if (other === null)
    return (
      <Blank title="There is nothing to compare with" lines={["The store has this one job: push another beside it."]} />
    );
  const ranksOf = (name: string | null) => Math.max(jobs.find(({ job }) => job === name)?.ranks ?? 1, 1);
  const columns = columnsOf(ranksOf(other), ranksOf(fleet.job.value));
  const kept = keepRows(fleet, rows ?? [], ({ name }) => name);
  return (
    <>
      <div class="fleet-note">
        <JobFilter fleet={fleet} what="kernels" />
        <label class="fleet-choice">
          <span class="dim">before</span>
          <select class="choice" value={other} onChange={(event) => fleet.compareWith(event.currentTarget.value)}>
            {jobs
              .filter(({ job }) => job !== fleet.job.value)
              .map(({ job }) => (
                <option key={job} value={job}>
                  {job}
                </option>
              ))}
          </select>
        </label>
        <span class="dim">Time of a rank, on average over all ranks; what changed most comes first</span>
        {rows !== null && <TableExport columns={textColumns(columns)} rows={kept} name="jobs compared" />}
      </div>
      {rows === null ? (
        <Blank title="Asking the store" />
      ) : (
        <>
          <Table columns={columns} rows={kept} keyOf={({ name }) => name} label="Kernels of both jobs" />
          <NothingKept rows={kept} />
        </>
      )}
    </>
  );
}
