// The part of a timeline that is looked at, as it stands in the URL: times in nanoseconds, all else by name.
import { kBesideKey } from "./beside";
import { listClocks, type Clock } from "./clock";
import type { KeyChange, Keys, UrlKeys } from "../place";
import { formatArrangement, kArrangementKeys, parseArrangement, type Arrangement } from "./lanes-arrange";
import type { AllocationRef } from "./events";
import { kStatsColumns, type Area, type StatsColumn, type StatsLines } from "./stats";
import { findLane, type Timeline } from "./timeline";
import type { MemoryOrder } from "./memory-picture";
import { clampRange, formatRange, frameRange, parseRange, wholeRange, type TimeRange } from "../time";

/** How memory is drawn. */
export interface MemoryView {
  /** A rectangle an allocation, or the live bytes of each category. */
  shown: "blocks" | "categories";
  order: MemoryOrder;
}

/** How far the lanes are scrolled: the box at the top, and how much of it is above. */
export interface Top {
  key: string;
  above_px: number;
}

export interface Sight {
  range: TimeRange;
  /** The selected event, as links name it (lib/links.ts), or the selected allocation; "" is none. */
  event: string;
  allocation: string;
  area: Area | null;
  marks: readonly TimeRange[];
  lanes: Arrangement;
  /** Null at the very top. */
  top: Top | null;
  memory: MemoryView;
  /** The unit of the axis: time, or cycles of a clock that the profile has. */
  clock: Clock;
  find: string;
  colourBy: ColourBy;
  /** The gap whose cause is told, as links name it (lib/links.ts); "" is none. */
  idle: string;
  /** The tab of the details that is open. */
  tab: DetailsTab;
  table: TableLook;
}

/** What is looked at before anybody has moved: all; of a thread trace, which goes on long after its waves, their time. */
export function firstRange({ dur_ns, trace }: Pick<Timeline, "dur_ns" | "trace">): TimeRange {
  const whole = wholeRange(dur_ns);
  return trace === undefined ? whole : frameRange({ from: trace.work[0], to: trace.work[1] }, whole, 0.02);
}

/** Instructions are of no class of work. */
const firstColouring = ({ trace }: Timeline): ColourBy => (trace === undefined ? "class" : "name");

/** The source of events' colours: the class of their work, or their names. */
export const kColourings = ["class", "name"] as const;
export type ColourBy = (typeof kColourings)[number];

export const kDetailsTabs = ["range", "event", "stacks", "search"] as const;
export type DetailsTab = (typeof kDetailsTabs)[number];

/** How the events of a range are listed. */
export interface TableLook {
  lines: StatsLines;
  column: StatsColumn;
  descending: boolean;
}
export const kFirstTable: TableLook = { lines: "names", column: "total_ns", descending: true };

const kTopKey = "lanes.top";
/** Its keys of the URL. */
export const sightKeys: UrlKeys = {
  time: "ofLink",
  event: "ofLink",
  allocation: "ofLink",
  idle: "ofLink",
  colours: "kept",
  [kTopKey]: "ofLink",
  details: "ofLink",
  table: "kept",
  area: "kept",
  marks: "kept",
  find: "kept",
  memory: "kept",
  clock: "kept",
  [kBesideKey]: "kept",
  ...Object.fromEntries(kArrangementKeys.map((key) => [key, "kept"] as const)),
};
const kMostMarks = 20;

/**
 * The keys of a sight among those of a place, each of them; null where it is not there. What lies beside is no part of
 * it.
 */
export function takeSightKeys(keys: Keys): KeyChange {
  const own = Object.keys(sightKeys).filter((key) => key !== kBesideKey);
  return Object.fromEntries(own.map((key) => [key, keys[key] ?? null]));
}

