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

function kernelColumn<Row extends { readonly name: string }>(): Column<Row> {
  return {
    id: "name",
    title: "kernel",
    align: "left",
    isWide: true,
    namesOf: ({ name }) => [name],
    show: ({ name }) => <Name name={name} />,
    value: ({ name }) => name,
  };
}

function durationColumn<Row>(id: string, title: string, dur_ns: (row: Row) => number, hint?: string): Column<Row> {
  return { id, title, hint, show: (row) => <Duration ns={dur_ns(row)} />, value: dur_ns };
}

export function jobKernelColumns(goToRank: (rank: number) => void): readonly Column<JobKernel>[] {
  return [
    kernelColumn(),
    { id: "ranks", title: "ranks", show: ({ ranks }) => formatCount(ranks), value: ({ ranks }) => ranks },
    {
      id: "launches",
      title: "launches",
      show: ({ launches }) => formatCount(launches),
      value: ({ launches }) => launches,
    },
    durationColumn("total", "total", ({ total_ns }) => total_ns),
    durationColumn("least", "min", ({ least_ns }) => least_ns, "The total of the rank with the least"),
    durationColumn("median", "median", ({ median_ns }) => median_ns, "The total of the median rank"),
    durationColumn("most", "max", ({ most_ns }) => most_ns, "The total of the rank with the most"),
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
  kernelColumn(),
  durationColumn("before", "before", ({ before_ns }) => before_ns),
  durationColumn("after", "after", ({ after_ns }) => after_ns),
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
