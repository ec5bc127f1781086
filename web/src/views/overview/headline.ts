// The few figures that stand first, by what the capture has. Pure.
import {
  addBreakdowns,
  formatRate,
  linkToKernels,
  linkToStretch,
  medianOf,
  type WireDevices,
  type WireKernel,
} from "../../lib/devices";
import { formatBytes } from "../../lib/bytes";
import { linkToMemory } from "../../lib/links";
import type { WireBlock, WireDelegation } from "../../lib/etdump/wire";
import { inNanoseconds } from "../../lib/etdump/records";
import type { Link } from "../../lib/place";
import { formatCount, formatDuration, formatPlural, formatShare } from "../../lib/text";
import type { WireLaneInfo } from "../../lib/timeline/wire";
import type { CaptureInfo } from "../../lib/wire";
import type { EngineRow } from "./engine-rows";
import { linkToDelegation, linkToInspector, linkToTimeline } from "./ways";

export interface HeadFigure {
  title: string;
  text: string;
  /** What it is of. */
  of: string;
  /** Its exact value, and how it comes about. */
  hint: string;
  link: Link;
}

export interface Known {
  capture: CaptureInfo;
  devices: WireDevices;
  kernels: readonly WireKernel[];
  lanes: readonly WireLaneInfo[];
  recorded_ns: number;
  engines: readonly EngineRow[];
  /** For an ETDump: the block that is shown, and who ran it. */
  run: { block: WireBlock; delegations: readonly WireDelegation[] } | null;
  /** Whether kernels ran whose times were not recorded. */
  lacksTimes: boolean;
  programs: number;
}

const kMost = 4;

export function chooseFigures(known: Known): HeadFigure[] {
  return [
    known.lacksTimes ? compiled(known) : busy(known),
    step(known),
    ...run(known),
    achieved(known.kernels),
    ...engines(known.engines),
    memory(known.lanes),
    launches(known),
    matches(known.capture),
    recorded(known),
  ]
    .filter((figure) => figure !== null)
    .slice(0, kMost);
}

function busy({ devices: { devices, breakdown } }: Known): HeadFigure | null {
  const rows = breakdown.filter(({ stream }) => stream === null);
  const whole = addBreakdowns(rows);
  if (whole === null || whole.span_ns === 0) return null;
  const isGpu = devices.every(({ device }) => typeof device === "number");
  return {
    title: isGpu ? "GPU busy" : rows.length === 1 ? "device busy" : "devices busy",
    text: formatShare(whole.busy_ns / whole.span_ns),
    of: rows.length === 1 ? `of ${formatDuration(whole.span_ns)}` : `of ${formatPlural(rows.length, "device")}' time`,
    hint: `${whole.busy_ns} ns of ${whole.span_ns} ns, from each device's first work to the end of its last`,
    link: linkToTimeline,
  };
}

function compiled({ programs }: Known): HeadFigure {
  return {
    title: "kernels",
    text: formatCount(programs),
    of: "compiled; none of their launches has a time",
    hint: `${programs} programs`,
    link: { view: "program", keys: {} },
  };
}

function step({ devices: { steps } }: Known): HeadFigure | null {
  if (steps.length === 0) return null;
  const byLength = steps.toSorted((a, b) => a.to_ns - a.from_ns - (b.to_ns - b.from_ns));
  const longest = byLength.at(-1)!;
  const dur_ns = medianOf(byLength.map((each) => each.to_ns - each.from_ns));
  return {
    title: "step",
    text: formatDuration(dur_ns),
    of:
      steps.length === 1
        ? "the one recorded"
        : `median of ${formatCount(steps.length)}, longest ${formatDuration(longest.to_ns - longest.from_ns)}`,
    hint: `${dur_ns} ns; leads to the longest, ${longest.name}`,
    link: linkToStretch(longest),
  };
}

function run({ run: shown }: Known): HeadFigure[] {
  if (shown === null) return [];
  const { block, delegations } = shown;
  const ns = inNanoseconds(block.whole, block.unit);
  const figures: HeadFigure[] = [
    {
      title: "iteration",
      text: ns === null ? `${formatCount(block.whole)} cycles` : formatDuration(ns),
      of: block.iterations === 1 ? "the one recorded" : `mean of ${formatCount(block.iterations)}`,
      hint: `${block.whole} ${block.unit}`,
      link: linkToInspector(null),
    },
  ];
  const taken = delegations.filter(({ delegate }) => delegate !== "");
  const share = taken.reduce((sum, each) => sum + each.share, 0);
  if (delegations.length > 0) {
    figures.push({
      title: "delegated",
      text: formatShare(share),
      of: "of an iteration's time",
      hint:
        taken.length === 0
          ? "No delegate ran: all operators are portable kernels"
          : taken.map(({ delegate, calls }) => `${delegate}: ${formatPlural(calls, "call")}`).join(", "),
      link: linkToDelegation,
    });
  }
  return figures;
}

