// The captures that lie beside the one on screen, and how their times are laid over its own. In the URL as
// "name~how|name~how": by the captures' clocks, begin to begin, or by so many nanoseconds.

import type { CaptureInfo } from "../wire";

/** By the clocks where they can be compared, else begin to begin; or by hand. */
export type Alignment = "clock" | "start" | number;

export interface Beside {
  /** The capture's, as the session has it. */
  name: string;
  alignment: Alignment;
}

/** The clock that a capture's times count from. */
export interface CaptureClock {
  /** Captures whose clocks have one name share it; "" is nobody's. */
  name: string;
  /** The profile's start on that clock, and in Unix time where that is known. Nanoseconds. */
  start_ns: bigint | null;
  unix_start_ns: bigint | null;
}

/** The key of the URL. */
export const kBesideKey = "beside";

const kMostBeside = 16;
/** In the URL: none, though some lie beside by themselves. */
const kNone = "-";

/** What lies beside unless the URL says otherwise: the memory snapshots of a trace's run, or the traces of a snapshot's. */
export function besideByItself(capture: CaptureInfo | null, captures: readonly CaptureInfo[]): Beside[] {
  return captures
    .filter(({ id }) => capture?.same_run.includes(id) === true)
    .slice(0, kMostBeside)
    .map(({ name }) => ({ name, alignment: "clock" as const }));
}

export function parseBeside(text: string | undefined): Beside[] {
  return (text ?? "")
    .split("|")
    .slice(0, kMostBeside)
    .flatMap((item) => {
      const match = /^(.+)~(clock|start|-?\d{1,18})$/.exec(item);
      if (match === null) return [];
      const [name, how] = [unescapeName(match[1]!), match[2]!];
      return [{ name, alignment: how === "clock" || how === "start" ? how : Number(how) }];
    });
}

/** Null for what lies beside by itself, as places have it. */
export function formatBeside(beside: readonly Beside[], byItself: readonly Beside[] = []): string | null {
  const text = beside.map(({ name, alignment }) => `${escapeName(name)}~${alignment}`).join("|");
  if (byItself.length === 0) return text === "" ? null : text;
  return text === formatBeside(byItself) ? null : text === "" ? kNone : text;
}

/** The time to add to another capture's times, which count from its start, so that they count from this one's. */
export function shiftOf(of: CaptureClock, onto: CaptureClock, alignment: Alignment): number {
  if (typeof alignment === "number") return alignment;
  return alignment === "clock" ? (clockShift(of, onto) ?? 0) : 0;
}

/** Null where the clocks cannot be compared. */
export function clockShift(of: CaptureClock, onto: CaptureClock): number | null {
  if (of.name !== "" && of.name === onto.name && of.start_ns !== null && onto.start_ns !== null)
    return Number(of.start_ns - onto.start_ns);
  if (of.unix_start_ns !== null && onto.unix_start_ns !== null) return Number(of.unix_start_ns - onto.unix_start_ns);
  return null;
}

function escapeName(name: string): string {
  return name.replace(/[%|~]/g, encodeURIComponent).replace(/~/g, "%7E");
}

function unescapeName(text: string): string {
  return text.replace(/%7C|%25|%7E/gi, decodeURIComponent);
}
