// Rank by step: by how much each differs from the step's median rank, so that stragglers stand out. Pure.
import { scopeOfDevice, type Scope } from "../../lib/scope";
import { medianOf, nameDevice, type WireBreakdown, type WireStep } from "../../lib/devices";

const sum = (step: WireStep, of: (row: WireBreakdown) => number) => step.devices.reduce((all, row) => all + of(row), 0);

export const kMeasures = {
  compute: { title: "compute", of: (step: WireStep) => sum(step, (row) => row.compute_ns) },
  communication: {
    title: "exposed communication",
    of: (step: WireStep) => sum(step, (row) => row.exposed_communication_ns),
  },
  idle: { title: "idle", of: (step: WireStep) => sum(step, (row) => row.idle_ns) },
  length: { title: "length of the step", of: ({ from_ns, to_ns }: WireStep) => to_ns - from_ns },
} as const;
export type Measure = keyof typeof kMeasures;

export interface MapCell {
  step: WireStep;
  ns: number;
  /** By what share of the step's median rank it is above that. */
  over: number;
  /** The same from -1 to 1: 1 where it is as far as any, and a tenth at least. */
  heat: number;
}

export interface MapRow {
  name: string;
  /** The rank as a scope; null where it has none. */
  scope: Partial<Scope> | null;
  /** By the steps' numbers; null where the rank has no such step. */
  cells: (MapCell | null)[];
}

/** However even ranks are, one that differs by less than this share is not shown as a straggler. */
const kLeastScale = 0.1;

export function mapOf(steps: readonly WireStep[], measure: Measure): { numbers: number[]; rows: MapRow[] } {
  const numbers = [...new Set(steps.map(({ number }) => number))].sort((a, b) => a - b);
  const names = [...new Set(steps.map(nameOfRank))].sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const rows = names.map((name): MapRow => {
    const first = steps.find((step) => nameOfRank(step) === name)?.devices[0];
    const scope = first === undefined || first.rank === null ? null : scopeOfDevice({ rank: first.rank });
    return { name, scope, cells: numbers.map(() => null) };
  });
  const rowOf = new Map(rows.map((row) => [row.name, row]));
  const stepsOf = new Map<number, WireStep[]>(numbers.map((number) => [number, []]));
  for (const step of steps) stepsOf.get(step.number)!.push(step);
  let farthest = kLeastScale;
  numbers.forEach((number, at) => {
    const of = stepsOf.get(number)!;
    const values = of.map(kMeasures[measure].of).sort((a, b) => a - b);
    const middle = medianOf(values);
    for (const step of of) {
      const ns = kMeasures[measure].of(step);
      const over = middle === 0 ? 0 : (ns - middle) / middle;
      farthest = Math.max(farthest, Math.abs(over));
      rowOf.get(nameOfRank(step))!.cells[at] = { step, ns, over, heat: 0 };
    }
  });
  for (const { cells } of rows) for (const cell of cells) if (cell !== null) cell.heat = cell.over / farthest;
  return { numbers, rows };
}

function nameOfRank({ devices }: WireStep): string {
  const [first] = devices;
  if (first === undefined) return "no device";
  return first.rank === null ? nameDevice(first) : `rank ${first.rank}`;
}
