// Links between views: where each leads, as keys of the URL. The views at both ends do not know each other.
import type { LinkedEvent } from "./linked-event";
import { formatNamedIndex, type NamedIndex } from "./named-index";
import type { Link } from "./place";
import { formatRange, type TimeRange } from "./time";
import { formatBeside, kBesideKey } from "./timeline/beside";
import { kArrangementKeys } from "./timeline/lanes-arrange";
import type { WireLocation } from "./wire";

export type { LinkedEvent };

/** To a state of a pass; without a pass, to the context alone. */
export function linkToPass(context: NamedIndex, pass: NamedIndex | null, match = 0): Link {
  return {
    view: "rewrites",
    keys: {
      context: formatNamedIndex(context),
      pass: pass === null ? null : formatNamedIndex(pass),
      match: match === 0 ? null : String(match),
    },
  };
}

/** To the nodes whose boxes hold a text, in the search of the graph that is shown. */
export function linkToNodes(text: string): Link {
  return { view: "rewrites", keys: { tab: "find", search: text } };
}

/** To a rule in the table of rules. */
export function linkToRule([file, line]: WireLocation): Link {
  return { view: "rules", keys: { rule: `${file}:${line}` } };
}

/** The text of a program, of its two, that is looked at. */
export type ProgramText = "source" | "machine";

/** To the program that a context made; text: to that of its two. */
export function linkToProgram(context: NamedIndex, text: ProgramText | null = null): Link {
  const keys = { context: formatNamedIndex(context), pass: null };
  return { view: "program", keys: text === null ? keys : { ...keys, panel: null, text } };
}

/** To a program beside one of another capture: its source and its machine code, line by line. */
export function linkToPrograms(context: NamedIndex, other: { capture: string; context: NamedIndex }): Link {
  const key = `${other.capture}|${formatNamedIndex(other.context)}`;
  return { view: "program", keys: { context: formatNamedIndex(context), pass: null, panel: "compare", with: key } };
}

/** To a program that no context made, by its number. */
export function linkToProgramAlone(program: NamedIndex): Link {
  return { view: "program", keys: { context: null, pass: null, program: formatNamedIndex(program) } };
}

/** The key of the critical path that is drawn; its value is kWholePath, or a step's number. */
export const kPathKey = "path";
export const kWholePath = "all";

/**
 * The key of the run whose trace the timeline shows; its value as counters number it ("s2": the samples of that number),
 * and a part behind ".".
 */
export const kTraceKey = "trace";

/** To the cycles of a run: its waves' instructions, as its thread traces tell them, or its samples. */
export function linkToTrace(trace: string, part = 0): Link {
  return { view: "timeline", keys: { ...kAnotherAxis, [kTraceKey]: part === 0 ? trace : `${trace}.${part}` } };
}

/** Back to the timeline of the whole capture, and there to the event that the traced run is, where it is known. */
export function linkFromTrace(event: LinkedEvent | null): Link {
  const there = event === null ? {} : linkToEvent(event).keys;
  return { view: "timeline", keys: { ...kAnotherAxis, ...there, [kTraceKey]: null } };
}

/** To an instruction of a program, by its address there. */
export function linkToInstruction(program: NamedIndex, address: string): Link {
  const { view, keys } = linkToProgramAlone(program);
  return { view, keys: { ...keys, panel: null, ins: address, line: null } };
}

/** What is named by times and lanes means nothing on another axis. */
const kAnotherAxis = Object.fromEntries(
  ["area", "marks", "find", "table", "clock", kPathKey, ...kArrangementKeys].map((key) => [key, null]),
);

/** Around an instant, which takes no time. */
const kLeastRoom_ns = 10;

/** To an event on the timeline, with some time before and after it. */
export function linkToEvent(event: LinkedEvent): Link {
  const { start_ns, dur_ns } = event;
  const room_ns = 4 * Math.max(dur_ns, kLeastRoom_ns);
  const time: TimeRange = { from: start_ns - room_ns, to: start_ns + dur_ns + room_ns };
  return { view: "timeline", keys: { event: formatEventKey(event), time: formatRange(time) } };
}

/** To a stretch of the timeline, with as much room at either side; to an instant with a microsecond. */
export function linkToTime({ from, to }: TimeRange): Link {
  const room_ns = Math.max(to - from, 1000);
  return { view: "timeline", keys: { time: formatRange({ from: from - room_ns, to: to + room_ns }) } };
}

