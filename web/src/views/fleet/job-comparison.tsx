// The job on screen with another: the time of each kernel in a rank, on average.
import { Blank } from "../parts/blank";
import { ListExport, ListFilter, ListTable } from "../parts/list-view/list-view";
import type { Job } from "./model";
import type { FleetState } from "./state";

export function JobComparison({ fleet, jobs }: { fleet: FleetState; jobs: Job[] }) {
  const other = fleet.other.value;
  const rows = fleet.comparison.value;
  if (other === null)
    return (
      <Blank
        title="There is nothing to compare with"
        lines={["The store has this one job: push a second one to compare."]}
      />
    );
  const list = fleet.lists.comparison;
  return (
    <>
      <div class="fleet-note">
        <ListFilter list={list} hint="Filter kernels" label="Filter kernels" />
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
        {rows !== null && <ListExport list={list} name="jobs compared" />}
      </div>
      {rows === null ? <Blank title="Asking the store" /> : <ListTable list={list} label="Kernels of both jobs" />}
    </>
  );
}