/** By the kernels whose arithmetic is known: of the device's peak at their precision, or as a rate. */
function achieved(kernels: readonly WireKernel[]): HeadFigure | null {
  let [flop, known_ns, at_peak_ns, total_ns] = [0, 0, 0, 0];
  for (const row of kernels) {
    if (row.class !== "memcpy" && row.class !== "memset") total_ns += row.total_ns;
    if (row.flop === null || !row.flop_per_s) continue;
    const ns = (1e9 * row.flop) / row.flop_per_s;
    flop += row.flop;
    known_ns += ns;
    at_peak_ns += row.peak_flops === null ? NaN : (1e9 * row.flop) / row.peak_flops;
  }
  // What less than half of the time does says little of the whole.
  if (known_ns === 0 || flop === 0 || 2 * known_ns < total_ns) return null;
  const rate = formatRate((1e9 * flop) / known_ns, "FLOP/s");
  const of = `in kernels of known arithmetic, ${formatShare(Math.min(known_ns / total_ns, 1))} of kernel time`;
  const link = linkToKernels("name");
  const hint = `${flop} FLOP in ${Math.round(known_ns)} ns`;
  if (Number.isNaN(at_peak_ns)) return { title: "achieved", text: rate, of, hint, link };
  const peak = formatRate((1e9 * flop) / at_peak_ns, "FLOP/s");
  return {
    title: "achieved",
    text: formatShare(at_peak_ns / known_ns),
    of: `of ${peak} ${of}`,
    hint: `${hint}: ${rate}`,
    link,
  };
}

/** The compute engine, and what moves: of a TPU. */
function engines(rows: readonly EngineRow[]): HeadFigure[] {
  const tiu = rows.filter(({ engine }) => engine === "TIU");
  const busiest = rows.filter(({ engine }) => engine !== "TIU").toSorted((a, b) => b.busy - a.busy)[0];
  const figures: HeadFigure[] = [];
  if (tiu.length > 0) {
    const share = tiu.reduce((sum, { busy }) => sum + busy, 0) / tiu.length;
    figures.push({
      title: "TIU busy",
      text: formatShare(share),
      of: tiu.length === 1 ? "of the device's time" : `of the device's time, mean of ${tiu.length} cores`,
      hint: tiu.map(({ core, busy }) => `${core}: ${formatShare(busy)}`).join(", "),
      link: linkToTimeline,
    });
  }
  if (busiest !== undefined) {
    figures.push({
      title: `${busiest.engine} busy`,
      text: formatShare(busiest.busy),
      of: `of the device's time, ${busiest.core}, the busiest`,
      hint: `${Math.round(busiest.busy_ns)} ns`,
      link: linkToTimeline,
    });
  }
  return figures;
}

function memory(lanes: readonly WireLaneInfo[]): HeadFigure | null {
  const before_bytes = (lane: WireLaneInfo) => lane.memory?.unlisted_bytes ?? 0;
  const peak_bytes = (lane: WireLaneInfo) =>
    lane.memory === null ? 0 : (lane.memory?.peak_bytes ?? 0) + before_bytes(lane);
  const most = lanes.reduce<WireLaneInfo | null>(
    (best, lane) => (peak_bytes(lane) > (best === null ? 0 : peak_bytes(best)) ? lane : best),
    null,
  );
  if (most === null) return null;
  return {
    title: "peak memory",
    text: formatBytes(peak_bytes(most)),
    of: `${most.path ?? most.name}, ${formatPlural(most.memory!.allocations, "allocation")}`,
    hint: `${peak_bytes(most)} bytes, ${before_bytes(most)} of them from before the capture began`,
    link: linkToMemory(""),
  };
}

function launches({ kernels }: Known): HeadFigure | null {
  const rows = kernels.filter((row) => row.class === "kernel");
  if (rows.length === 0) return null;
  const count = rows.reduce((sum, row) => sum + row.launches, 0);
  return {
    title: "launches",
    text: formatCount(count),
    of: `of ${formatPlural(new Set(rows.map(({ name }) => name)).size, "kernel")}`,
    hint: `${count} launches on all devices`,
    link: linkToKernels("name"),
  };
}

function matches({ has_rewrites, matches: count, contexts }: CaptureInfo): HeadFigure | null {
  if (!has_rewrites || count === 0) return null;
  return {
    title: "rewrites",
    text: formatCount(count),
    of: `matches in ${formatPlural(contexts, "context")}`,
    hint: `${count} matches of rules`,
    link: { view: "rewrites", keys: {} },
  };
}

function recorded({ recorded_ns, capture }: Known): HeadFigure | null {
  if (recorded_ns === 0) return null;
  return {
    title: "recorded",
    text: formatDuration(recorded_ns),
    of: formatPlural(capture.events, "event"),
    hint: `${recorded_ns} ns`,
    link: linkToTimeline,
  };
}
