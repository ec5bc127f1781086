// /api/v1/counters, /api/v1/counters/RUN and /api/v1/samples/SAMPLING (server/http/API.md), as rows.

export interface WireCounters {
  /** Names over all runs; each run has its numbers in this order. */
  counters: string[];
  runs: {
    kernel: string[];
    program: number[];
    run: number[];
    dur_us: (number | null)[];
    occupancy: (number | null)[];
    imbalance: (number | null)[];
    problem: string[];
    values: (number | null)[][];
    rates: (number | null)[][];
  };
  rates: { name: string; formula: string }[];
  samplings: WireSampling[];
}

export interface WireSampling {
  kernel: string;
  program: number;
  samples: number;
  active: number;
  /** The most frequent first. */
  stalls: string[];
  counts: number[];
}

export interface WireCounter {
  name: string;
  sum: number;
  groups: number;
  xcc: number[];
  instance: number[];
  engine: number[];
  array: number[];
  values: number[][];
}

export interface WireRun {
  kernel: string;
  run: number;
  counters: WireCounter[];
  rates: { name: string; percent: number; formula: string }[];
  occupancy: number | null;
  imbalance: number | null;
  engine_waves: number;
  engines: Record<"engine" | "waves" | "most_at_once" | "span" | "wave_cycles" | "tail" | "units", number[]>;
}

export interface WireSamples {
  kernel: string;
  has_base: boolean;
  stalls: string[];
  address: number[];
  samples: number[];
  active: number[];
  counts: number[][];
}

export interface RunRow {
  /** Its place among the runs. */
  at: number;
  kernel: string;
  /** Place among the capture's programs; -1: it is none of them. */
  program: number;
  run: number;
  dur_us: number | null;
  occupancy: number | null;
  imbalance: number | null;
  problem: string;
  values: readonly (number | null)[];
  rates: readonly (number | null)[];
}

export function listRuns({ runs }: WireCounters): RunRow[] {
  return runs.kernel.map((kernel, at) => ({
    at,
    kernel,
    program: runs.program[at]!,
    run: runs.run[at]!,
    dur_us: runs.dur_us[at]!,
    occupancy: runs.occupancy[at]!,
    imbalance: runs.imbalance[at]!,
    problem: runs.problem[at]!,
    values: runs.values[at]!,
    rates: runs.rates[at]!,
  }));
}

/** One number of a counter where it was counted, for a map: rows are places, columns groups of compute units. */
export interface CounterMap {
  groups: number;
  rows: { title: string; values: readonly number[] }[];
  most: number;
}

/** Parts of a place that are the same everywhere are not told. */
export function mapOf(counter: WireCounter): CounterMap {
  const parts = [
    { title: "XCC", of: counter.xcc },
    { title: "INST", of: counter.instance },
    { title: "SE", of: counter.engine },
    { title: "SA", of: counter.array },
  ].filter(({ of }) => new Set(of).size > 1);
  const rows = counter.values.map((values, at) => ({
    title: parts.map(({ title, of }) => `${title} ${of[at]}`).join(" "),
    values,
  }));
  return { groups: counter.groups, rows, most: Math.max(0, ...counter.values.flat()) };
}
