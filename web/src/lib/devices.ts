// The server's answers about devices (server/http/API.md): breakdowns, kernels, gaps, comparisons.
import {
  kKernelGroups,
  kOperatorGroups,
  kThreadFields,
  type BreakdownFields,
  type CallFields,
  type CollectiveFields,
  type CollectiveInstanceFields,
  type ComparisonFields,
  type CompileFields,
  type KernelFields,
  type OperatorFields,
  type PathFields,
  type SequenceFields,
  type StragglerFields,
  type ThreadFields,
} from "./device-fields";
import { linkToEvent, linkToGap, linkToTime, type LinkedEvent } from "./links";
import { stripAnsi } from "./ansi";
import type { Link } from "./place";
import { formatRange } from "./time";
import { kIdleHints, kIdleTitles } from "./timeline/idle-cause";

/** As the capture has it: a number, a name, or nothing. */
export type FileValue = number | string | null;

export interface WireDevice {
  rank: FileValue;
  device: FileValue;
  name: string;
  peak: null | { name: string; source: string; bytes_per_s: number; flops: Record<string, number> };
}

export interface WireBreakdown extends BreakdownFields {
  /** Index in devices. */
  place: number;
}

/** What torch.compile did. */
export type WireCompile = CompileFields & {
  /** The compiler at work, not what it made. */
  is_compiling: boolean;
  worst: LinkedEvent;
};

export interface WireCompiles {
  rows: WireCompile[];
}

export interface WireGap {
  device: number;
  from_ns: number;
  to_ns: number;
  cause: "host" | "kernel" | "other";
  /** Null: nothing ran after it in the range that was asked for. */
  ended_by: LinkedEvent | null;
}

export interface WireStep {
  name: string;
  number: number;
  from_ns: number;
  to_ns: number;
  devices: WireBreakdown[];
}

export interface WireDevices {
  devices: WireDevice[];
  breakdown: WireBreakdown[];
  gaps: WireGap[];
  steps: WireStep[];
  /** If no device worked: by rank, first all threads together, then each thread. */
  threads: ThreadFields[];
}

export interface WireKernel extends KernelFields {
  place: number;
  worst: LinkedEvent;
}

export type OperatorGroup = (typeof kOperatorGroups)[number];
export { kOperatorGroups };

export type WireOperator = OperatorFields & {
  /** The longest call. */
  longest: LinkedEvent;
};

export interface WireOperators {
  by: string;
  rows: WireOperator[];
}

export interface WireKernels {
  devices: WireDevice[];
  rows: WireKernel[];
}

export { kKernelGroups };
export type KernelGroup = (typeof kKernelGroups)[number];

/** A node of the call tree, whose parent is an index among the nodes; they stand depth first, the most time first. */
export interface WireCallNode extends CallFields {
  worst: LinkedEvent;
}

/** A collective with the launch of each rank. */
export interface WireJoinedCollective {
  number: number;
  launches: LinkedEvent[];
}

export interface WireCollective extends CollectiveFields {
  most_skewed: WireJoinedCollective;
}

/** A rank that the others waited for, and where they did so longest. */
export interface WireStraggler extends StragglerFields {
  worst: WireJoinedCollective;
}

/** One collective. */
export interface WireCollectiveInstance extends CollectiveInstanceFields {
  longest: LinkedEvent;
  /** What the last rank had done before it came. */
  before_event: LinkedEvent | null;
}

export interface WireCollectives {
  rows: WireCollective[];
  /** The longest waited for first. */
  stragglers: WireStraggler[];
  /** How many collectives there are; instances holds those whose ranks came furthest apart. */
  all: number;
  /** How many of the job's ranks are here, and what could not be paired. */
  notes: string[];
  instances: WireCollectiveInstance[];
}

export interface WireSequence extends SequenceFields {
  first: LinkedEvent;
}

export interface WirePathShare extends PathFields {
  longest: { lane: string; from_ns: number; to_ns: number };
}

/** The critical path: the work that held up the end of a rank's. */
export interface WirePath {
  rank: FileValue;
  from_ns: number;
  to_ns: number;
  parts: number;
  shares: WirePathShare[];
  /** The parts of it that are drawn over each lane. */
  lanes: { lane: string; from_ns: number[]; to_ns: number[] }[];
}

/** Whether B is slower than A: of the median step, or of an average device from its first work to its last. */
export interface WireVerdict {
  word: "slower" | "faster" | "same";
  of: "step" | "device";
  a: { dur_ns: number; count: number };
  b: { dur_ns: number; count: number };
  /** Between what the change lies with 95 % likelihood. */
  range_ns: [from: number, to: number] | null;
  /** The parts that the median step, or an average device, is divided into: they add up to it. */
  classes: { class: string; a_ns: number; b_ns: number; is_main: boolean }[];
  /** The rows that changed most in the verdict's direction; of steps, by how much in each. */
  causes: { row: number; change_ns: number }[];
}

export interface WireComparison {
  /** Null where one of them did no work on devices. */
  verdict: WireVerdict | null;
  a: { name: string; breakdown: BreakdownFields[] };
  b: { name: string; breakdown: BreakdownFields[] };
  rows: ComparisonFields[];
}

/** "rank 1 · GPU 0": without what all have in common. */
export function nameDevice({ rank, device }: Pick<WireDevice, "rank" | "device">): string {
  const own = typeof device === "number" ? `GPU ${device}` : (device ?? "device");
  return rank === null ? String(own) : `rank ${rank} · ${own}`;
}

/** The name of a row of kernels: its name, operator, …; "not known" where the capture does not tell. */
export function nameKernel(row: WireKernel, group: KernelGroup): string {
  if (group === "device") return nameDevice(row);
  if (group === "rank") return row.rank === null ? "not known" : `rank ${row.rank}`;
  return stripAnsi(String(row[group] ?? "not known"));
}