/** All keys of a sight; what is as at first is null. */
export function formatSight(timeline: Timeline, sight: Sight): KeyChange {
  const fields: Record<string, string> = {};
  if (formatRange(sight.range) !== formatRange(firstRange(timeline))) fields.time = formatRange(sight.range);
  if (sight.event !== "") fields.event = sight.event;
  if (sight.allocation !== "") fields.allocation = sight.allocation;
  if (sight.area !== null) {
    const names = sight.area.lanes.map((lane) => timeline.lanes[lane]!.path);
    fields.area = [formatRange(sight.area.range), ...names].join("|");
  }
  if (sight.marks.length > 0) fields.marks = sight.marks.map(formatRange).join("|");
  Object.assign(fields, formatArrangement(sight.lanes));
  if (sight.top !== null) fields[kTopKey] = `${sight.top.key}|${sight.top.above_px}`;
  const memory = [sight.memory.shown, sight.memory.order].filter((word) => word !== "blocks" && word !== "time");
  if (memory.length > 0) fields.memory = memory.join("|");
  if (sight.clock !== null) fields.clock = String(sight.clock);
  if (sight.colourBy !== firstColouring(timeline)) fields.colours = sight.colourBy;
  if (sight.idle !== "") fields.idle = sight.idle;
  if (sight.find !== "") fields.find = sight.find;
  if (sight.tab !== tabOfSelection(sight)) fields.details = sight.tab;
  const table = formatTableLook(sight.table);
  if (table !== formatTableLook(kFirstTable)) fields.table = table;
  return takeSightKeys(fields);
}

/** Keys that make no sense, or name nothing of this profile, mean the first sight. */
export function parseSight(timeline: Timeline, fields: Keys): Sight {
  const range = parseRange(fields.time);
  return {
    range: range === null ? firstRange(timeline) : clampRange(range, wholeRange(timeline.dur_ns)),
    event: fields.event ?? "",
    allocation: fields.allocation ?? "",
    area: parseArea(timeline, fields.area),
    marks: (fields.marks ?? "")
      .split("|")
      .slice(0, kMostMarks)
      .map(parseRange)
      .filter((mark) => mark !== null),
    lanes: parseArrangement(fields),
    top: parseTop(fields[kTopKey]),
    memory: {
      shown: isInList(fields.memory, "categories") ? "categories" : "blocks",
      order: isInList(fields.memory, "events") ? "events" : "time",
    },
    clock: listClocks(timeline.lanes).find((clock) => String(clock) === fields.clock) ?? null,
    find: fields.find ?? "",
    colourBy: kColourings.find((by) => by === fields.colours) ?? firstColouring(timeline),
    idle: fields.idle ?? "",
    tab:
      kDetailsTabs.find((tab) => tab === fields.details) ??
      tabOfSelection({ event: fields.event ?? "", allocation: fields.allocation ?? "", idle: fields.idle ?? "" }),
    table: parseTableLook(fields.table),
  };
}

/** A selection opens its details, unless others were opened since. */
function tabOfSelection({ event, allocation, idle }: Pick<Sight, "event" | "allocation" | "idle">): DetailsTab {
  return event !== "" || allocation !== "" || idle !== "" ? "event" : "range";
}

function formatTableLook({ lines, column, descending }: TableLook): string {
  return `${lines}|${descending ? "" : "!"}${column}`;
}

function parseTableLook(text: string | undefined): TableLook {
  const [lines, order = ""] = (text ?? "").split("|");
  const column = kStatsColumns.find((name) => name === order.replace("!", ""));
  if ((lines !== "names" && lines !== "lanes") || column === undefined) return kFirstTable;
  return { lines, column, descending: !order.startsWith("!") };
}

function isInList(list: string | undefined, word: string): boolean {
  return (list ?? "").split("|").includes(word);
}

/** An allocation by its lane and its place in order of birth. */
export function formatAllocationKey(timeline: Timeline, ref: AllocationRef): string {
  return `${timeline.lanes[ref.lane]!.path}|${ref.allocation}`;
}

export function parseAllocationKey(timeline: Timeline, key: string | undefined): AllocationRef | null {
  const match = /^(.*)\|(\d{1,9})$/.exec(key ?? "");
  if (match === null) return null;
  const lane = findLane(timeline, match[1]);
  return timeline.lanes[lane]?.memory == null ? null : { lane, allocation: Number(match[2]) };
}

function parseTop(text: string | undefined): Top | null {
  const match = /^(.*)\|(\d{1,6})$/.exec(text ?? "");
  return match === null ? null : { key: match[1]!, above_px: Number(match[2]) };
}

function parseArea(timeline: Timeline, text: string | undefined): Area | null {
  const [times, ...names] = (text ?? "").split("|");
  const range = parseRange(times);
  const lanes = [...new Set(names.map((name) => findLane(timeline, name)))].filter((lane) => lane >= 0);
  return range === null || lanes.length === 0 ? null : { range, lanes };
}
