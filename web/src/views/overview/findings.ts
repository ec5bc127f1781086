// What cost the devices the most time, as findings that each lead to their evidence. Pure.
import { stripAnsi } from "../../lib/ansi";
import {
  addBreakdowns,
  linkToIdle,
  linkToKernels,
  linkToStretch,
  linkToWorst,
  outlierSteps,
  type WireBreakdown,
  type WireDevices,
  type WireGap,
  type WireKernel,
  type WireStraggler,
} from "../../lib/devices";
import type { Link } from "../../lib/place";
import { shortenName } from "../../lib/kernel-name";
import { formatCount, formatDuration, formatPlural, formatShare } from "../../lib/text";
import { linkToSkewed } from "./stragglers";
import { linkToCollectives } from "./ways";

export interface Finding {
  id: string;
  title: string;
  detail: string;
  /** The devices' time that it took, or that would be saved at most. */
  cost_ns: number;
  link: Link;
}

/** A cost below this share of the devices' time is no finding. */
const kLeastShare = 0.005;
const kMost = 8;
/** Kernels told as far from what the device can do. */
const kKernels = 3;

/** The findings, those that cost the most first. Their costs overlap. */
export function listFindings(
  { breakdown, gaps, steps }: Pick<WireDevices, "breakdown" | "gaps" | "steps">,
  kernels: readonly WireKernel[],
  stragglers: readonly WireStraggler[],
): Finding[] {
  const whole = addBreakdowns(breakdown.filter(({ stream }) => stream === null));
  if (whole === null || whole.span_ns === 0) return [];
  return [
    ...idleFindings(whole, gaps),
    ...exposedFindings(whole, kernels),
    ...stepFindings(steps),
    ...stragglers.map(({ rank, times, of, waited_ns, worst }) => ({
      id: `straggler ${rank}`,
      title: `ranks wait for rank ${rank} at collectives`,
      detail: `it comes later than most to ${formatCount(times)} of ${formatCount(of)}`,
      cost_ns: waited_ns,
      link: linkToSkewed(worst),
    })),
    ...kernelFindings(kernels),
  ]
    .filter(({ cost_ns }) => cost_ns >= kLeastShare * whole.span_ns)
    .sort((a, b) => b.cost_ns - a.cost_ns)
    .slice(0, kMost);
}

const kIdle = [
  { cause: "host", field: "idle_host_ns", title: "idle: the host launches late" },
  { cause: "kernel", field: "idle_kernel_ns", title: "idle: from kernel to kernel, each gap under 30 µs" },
  { cause: "other", field: "idle_other_ns", title: "idle: waiting for something else, or not recorded why" },
] as const;

function idleFindings(whole: WireBreakdown, gaps: readonly WireGap[]): Finding[] {
  return kIdle.flatMap(({ cause, field, title }) => {
    const longest = longestGap(gaps, cause);
    if (longest === null) return [];
    const next = longest.ended_by;
    const until = next === null ? "the end" : stripAnsi(shortenName(next.name));
    const detail = `longest ${formatDuration(longest.to_ns - longest.from_ns)}, until ${until}`;
    return [{ id: cause, title, detail, cost_ns: whole[field], link: linkToIdle(longest) }];
  });
}

/** The longest gap of a cause; null where none is told. */
export function longestGap(gaps: readonly WireGap[], cause: WireGap["cause"]): WireGap | null {
  const length = ({ from_ns, to_ns }: WireGap) => to_ns - from_ns;
  return gaps
    .filter((gap) => gap.cause === cause)
    .reduce<WireGap | null>((most, gap) => (most === null || length(gap) > length(most) ? gap : most), null);
}

function exposedFindings(whole: WireBreakdown, kernels: readonly WireKernel[]): Finding[] {
  const longestCopy = kernels
    .filter((row) => row.class === "memcpy" || row.class === "memset")
    .reduce<WireKernel | null>((most, row) => (most === null || row.max_ns > most.max_ns ? row : most), null);
  const overlapped = whole.communication_ns === 0 ? 0 : whole.overlap_ns / whole.communication_ns;
  return [
    {
      id: "communication",
      title: "exposed communication: nothing computes meanwhile",
      detail: `${formatShare(overlapped)} of communication overlaps with compute`,
      cost_ns: whole.exposed_communication_ns,
      link: linkToCollectives,
    },
    {
      id: "memory",
      title: "exposed memory: only copies and sets run",
      detail: longestCopy === null ? "" : `longest ${formatDuration(longestCopy.max_ns)}, ${longestCopy.name ?? ""}`,
      cost_ns: whole.exposed_memory_ns,
      link: longestCopy === null ? linkToKernels("category") : linkToWorst(longestCopy),
    },
  ];
}

function stepFindings(steps: WireDevices["steps"]): Finding[] {
  const slow = [...outlierSteps(steps)];
  const worst = slow.toSorted((a, b) => b.to_ns - b.from_ns - (a.to_ns - a.from_ns))[0];
  if (worst === undefined) return [];
  const spans = steps.map(({ from_ns, to_ns }) => to_ns - from_ns).sort((a, b) => a - b);
  const median_ns = spans[Math.floor(spans.length / 2)]!;
  const over_ns = (step: WireDevices["steps"][number]) => step.to_ns - step.from_ns - median_ns;
  return [
    {
      id: "steps",
      title: `${formatPlural(slow.length, "step")} much longer than the median`,
      detail: `${worst.name} takes ${formatDuration(worst.to_ns - worst.from_ns)}, the median ${formatDuration(median_ns)}`,
      cost_ns: slow.reduce((sum, step) => sum + over_ns(step) * Math.max(step.devices.length, 1), 0),
      link: linkToStretch(worst),
    },
  ];
}

/** Kernels that would be much faster at the device's peak, by which of its limits they would reach first. */
function kernelFindings(kernels: readonly WireKernel[]): Finding[] {
  return kernels
    .flatMap((row): Finding[] => {
      const achieved = ofPeak(row);
      if (achieved === null) return [];
      const name = stripAnsi(shortenName(row.name ?? ""));
      const limit = row.bound === "compute" ? "FLOP/s" : "memory bandwidth";
      return [
        {
          id: `kernel ${row.place} ${name}`,
          title: name,
          detail: `reaches ${formatShare(achieved)} of the device's ${limit}: what its peak would save at most`,
          cost_ns: row.total_ns * (1 - Math.min(achieved, 1)),
          link: linkToWorst(row),
        },
      ];
    })
    .sort((a, b) => b.cost_ns - a.cost_ns)
    .slice(0, kKernels);
}

/** The share that a kernel reaches of the limit that binds it; null where that is not known. */
export function ofPeak({ bound, flop_percent, bytes_percent }: WireKernel): number | null {
  const percent = bound === "compute" ? flop_percent : bound === "memory" ? bytes_percent : null;
  return percent === null ? null : percent / 100;
}
