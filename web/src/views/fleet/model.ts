// The store's answers as the page uses them: named columns for rows, steps and busy times rank by rank, slow ranks.
// Pure functions.
import type { WireRows } from "../parts/sql/wire";

/** Rows as SQL answers them. */
export type WireJobRows = Pick<WireRows, "columns" | "rows">;

/** The rows as objects, by the names of their columns. */
export function namedRows<Row>(answer: WireJobRows): Row[] {
  return answer.rows.map(
    (row) => Object.fromEntries(answer.columns.map((column, i) => [column, row[i] ?? null])) as Row,
  );
}

export interface Job {
  job: string;
  ranks: number;
  whole: number;
  slices: number;
  stored_rows: number;
  at_s: number;
  format: string;
}

export interface Rank {
  rank: number;
  capture: string;
  format: string;
  start_ns: number;
  end_ns: number;
  slices: number;
  is_whole: number;
}

export interface BusyRank {
  rank: number;
  /** The busy time in one piece of time. */
  dur: number;
  places: number[];
  busy_ns: number[];
}

export interface StepsOfRank {
  rank: number;
  numbers: number[];
  starts_ns: number[];
  durs_ns: number[];
}

export interface JobKernel {
  name: string;
  is_communication: number;
  ranks: number;
  launches: number;
  total_ns: number;
  least_ns: number;
  median_ns: number;
  most_ns: number;
  most_rank: number;
}

/** A kernel in two jobs. */
export interface Comparison {
  name: string;
  before_ns: number;
  after_ns: number;
  before_launches: number;
  after_launches: number;
}

/** Ranks below one another, something over time or steps beside one another. */
export interface HeatRows {
  ranks: number[];
  columns: number;
  /** By rank and column: what it is worth; null where there is nothing. */
  values: (number | null)[][];
}

export function medianOf(values: readonly number[]): number {
  if (values.length === 0) return 0;
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2;
}

export interface StepHeat extends HeatRows {
  /** The steps' own numbers, by column. */
  numbers: number[];
  /** By column: what half of the ranks stay below. */
  median_ns: number[];
  /** By rank and column. */
  durs_ns: (number | null)[][];
}

/** How much longer than the step's median each rank took for it, as a share of that. */
export function heatOfSteps(steps: readonly StepsOfRank[]): StepHeat {
  const numbers = [...new Set(steps.flatMap((rank) => rank.numbers))].sort((a, b) => a - b);
  const columnOf = new Map(numbers.map((number, column) => [number, column]));
  const durs_ns = steps.map((rank) => {
    const row: (number | null)[] = numbers.map(() => null);
    // A number that a rank has twice (two loops, say) is both of them.
    rank.numbers.forEach((number, i) => {
      const column = columnOf.get(number)!;
      row[column] = (row[column] ?? 0) + rank.durs_ns[i]!;
    });
    return row;
  });
  const median_ns = numbers.map((_, column) => medianOf(durs_ns.flatMap((row) => row[column] ?? [])));
  return {
    ranks: steps.map(({ rank }) => rank),
    columns: numbers.length,
    numbers,
    median_ns,
    durs_ns,
    values: durs_ns.map((row) =>
      row.map((dur_ns, column) =>
        dur_ns === null ? null : median_ns[column] === 0 ? 0 : dur_ns / median_ns[column]! - 1,
      ),
    ),
  };
}

/** The share of each piece of time in which a rank's devices were busy. */
export function heatOfBusy(busy: readonly BusyRank[], ranks: readonly Rank[]): HeatRows {
  const ends = new Map(ranks.map(({ rank, start_ns, end_ns }) => [rank, end_ns - start_ns]));
  const columns = Math.max(1, ...busy.map(({ rank, dur }) => Math.ceil((ends.get(rank) ?? 0) / dur)));
  return {
    ranks: busy.map(({ rank }) => rank),
    columns,
    values: busy.map((row) => {
      const own = Math.ceil((ends.get(row.rank) ?? 0) / row.dur);
      const values: (number | null)[] = Array.from({ length: columns }, (_, column) => (column < own ? 0 : null));
      row.places.forEach((place, i) => {
        if (place < columns) values[place] = Math.min(row.busy_ns[i]! / row.dur, 1);
      });
      return values;
    }),
  };
}

/** A rank that came later to collectives than the rank in the middle did. */
export interface LateRank {
  rank: number;
  wait_ns: number;
  collectives: number;
}

export interface RankRow {
  rank: number;
  capture: string;
  slices: number;
  isWhole: boolean;
  span_ns: number;
  busy_ns: number | null;
  /** Over its steps, how much longer than the median of all ranks; null without steps. */
  slowness: number | null;
  worstStep: number | null;
  worst: number | null;
  /** How long it made the others wait at collectives, and at how many. */
  madeWait_ns: number;
  timesLate: number;
}

export function rowsOfRanks(
  ranks: readonly Rank[],
  busy: readonly BusyRank[],
  heat: StepHeat | null,
  late: readonly LateRank[],
): RankRow[] {
  const busyOf = new Map(busy.map((row) => [row.rank, row.busy_ns.reduce((sum, ns) => sum + ns, 0)]));
  const lateOf = new Map(late.map((row) => [row.rank, row]));
  const valuesOf = new Map(heat?.ranks.map((rank, at) => [rank, heat.values[at]!]));
  return ranks.map((rank) => {
    const values = valuesOf.get(rank.rank) ?? [];
    const known = values.flatMap((value, column) => (value === null ? [] : [{ value, column }]));
    const worst = known.reduce<{ value: number; column: number } | null>(
      (most, one) => (most === null || one.value > most.value ? one : most),
      null,
    );
    return {
      rank: rank.rank,
      capture: rank.capture,
      slices: rank.slices,
      isWhole: rank.is_whole !== 0,
      span_ns: rank.end_ns - rank.start_ns,
      busy_ns: busyOf.get(rank.rank) ?? null,
      slowness: known.length === 0 ? null : known.reduce((sum, { value }) => sum + value, 0) / known.length,
      worst: worst?.value ?? null,
      worstStep: worst === null ? null : heat!.numbers[worst.column]!,
      madeWait_ns: lateOf.get(rank.rank)?.wait_ns ?? 0,
      timesLate: lateOf.get(rank.rank)?.collectives ?? 0,
    };
  });
}
