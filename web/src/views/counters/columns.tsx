// The columns of the table of runs, the same for all of them, and of the table of sampled kernels.
import { nameOfStall } from "../../lib/pc-samples";
import { formatCount, formatDuration, formatShare } from "../../lib/text";
import { Figure, Share } from "../parts/figure";
import { kNothing } from "../parts/list-view/field-column";
import { Name } from "../parts/name";
import type { Column } from "../parts/table";
import type { RunRow, WireCounters, WireSampling } from "./wire";

const figure = (value: number | null) =>
  value === null ? kNothing : <Figure text={formatCount(value)} exact={value} />;
const share = (percent: number | null) => (percent === null ? kNothing : <Share of={percent / 100} />);

/** How a run's occupancy and imbalance come about. */
export const kOccupancyFormula =
  "100 · cycles of all waves / (traced engines · cycles of the longest · SIMDs of an engine · waves that a SIMD holds)";
export const kImbalanceFormula = "The wave cycles of the compute unit (of RDNA the WGP) that has most, over the mean's";

export function runColumns({ counters, rates, runs }: WireCounters): readonly Column<RunRow>[] {
  const columns: Column<RunRow>[] = [
    {
      id: "kernel",
      title: "Kernel",
      align: "left",
      namesOf: (row) => [row.kernel],
      show: (row) => (
        <span class="kernel-cell" title={row.problem || undefined}>
          <Name name={row.kernel} />
          {row.problem !== "" && <span class="removed"> {row.problem}</span>}
        </span>
      ),
      value: (row) => row.kernel,
    },
    { id: "run", title: "Run", hint: "Its number in the capture", show: (row) => row.run, value: (row) => row.run },
    {
      id: "duration",
      title: "Duration",
      show: (row) =>
        row.dur_us === null ? (
          kNothing
        ) : (
          <Figure text={formatDuration(row.dur_us * 1000)} exact={row.dur_us * 1000} unit="ns" />
        ),
      value: (row) => row.dur_us,
    },
    ...rates.map(({ name, formula }, at) => ({
      id: name,
      title: name,
      hint: formula,
      show: (row: RunRow) => share(row.rates[at]!),
      value: (row: RunRow) => row.rates[at]!,
    })),
    {
      id: "occupancy",
      title: "Occupancy",
      hint: kOccupancyFormula,
      show: (row) => share(row.occupancy),
      value: (row) => row.occupancy,
    },
    {
      id: "imbalance",
      title: "Imbalance",
      hint: kImbalanceFormula,
      show: (row) =>
        row.imbalance === null ? kNothing : <Figure text={`${row.imbalance.toFixed(2)} ×`} exact={row.imbalance} />,
      value: (row) => row.imbalance,
    },
    ...counters.map((name, at) => ({
      id: name,
      title: name,
      hint: "Summed up over all places where it is counted",
      show: (row: RunRow) => figure(row.values[at]!),
      value: (row: RunRow) => row.values[at]!,
    })),
  ];
  const isTold = { occupancy: runs.occupancy, imbalance: runs.imbalance } as Record<string, (number | null)[]>;
  return columns.filter(({ id }) => isTold[id]?.some((value) => value !== null) ?? true);
}

export function samplingColumns(samplings: readonly WireSampling[]): readonly Column<WireSampling>[] {
  const stalls = [...new Set(samplings.flatMap((sampling) => sampling.stalls))];
  const shareOf = (row: WireSampling, stall: string) => {
    const at = row.stalls.indexOf(stall);
    return at < 0 || row.samples === 0 ? null : row.counts[at]! / row.samples;
  };
  const runs = new Map<string, number>();
  const runOf = new Map<WireSampling, number>();
  for (const row of samplings) {
    runs.set(row.kernel, (runs.get(row.kernel) ?? 0) + 1);
    runOf.set(row, runs.get(row.kernel)!);
  }
  return [
    {
      id: "kernel",
      title: "Kernel",
      align: "left",
      namesOf: (row) => [row.kernel],
      show: (row) => <Name name={row.kernel} />,
      value: (row) => row.kernel,
    },
    {
      id: "run",
      title: "Run",
      hint: "Which of the kernel's runs that were sampled",
      show: (row) => runOf.get(row),
      value: (row) => runOf.get(row)!,
    },
    { id: "samples", title: "Samples", show: (row) => figure(row.samples), value: (row) => row.samples },
    {
      id: "active",
      title: "Issued",
      hint: "Samples in which the warp issued an instruction",
      show: (row) => formatShare(row.active / Math.max(row.samples, 1)),
      value: (row) => row.active,
    },
    ...stalls.map((stall) => ({
      id: stall,
      title: nameOfStall(stall),
      hint: `Samples with ${stall}`,
      show: (row: WireSampling) => {
        const of = shareOf(row, stall);
        return of === null ? kNothing : <Share of={of} />;
      },
      value: (row: WireSampling) => shareOf(row, stall),
    })),
  ];
}