export const linkToWorst = ({ worst }: Pick<WireKernel, "worst">): Link =>
  linkToEvent({ ...worst, name: stripAnsi(worst.name) });

/** To a gap on the timeline, and to what caused it where work ended it. */
export function linkToIdle({ from_ns, to_ns, ended_by }: WireGap): Link {
  const gap = { from: from_ns, to: to_ns };
  return ended_by === null ? linkToTime(gap) : linkToGap(ended_by.lane, gap);
}

/** To a stretch of the timeline. */
export function linkToStretch({ from_ns, to_ns }: { from_ns: number; to_ns: number }): Link {
  return { view: "timeline", keys: { time: formatRange({ from: from_ns, to: to_ns }) } };
}

/** To the table of kernels. */
export function linkToKernels(group: KernelGroup, text = ""): Link {
  return { view: "kernels", keys: { group: group === "name" ? null : group, kernels: text === "" ? null : text } };
}

const kRateUnits = ["", "k", "M", "G", "T", "P"];

/** "4.56 TFLOP/s". */
export function formatRate(perSecond: number, unit: string): string {
  let size = 0;
  let value = perSecond;
  while (value >= 999.5 && size + 1 < kRateUnits.length) {
    value /= 1000;
    size++;
  }
  return `${value >= 99.95 ? value.toFixed(0) : value >= 9.995 ? value.toFixed(1) : value.toFixed(2)} ${kRateUnits[size]}${unit}`;
}

/** A part of a device's or a thread's time. Bars stack them in order. */
export interface TimeShare {
  /** The class `part-ID` gives its colour (styles/device-time.css). */
  id: string;
  title: string;
  hint?: string;
  ns: number;
}

export interface TimePart extends TimeShare {
  id: "compute" | "communication" | "memory" | "host" | "kernel" | "other" | "lost";
}

export function dividedTime(row: BreakdownFields): TimePart[] {
  return [
    { id: "compute", title: "compute", hint: "Kernels ran", ns: row.compute_ns },
    {
      id: "communication",
      title: "exposed communication",
      hint: "Ranks exchanged data, and nothing was computed meanwhile",
      ns: row.exposed_communication_ns,
    },
    { id: "memory", title: "exposed memory", hint: "Only copies and sets of memory ran", ns: row.exposed_memory_ns },
    {
      id: "host",
      title: kIdleTitles.host,
      hint: kIdleHints.host,
      ns: row.idle_host_ns,
    },
    {
      id: "kernel",
      title: kIdleTitles.kernel,
      hint: kIdleHints.kernel,
      ns: row.idle_kernel_ns,
    },
    {
      id: "other",
      title: kIdleTitles.other,
      hint: kIdleHints.other,
      ns: row.idle_other_ns,
    },
    {
      id: "lost",
      title: "not recorded",
      hint: "Neither busy nor idle: kernels of a graph ran whose records the profiler lost",
      ns: row.not_recorded_ns ?? 0,
    },
  ];
}

export function dividedThreadTime(row: ThreadFields): TimeShare[] {
  const { compute_ns, loading_ns, other_ns, collecting_ns, communication_ns, waiting_ns, idle_ns } = kThreadFields;
  return [
    { id: "compute", title: compute_ns.title, hint: compute_ns.hint, ns: row.compute_ns },
    { id: "loading", title: loading_ns.title, hint: loading_ns.hint, ns: row.loading_ns },
    { id: "host", title: collecting_ns.title, hint: collecting_ns.hint, ns: row.collecting_ns },
    { id: "code", title: other_ns.title, hint: other_ns.hint, ns: row.other_ns },
    { id: "communication", title: communication_ns.title, hint: communication_ns.hint, ns: row.communication_ns },
    { id: "waiting", title: waiting_ns.title, hint: waiting_ns.hint, ns: row.waiting_ns },
    { id: "other", title: idle_ns.title, hint: idle_ns.hint, ns: row.idle_ns },
  ];
}

/** The rows of several devices as one: their times added up. */
export function addBreakdowns(rows: readonly WireBreakdown[]): WireBreakdown | null {
  const [first, ...others] = rows;
  if (first === undefined) return null;
  const sum = { ...first };
  for (const row of others) for (const field of kAddedTimes) sum[field] += row[field];
  sum.not_recorded_ns = rows.reduce((all, row) => all + (row.not_recorded_ns ?? 0), 0);
  return sum;
}

const kAddedTimes = [
  "span_ns",
  "busy_ns",
  "compute_ns",
  "communication_ns",
  "memory_ns",
  "overlap_ns",
  "exposed_communication_ns",
  "exposed_memory_ns",
  "idle_ns",
  "idle_host_ns",
  "idle_kernel_ns",
  "idle_other_ns",
  "gaps",
] as const satisfies readonly (keyof WireBreakdown)[];

/** The median of sorted numbers: the mean of the middle two where there are evenly many; 0 of none. */
export function medianOf(sorted: readonly number[]): number {
  const middle = sorted.length / 2;
  return sorted.length === 0 ? 0 : (sorted[Math.floor(middle - 0.5)]! + sorted[Math.floor(middle)]!) / 2;
}

/** Steps that took much longer than is usual: more than 1.3 times the median. */
export function outlierSteps(steps: readonly WireStep[]): ReadonlySet<WireStep> {
  const median = medianOf(steps.map((step) => step.to_ns - step.from_ns).sort((a, b) => a - b));
  return new Set(steps.filter((step) => steps.length > 2 && step.to_ns - step.from_ns > 1.3 * median));
}
