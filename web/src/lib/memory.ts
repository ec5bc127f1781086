// Who holds a memory, as the server answers it (server/http/API.md), and where in it somebody looks.
import type { HolderFields } from "./device-fields";
import type { Run } from "./timeline/runs";
import type { LaneInfo } from "./timeline/timeline";
import { formatMoment, type TimeRange } from "./time";

export const kHolderGroups = ["operator", "module", "line", "category"] as const;
export type HolderGroup = (typeof kHolderGroups)[number];

export interface WireHolder extends HolderFields {
  /** Names the holder in questions about its allocations. */
  id: number;
  /** Its largest allocation, by its place in order of birth; null where it holds none then. */
  example: number | null;
}

export interface WireHolders {
  at_ns: number;
  since_ns: number;
  /** The bytes of all allocations that are alive then. */
  bytes: number;
  /** How many holders there are; the first thousand are listed. */
  count: number;
  rows: WireHolder[];
}

/** When the state is looked at: where most is held, at the end, or at a time. */
export type MemoryMoment = "peak" | "end" | number;

export function parseMoment(text: string | undefined): MemoryMoment {
  if (text === "end") return "end";
  return /^-?\d{1,16}$/.test(text ?? "") ? Number(text) : "peak";
}

/** The key of the URL: null as at first. */
export const formatMomentKey = (at: MemoryMoment): string | null =>
  at === "peak" ? null : at === "end" ? "end" : String(Math.round(at));

/** As people read it. */
export function sayMoment(at: MemoryMoment, at_ns: number, isOfRange: boolean): string {
  if (at === "end") return "At the end";
  if (at === "peak") return `At the peak${isOfRange ? " of the chosen time" : ""}, ${formatMoment(at_ns)}`;
  return `At ${formatMoment(at_ns)}`;
}

/** The lanes that own memory, by their numbers; the one with the highest peak first. */
export function listOwners(lanes: readonly LaneInfo[]): number[] {
  const owners = lanes.flatMap((lane, l) => (lane.memory === null ? [] : [l]));
  return owners.sort((a, b) => lanes[b]!.memory!.peak_bytes - lanes[a]!.memory!.peak_bytes);
}

/** The time of the first step of that number; null where there is none. */
export function rangeOfStep(runs: readonly Run[], step: number): TimeRange | null {
  const found = runs.find((run) => run.kind === "step" && run.number === step);
  return found === undefined ? null : { from: found.from, to: found.to };
}

/** A Python line as events are called, "FILE(LINE): FUNCTION", taken apart; null where it is none. */
export function parsePythonLine(name: string): { file: string; line: number; function: string } | null {
  const match = /^(.+)\((\d+)\): ([\s\S]*)$/.exec(name);
  return match === null ? null : { file: match[1]!, line: Number(match[2]), function: match[3]! };
}

/** "+1.2 MB", "−3 KB", "0 B". */
export function signOf(bytes: number): "+" | "−" | "" {
  return bytes > 0 ? "+" : bytes < 0 ? "−" : "";
}
