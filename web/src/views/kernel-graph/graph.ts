// A kernel graph as the server tells it (server/http/API.md), and what the view asks of it: which runs a run or a
// buffer leads to, how warm a run's box is.

export interface WireRun {
  /** With ANSI colours. */
  name: string;
  /** Path of its lane. */
  lane: string;
  number: number;
  at_ns: number;
  dur_ns: number;
  events: number;
  context: number | null;
  event: { index: number; start_ns: number } | null;
}

export interface WireKernelGraph {
  left_out: number;
  /** By time. */
  runs: WireRun[];
  /** By run, then argument. mode: 1 read, 2 written, 3 both. */
  uses: {
    run: number[];
    lane: number[];
    allocation: number[];
    buffer: number[];
    bytes: number[];
    argument: number[];
    mode: number[];
  };
  /** From the run that wrote last to the one whose use reads. */
  edges: { from: number[]; to: number[]; use: number[]; cut: number[]; points: number[][] };
  layout: { x: number[]; y: number[]; w: number[]; h: number[]; width: number; height: number };
}

/** The key of a buffer: "LANE.ALLOCATION". */
export type BufferKey = string;

export function bufferOf({ uses }: WireKernelGraph, use: number): BufferKey {
  return `${uses.lane[use]!}.${uses.allocation[use]!}`;
}

/** The uses of each run. */
export function usesByRun({ runs, uses }: WireKernelGraph): number[][] {
  const lists: number[][] = runs.map(() => []);
  uses.run.forEach((run, use) => lists[run]!.push(use));
  return lists;
}

/** The run that wrote a buffer before each use that reads it. */
export function writersByUse({ edges }: WireKernelGraph): Map<number, number> {
  const writers = new Map<number, number>();
  edges.use.forEach((use, edge) => {
    if (!writers.has(use)) writers.set(use, edges.from[edge]!);
  });
  return writers;
}

/** The uses of each buffer, by time. */
export function usesByBuffer(graph: WireKernelGraph): Map<BufferKey, number[]> {
  const lists = new Map<BufferKey, number[]>();
  graph.uses.run.forEach((_, use) => {
    const key = bufferOf(graph, use);
    const list = lists.get(key);
    if (list === undefined) lists.set(key, [use]);
    else list.push(use);
  });
  return lists;
}

/** The runs' costs: their times, or where the capture has none, the bytes of their buffers. */
export interface Costs {
  unit: "ns" | "bytes";
  /** By run. */
  of: number[];
  most: number;
}

export function costsOf(graph: WireKernelGraph): Costs {
  const isTimed = graph.runs.some((run) => run.events > 0);
  const of = graph.runs.map((run) => (isTimed ? run.dur_ns : 0));
  if (!isTimed) graph.uses.run.forEach((run, use) => (of[run] = of[run]! + graph.uses.bytes[use]!));
  return { unit: isTimed ? "ns" : "bytes", of, most: of.reduce((a, b) => Math.max(a, b), 0) };
}

/** From 0 for nothing to 1 for the dearest run: by its root, since few kernels cost most. */
export function warmthOf({ of, most }: Costs, run: number): number {
  return most <= 0 ? 0 : Math.sqrt(Math.max(of[run]!, 0) / most);
}

export const kModes = ["", "reads", "writes", "reads and writes"] as const;
