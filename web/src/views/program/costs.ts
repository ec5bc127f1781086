// What the instructions of a program cost when it ran: cycles of a GPU's waves, or samples in which its warps were seen
// there. By instruction, block and line of the source.
import type { WireCode } from "./code";

export interface Costs {
  unit: "cycles" | "samples";
  /** By instruction of the code. */
  of: readonly number[];
  /** The cost of all instructions. */
  all: number;
  /** The most that an instruction has. */
  most: number;
}

/** rowOf: the row of `values` that each instruction has; -1: none. */
export function costsOf(unit: Costs["unit"], rowOf: Int32Array, values: readonly number[]): Costs {
  const of = Array.from(rowOf, (row) => (row < 0 ? 0 : values[row]!));
  return { unit, of, all: sum(of), most: largestOf(of) };
}

/** The row of each instruction among columns that are told by address; -1: it is not among them. */
export function rowsByAddress(code: WireCode, addresses: readonly number[]): Int32Array {
  const places = new Map(code.instructions.address.map((address, at) => [address, at]));
  const rowOf = new Int32Array(code.instructions.address.length).fill(-1);
  addresses.forEach((address, row) => {
    const at = places.get(address);
    if (at !== undefined) rowOf[at] = row;
  });
  return rowOf;
}

/** How hot something is, from 0 to 1; roots tell what is warm from what is cold where one of them has most. */
export function heatOf(cost: number, most: number): number {
  return cost <= 0 ? 0 : Math.sqrt(cost / most);
}

/** The instructions that cost something, those that cost most first. */
export function hottestFirst(costs: Costs | null): readonly number[] {
  if (costs === null) return [];
  const order = costs.of.flatMap((cost, at) => (cost > 0 ? [at] : []));
  return order.sort((a, b) => costs.of[b]! - costs.of[a]!);
}

/** The cost of the instructions from first on. */
export function costOfPart({ of }: Costs, first: number, count: number): number {
  return sum(of.slice(first, first + count));
}

/** By line of the source, from 1 on, that of its instructions; without lines that have none. */
export function costsByLine(code: WireCode, { of }: Costs): ReadonlyMap<number, number> {
  const lines = new Map<number, number>();
  code.instructions.line.forEach((line, at) => {
    if (line > 0 && of[at]! > 0) lines.set(line, (lines.get(line) ?? 0) + of[at]!);
  });
  return lines;
}

export const sum = (numbers: readonly number[]) => numbers.reduce((all, number) => all + number, 0);

/** The largest, and at least 1. A loop, since a listing may have more instructions than a call may have arguments. */
export const largestOf = (numbers: Iterable<number>) => {
  let largest = 1;
  for (const number of numbers) largest = Math.max(largest, number);
  return largest;
};
