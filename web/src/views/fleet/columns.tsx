// The columns of the tables of a store: its jobs, the kernels of a job, and two jobs compared.
import { formatCount, formatShare } from "../../lib/text";
import { Duration } from "../parts/figure";
import { Name } from "../parts/name";
import type { Column } from "../parts/table";
import type { Comparison, Job, JobKernel } from "./model";

/** In UTC, to the minute. */
export function sayWhen(at_s: number): string {
  return new Date(at_s * 1000).toISOString().slice(0, 16).replace("T", " ");
}

export const kJobColumns: readonly Column<Job>[] = [
  { id: "job", title: "job", align: "left", isWide: true, show: ({ job }) => job },
  { id: "ranks", title: "ranks", show: ({ ranks }) => formatCount(ranks) },
  {
    id: "whole",
    title: "state",
    hint: "Whether all ranks are pushed to their end",
    align: "left",
    show: ({ ranks, whole }) =>
      whole === ranks ? "complete" : <span class="warned">{formatCount(ranks - whole)} incomplete</span>,
  },
  { id: "slices", title: "slices", show: ({ slices }) => formatCount(slices) },
  { id: "rows", title: "rows", show: ({ stored_rows }) => formatCount(stored_rows) },
  { id: "format", title: "format", align: "left", show: ({ format }) => format },
  { id: "at", title: "last push (UTC)", show: ({ at_s }) => sayWhen(at_s) },
];

export function jobKernelColumns(goToRank: (rank: number) => void): readonly Column<JobKernel>[] {
  return [
    {
      id: "name",
      title: "kernel",
      align: "left",
      isWide: true,
      namesOf: ({ name }) => [name],
      show: ({ name }) => <Name name={name} />,
      value: ({ name }) => name,
    },
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
      title: "min",
      hint: "The total of the rank with the least",
      show: ({ least_ns }) => <Duration ns={least_ns} />,
      value: ({ least_ns }) => least_ns,
    },
    {
      id: "median",
      title: "median",
      hint: "The total of the median rank",
      show: ({ median_ns }) => <Duration ns={median_ns} />,
      value: ({ median_ns }) => median_ns,
    },
    {
      id: "most",
      title: "max",
      hint: "The total of the rank with the most",
      show: ({ most_ns }) => <Duration ns={most_ns} />,
      value: ({ most_ns }) => most_ns,
    },
    {
      id: "spread",
      title: "most over median",
      hint: "How much more time the rank with the most has than the median rank, of the median rank's",
      show: ({ median_ns, most_ns }) => (median_ns > 0 ? `+${formatShare(most_ns / median_ns - 1)}` : ""),
      value: ({ median_ns, most_ns }) => (median_ns > 0 ? most_ns / median_ns - 1 : null),
    },
    {
      id: "rank",
      title: "rank with max",
      show: ({ most_rank }) => (
        <button class="link" onClick={() => goToRank(most_rank)}>
          {most_rank}
        </button>
      ),
      value: ({ most_rank }) => most_rank,
    },
  ];
}

function sayChange({ before_ns, after_ns }: Comparison): string {
  if (before_ns === 0) return "came";
  if (after_ns === 0) return "went";
  const change = after_ns / before_ns - 1;
  return `${change >= 0 ? "+" : "−"}${formatShare(Math.abs(change))}`;
}

const sayLaunches = (launches: number) => formatCount(Math.round(10 * launches) / 10);

/** before, after: how many ranks the jobs have, that one of each can be set against the other. */
export const comparisonColumns = (before: number, after: number): readonly Column<Comparison>[] => [
  {
    id: "name",
    title: "kernel",
    align: "left",
    isWide: true,
    namesOf: ({ name }) => [name],
    show: ({ name }) => <Name name={name} />,
    value: ({ name }) => name,
  },
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
