// The server's answers about devices (server/http/API.md): breakdowns, kernels, gaps, comparisons.
import { linkToEvent, type LinkedEvent } from "./links";
import { stripAnsi } from "./ansi";
import type { Link } from "./place";
import { formatRange } from "./time";

/** As the capture has it: a number, a name, or nothing. */
export type FileValue = number | string | null;

export interface WireDevice {
  rank: FileValue;
  device: FileValue;
  name: string;
  peak: null | { name: string; source: string; bytes_per_s: number; flops: Record<string, number> };
}

export interface WireBreakdown {
  rank: FileValue;
  device: FileValue;
  stream: FileValue;
  /** Set for a whole device. */
  device_name?: string | null;
  events: number;
  span_ns: number;
  busy_ns: number;
  compute_ns: number;
  communication_ns: number;
  memory_ns: number;
  overlap_ns: number;
  overlap_percent: number | null;
  exposed_communication_ns: number;
  exposed_memory_ns: number;
  idle_ns: number;
  idle_host_ns: number;
  idle_kernel_ns: number;
  idle_other_ns: number;
  gaps: number;
  queue_max: number;
  /** Index in devices. */
  place: number;
}

export interface WireGap {
  device: number;
  from_ns: number;
  to_ns: number;
  cause: "host" | "kernel" | "other";
  ended_by: LinkedEvent;
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
}

export interface WireKernel {
  rank: FileValue;
  device: FileValue;
  class?: "kernel" | "memcpy" | "memset";
  name?: string | null;
  family?: string | null;
  category?: string | null;
  operator?: string | null;
  shapes?: string | null;
  module?: string | null;
  stream?: string | null;
  step?: string | null;
  launches: number;
  total_ns: number;
  mean_ns: number;
  median_ns: number;
  p90_ns: number;
  min_ns: number;
  max_ns: number;
  time_percent: number | null;
  bytes_copied: number | null;
  flop: number | null;
  bytes: number | null;
  flop_per_s: number | null;
  bytes_per_s: number | null;
  precision: string | null;
  peak_flops: number | null;
  peak_bytes_per_s: number | null;
  achieved_flops_percent: number | null;
  achieved_bandwidth_percent: number | null;
  bound: "compute" | "memory" | null;
  place: number;
  worst: LinkedEvent;
}

export interface WireKernels {
  devices: WireDevice[];
  rows: WireKernel[];
}

/** The things that a table of kernels can be of, as the server calls them. */
export const kKernelGroups = [
  "name",
  "family",
  "category",
  "operator",
  "shapes",
  "module",
  "stream",
  "device",
  "rank",
  "step",
] as const;
export type KernelGroup = (typeof kKernelGroups)[number];

/** A node of the call tree; nodes stand depth first, the most time first. */
export interface WireCallNode {
  /** Index among the nodes; null at the top. */
  parent: number | null;
  kind: "rank" | "module" | "range" | "operator" | "call" | "kernel";
  name: string;
  calls: number;
  launches: number;
  total_ns: number;
  flop: number | null;
  bytes: number | null;
  worst: LinkedEvent;
}

export interface WireCollective {
  collective: string;
  name: string;
  group: string | null;
  ranks: number | null;
  bytes: number | null;
  count: number;
  seen_ranks: number;
  transfer_ns: number;
  total_ns: number;
  algorithm_bytes_per_s: number | null;
  bus_bytes_per_s: number | null;
  skew_total_ns: number | null;
  skew_max_ns: number | null;
  last_rank: string | null;
  last_count: number | null;
  most_skewed: { number: number; launches: LinkedEvent[] };
}

export interface WireSequence {
  kernels: string[];
  count: number;
  total_ns: number;
  between_ns: number;
  longest_ns: number;
  fusion_candidate: boolean;
  first: LinkedEvent;
}

export interface WirePathShare {
  kind: "device" | "between kernels" | "launch" | "host";
  name: string | null;
  parts: number;
  total_ns: number;
  percent: number;
  longest_ns: number;
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

export interface WireComparison {
  a: { name: string; breakdown: WireBreakdown[] };
  b: { name: string; breakdown: WireBreakdown[] };
  rows: {
    class?: string;
    name?: string;
    family?: string;
    operator?: string | null;
    /** How manieth launch of its name in its step, from 1. */
    occurrence?: number;
    a_launches: number;
    b_launches: number;
    a_total_ns: number;
    b_total_ns: number;
    a_median_ns: number | null;
    b_median_ns: number | null;
    delta_launches: number;
    delta_total_ns: number;
    total_ratio: number | null;
    median_change_ns: [number, number] | null;
    state: "added" | "removed" | "both";
  }[];
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

/** To a gap on the timeline, with some of what lies around it. */
export function linkToGap({ from_ns, to_ns }: WireGap): Link {
  const room_ns = Math.max(to_ns - from_ns, 1000);
  return { view: "timeline", keys: { time: formatRange({ from: from_ns - room_ns, to: to_ns + room_ns }) } };
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

/** The parts of a device's time, in the order that bars are stacked. */
export interface TimePart {
  id: "compute" | "communication" | "memory" | "host" | "kernel" | "other";
  title: string;
  hint: string;
  ns: number;
}

export function dividedTime(row: WireBreakdown): TimePart[] {
  return [
    { id: "compute", title: "computing", hint: "Kernels ran", ns: row.compute_ns },
    {
      id: "communication",
      title: "communication alone",
      hint: "Ranks exchanged data, and nothing was computed meanwhile",
      ns: row.exposed_communication_ns,
    },
    { id: "memory", title: "copies alone", hint: "Only copies and sets ran", ns: row.exposed_memory_ns },
    {
      id: "host",
      title: "idle: the host was late",
      hint: "The next work was launched after this ended",
      ns: row.idle_host_ns,
    },
    {
      id: "kernel",
      title: "idle between kernels",
      hint: "The next work was launched in time, and began within 30 µs",
      ns: row.idle_kernel_ns,
    },
    {
      id: "other",
      title: "idle: other",
      hint: "Waiting for another stream, or the capture does not tell",
      ns: row.idle_other_ns,
    },
  ];
}

/** Steps that took much longer than is usual: more than 1.3 times the median. */
export function outlierSteps(steps: readonly WireStep[]): ReadonlySet<WireStep> {
  const spans = steps.map((step) => step.to_ns - step.from_ns).sort((a, b) => a - b);
  const median = spans[Math.floor(spans.length / 2)] ?? 0;
  return new Set(steps.filter((step) => steps.length > 2 && step.to_ns - step.from_ns > 1.3 * median));
}
