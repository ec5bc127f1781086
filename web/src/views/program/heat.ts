// Where the cycles of a program's waves went (server/http/API.md), joined with its machine code: by instruction, block
// and line of the source; and which waves are meant, as the place says it.
import type { WireCode } from "./code";
import { costsOf, rowsByAddress, sum, type Costs } from "./costs";
import type { WirePcSamples } from "./samples";

/** /api/v1/program/CONTEXT/heat: columns. */
export interface WireHeat {
  /** Why there are no instructions; null where there are. */
  why: string | null;
  /** place: among all runs of the capture. */
  runs: { place: number[]; run: number[]; traces: number[]; dur_us: (number | null)[] };
  waves: Record<
    "run" | "engine" | "slot" | "start" | "end" | "ended" | "instructions" | "issue" | "wait" | "barrier" | "ending",
    number[]
  >;
  instructions: Record<
    | "address"
    | "hits"
    | "cycles"
    | "median"
    | "least"
    | "most"
    | "executions"
    | "execute_delay"
    | "execute_median"
    | Stall,
    number[]
  >;
  waits: Record<"address" | "load" | "hits" | "cycles", number[]>;
  loops: Record<"head" | "last" | "entries" | "iterations" | "cycles" | "median" | "least" | "most", number[]>;
  unplaced: number;
  samples: WirePcSamples | null;
}

export const kStalls = [
  { id: "wait", title: "waiting for memory" },
  { id: "barrier", title: "at a barrier" },
  { id: "issue", title: "until the next issue" },
  { id: "end", title: "for the wave's end" },
] as const;
export type Stall = (typeof kStalls)[number]["id"];

/** Which waves are meant: of one run or of all, one wave or all. */
export interface HeatChoice {
  run: number | null;
  wave: number | null;
}

/** "0.3": the third wave of the first run; "*.3" of all; null where the place names none. */
export function parseHeatChoice(text: string | undefined): HeatChoice | null {
  const parts = /^(\d{1,6}|\*)\.(\d{1,7}|\*)$/.exec(text ?? "");
  if (parts === null) return null;
  const number = (part: string) => (part === "*" ? null : Number(part));
  return { run: number(parts[1]!), wave: number(parts[2]!) };
}

export function formatHeatChoice({ run, wave }: HeatChoice): string {
  return `${run ?? "*"}.${wave ?? "*"}`;
}

/** As the rest of a query. */
export function queryOfHeat({ run, wave }: HeatChoice): string {
  return `${run === null ? "" : `&run=${run}`}${wave === null ? "" : `&wave=${wave}`}`;
}

/** By instruction of the code; -1: it is not among the heat's. */
export interface JoinedHeat {
  heat: WireHeat;
  /** The row of heat.instructions of each instruction. */
  rowOf: Int32Array;
  costs: Costs;
  /** By instruction the instructions that it waited for. */
  waitsOf: ReadonlyMap<number, readonly { load: number; cycles: number }[]>;
}

export function joinHeat(code: WireCode, heat: WireHeat): JoinedHeat {
  const places = new Map(code.instructions.address.map((address, at) => [address, at]));
  const rowOf = rowsByAddress(code, heat.instructions.address);
  const waitsOf = new Map<number, { load: number; cycles: number }[]>();
  heat.waits.address.forEach((address, row) => {
    const [at, load] = [places.get(address), places.get(heat.waits.load[row]!)];
    if (at === undefined || load === undefined) return;
    waitsOf.set(at, [...(waitsOf.get(at) ?? []), { load, cycles: heat.waits.cycles[row]! }]);
  });
  for (const waits of waitsOf.values()) waits.sort((a, b) => b.cycles - a.cycles);
  return { heat, rowOf, costs: costsOf("cycles", rowOf, heat.instructions.cycles), waitsOf };
}

/** The cycles of all waves by what they were spent on; what is none of a stall issues. */
export function sumStalls(heat: WireHeat): { id: Stall | "issued"; title: string; cycles: number }[] {
  const { instructions } = heat;
  const stalls = kStalls.map(({ id, title }) => ({ id, title, cycles: sum(instructions[id]) }));
  const issued = sum(instructions.cycles) - sum(stalls.map(({ cycles }) => cycles));
  return [{ id: "issued" as const, title: "issuing", cycles: issued }, ...stalls].filter(({ cycles }) => cycles > 0);
}

/** The row of heat.loops whose head is that instruction; -1: none is. */
export function loopAt(code: WireCode, { loops }: WireHeat, instruction: number): number {
  return loops.head.indexOf(code.instructions.address[instruction] ?? -1);
}
