// The tables of a store as lists. One filter is for all of them: only one is on screen.
import type { ReadonlySignal } from "@preact/signals";
import type { PlaceState } from "../../state/place";
import { createList, type List } from "../parts/list-view/list";
import { comparisonColumns, jobKernelColumns, kJobColumns } from "./columns";
import type { Comparison, Job, JobKernel, RankRow } from "./model";
import { rankColumns, type RankOpener } from "./rank-columns";

export interface FleetLists {
  jobs: List<Job>;
  ranks: List<RankRow>;
  kernels: List<JobKernel>;
  comparison: List<Comparison>;
}

/** The store's answers: null until they have come. */
interface FleetRows {
  jobs: ReadonlySignal<Job[] | null>;
  ranks: ReadonlySignal<RankRow[] | null>;
  kernels: ReadonlySignal<JobKernel[] | null>;
  comparison: ReadonlySignal<Comparison[] | null>;
  /** The job on screen, and the one that it is compared with. */
  job: ReadonlySignal<string | null>;
  other: ReadonlySignal<string | null>;
}

export function createLists(
  place: PlaceState,
  { jobs, ranks, kernels, comparison, job, other }: FleetRows,
  opener: RankOpener,
  goToRank: (rank: number) => void,
): FleetLists {
  const text = "jobfind";
  const countRanks = (name: string | null) =>
    Math.max((jobs.value ?? []).find((each) => each.job === name)?.ranks ?? 1, 1);
  return {
    jobs: createList<Job>(place, {
      rows: () => jobs.value ?? [],
      columns: () => kJobColumns,
      keyOf: (row) => row.job,
      textOf: (row) => row.job,
      keys: { text },
    }),
    ranks: createList<RankRow>(place, {
      rows: () => ranks.value ?? [],
      columns: () => rankColumns(opener),
      keyOf: ({ rank }) => rank,
      textOf: ({ rank, capture }) => `${rank} ${capture}`,
      keys: { text, order: "jobsort", chosen: "jobrank" },
      firstOrder: { column: "slowness", descending: true },
    }),
    kernels: createList<JobKernel>(place, {
      rows: () => kernels.value ?? [],
      columns: () => jobKernelColumns(goToRank),
      keyOf: ({ name }) => name,
      textOf: ({ name }) => name,
      keys: { text },
    }),
    comparison: createList<Comparison>(place, {
      rows: () => comparison.value ?? [],
      columns: () => comparisonColumns(countRanks(other.value), countRanks(job.value)),
      keyOf: ({ name }) => name,
      textOf: ({ name }) => name,
      keys: { text },
    }),
  };
}