/**
 * To an instant of the timeline, with another capture beside the one on screen, by their clocks; and there to an event
 * of that other one, where it is known.
 */
export function linkBeside(at_ns: number, capture: string, event: LinkedEvent | null): Link {
  const room_ns = event === null ? kBesideRoom_ns : Math.max(8 * event.dur_ns, kBesideRoom_ns / 4);
  const keys = {
    time: formatRange({ from: at_ns - room_ns, to: at_ns + room_ns }),
    [kBesideKey]: formatBeside([{ name: capture, alignment: "clock" }]),
  };
  return { view: "timeline", keys: event === null ? keys : { ...keys, event: keyOfEventOf(capture, event) } };
}
const kBesideRoom_ns = 200_000;

/** Where several captures lie on one time axis, an event's key begins with its capture's name. */
export const keyOfEventOf = (capture: string, event: LinkedEvent): string =>
  `${encodeURIComponent(capture)}!${formatEventKey(event)}`;

/** To a time in which a device did nothing, and its cause; lane: the path of a lane of the device. */
export function linkToGap(lane: string, gap: TimeRange): Link {
  const { view, keys } = linkToTime(gap);
  return { view, keys: { ...keys, idle: formatGapKey(lane, (gap.from + gap.to) / 2) } };
}

/** "LANE|NS": any time in it. */
export function formatGapKey(lane: string, at_ns: number): string {
  return `${lane}|${Math.floor(at_ns)}`;
}

export function parseGapKey(key: string): { lane: string; at_ns: number } | null {
  const match = /^(.*)\|(\d{1,16})$/.exec(key);
  return match === null ? null : { lane: match[1]!, at_ns: Number(match[2]) };
}

/** What of a memory is looked at. */
export interface LinkedMemory {
  /** The time of the state; without it, the peak. */
  at_ns?: number;
  /** The chosen allocation, by its place in order of birth. */
  allocation?: number;
  /** The chosen holder of those by operator (lib/memory.ts). */
  holder?: number;
}

/** To who holds the memory of a lane, by its path; "": of the one that holds most. */
export function linkToMemory(lane: string, { at_ns, allocation, holder }: LinkedMemory = {}): Link {
  return {
    view: "memory",
    keys: {
      ...(lane === "" ? {} : { "mem.lane": lane }),
      ...(at_ns === undefined ? {} : { "mem.at": String(Math.round(at_ns)) }),
      ...(allocation === undefined ? {} : { "mem.allocation": String(allocation) }),
      ...(holder === undefined ? {} : { "mem.by": null, "mem.holder": String(holder) }),
    },
  };
}

/** What of an allocator is looked at. */
export interface LinkedAllocator {
  /** "peak", "end" or an entry's number; without it, the peak. */
  at?: "peak" | "end" | number;
  show?: "owners" | "segments" | "leaks";
  /** The chosen owner of those by line. */
  owner?: number;
  /** The chosen allocation. */
  life?: number;
}

/** To a memory whose allocator told of itself, by the path of its lane. */
export function linkToAllocator(
  lane: string,
  { at = "peak", show = "owners", owner, life }: LinkedAllocator = {},
): Link {
  return {
    view: "allocator",
    keys: {
      "alloc.lane": lane,
      "alloc.at": at === "peak" ? null : String(at),
      "alloc.show": show === "owners" ? null : show,
      ...(owner === undefined ? {} : { "alloc.by": null, "alloc.owner": String(owner) }),
      ...(life === undefined ? {} : { "alloc.life": String(life) }),
    },
  };
}

/** "LANE|@INDEX.START|NAME". */
export function formatEventKey({ lane, index, start_ns, name }: Omit<LinkedEvent, "dur_ns">): string {
  return `${lane}|@${index}.${start_ns}|${name}`;
}

/** Null where it makes no sense. */
export function parseEventKey(key: string): Omit<LinkedEvent, "dur_ns"> | null {
  const match = /^(.*?)\|@(\d{1,10})\.(-?\d{1,16})\|([\s\S]*)$/.exec(key);
  if (match === null) return null;
  return { lane: match[1]!, index: Number(match[2]), start_ns: Number(match[3]), name: match[4]! };
}
