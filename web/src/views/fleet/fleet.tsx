// The jobs of a store, or one of them: its ranks, its kernels over all ranks, against another job, in SQL.
import { formatCount, formatPlural } from "../../lib/text";
import { useApp, useCommand } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { ListFilter, ListTable } from "../parts/list-view/list-view";
import { SqlPage } from "../parts/sql/sql-page";
import type { OpenView } from "../view";
import { sayWhen } from "./columns";
import { JobComparison } from "./job-comparison";
import { JobKernels } from "./job-kernels";
import { JobRanks } from "./job-ranks";
import { sayKept } from "./say-kept";
import type { Job } from "./model";
import { createFleet, kParts, type FleetState, type Part } from "./state";
import "./fleet.css";

export const openFleet: OpenView = (app) => {
  const fleet = createFleet(app);
  return () => <Fleet fleet={fleet} />;
};

function Fleet({ fleet }: { fleet: FleetState }) {
  useCommand("fleet.reload", fleet.reload);
  const { session } = useApp();
  const address = session.info.value?.store?.address ?? "";
  const problem = fleet.problem.value;
  const jobs = fleet.jobs.value;
  if (jobs === null)
    return problem === null ? <Blank title="Asking the store" /> : <Away address={address} message={problem.message} />;
  return (
    <div class="fleet" data-scrolls tabIndex={0}>
      {problem !== null && (
        <p class="fleet-problem" role="alert">
          {problem.message}. vizd goes on asking; what is shown is what it had.
        </p>
      )}
      {fleet.job.value === null ? (
        <JobList fleet={fleet} jobs={jobs} />
      ) : (
        <OneJob fleet={fleet} job={fleet.job.value} jobs={jobs} />
      )}
    </div>
  );
}

function Away({ address, message }: { address: string; message: string }) {
  return (
    <Blank
      title="The store does not answer"
      lines={[`  ${address}`, `${message}. This page goes on asking, and comes back by itself.`]}
      tone="broken"
    />
  );
}

function JobList({ fleet, jobs }: { fleet: FleetState; jobs: Job[] }) {
  const { session } = useApp();
  const address = session.info.value?.store?.address ?? "";
  if (jobs.length === 0)
    return (
      <Blank
        title="The store has no job yet"
        lines={["Push captures into it:", `  vizd push rank_*.bin --store ${address} --job NAME`]}
      />
    );
  const list = fleet.lists.jobs;
  return (
    <>
      <header class="fleet-head">
        <h2>{sayKept(list, "job")}</h2>
        <span class="dim">{address}</span>
        <ListFilter list={list} hint="Filter jobs" label="Filter jobs" />
      </header>
      <ListTable list={list} label="Jobs" onRow={({ job }) => fleet.goToJob(job)} />
    </>
  );
}

function OneJob({ fleet, job, jobs }: { fleet: FleetState; job: string; jobs: Job[] }) {
  const about = jobs.find((one) => one.job === job);
  if (about === undefined)
    return (
      <Blank title={`The store has no job ${job}`}>
        <button onClick={() => fleet.goToJob(null)}>All jobs</button>
      </Blank>
    );
  return (
    <>
      <header class="fleet-head">
        <button class="quiet" onClick={() => fleet.goToJob(null)}>
          ‹ All jobs
        </button>
        <h2>{job}</h2>
        <span class="dim">
          {formatPlural(about.ranks, "rank")} · {formatCount(about.slices)} slices · pushed {sayWhen(about.at_s)} UTC
        </span>
        {about.whole < about.ranks && (
          <span class="warned" title="They are being pushed, or their push was cut: run it again">
            ▲ {formatPlural(about.ranks - about.whole, "rank")} incomplete
          </span>
        )}
        <span class="fleet-parts" role="group" aria-label="Parts">
          {(Object.keys(kParts) as Part[]).map((part) => (
            <button
              key={part}
              class="tab"
              aria-current={fleet.part.value === part ? "page" : undefined}
              onClick={() => fleet.goToPart(part)}
            >
              {kParts[part]}
            </button>
          ))}
        </span>
      </header>
      <PartOfJob fleet={fleet} jobs={jobs} />
    </>
  );
}

function PartOfJob({ fleet, jobs }: { fleet: FleetState; jobs: Job[] }) {
  switch (fleet.part.value) {
    case "ranks":
      return <JobRanks fleet={fleet} />;
    case "kernels":
      return <JobKernels fleet={fleet} />;
    case "compare":
      return <JobComparison fleet={fleet} jobs={jobs} />;
    case "sql":
      return <JobSql fleet={fleet} />;
  }
}

function JobSql({ fleet }: { fleet: FleetState }) {
  const opening = fleet.opening.value;
  return (
    <div class="fleet-sql">
      <SqlPage sql={fleet.sql}>
        <span class="dim">
          {opening === null
            ? "asks the store, in ClickHouse's SQL, of all its jobs and ranks; nothing can be changed from here"
            : `Opening rank ${opening}…`}
        </span>
      </SqlPage>
    </div>
  );
}
