// The profile as the page holds it: lanes of events in columns, cut into rows whose events do not overlap
// (lib/timeline/lanes-rows.ts), and what leads from a context to its events.
import { stripAnsi } from "../ansi";
import { FamilyTable } from "./lanes-families";
import { cutRows, findHolders, sumUnion, type Row } from "./lanes-rows";
import { readMemory, type Memory } from "./memory";
import type { TimeRange } from "../time";
import type { EventItem, LaneInfo, Timeline } from "./source";
import type { WireLane, WireProfile } from "../wire";

/** A lane with all its events. */
export interface Lane extends LaneInfo {
  /** Columns, by start, the outer event before the inner. */
  start: Float64Array;
  dur: Float64Array;
  label: Uint32Array;
  info: Uint32Array;
  /** Where the event leads: a context and a pass of it, -1 where there is none. */
  context: Int32Array;
  pass: Int32Array;
  row: Uint32Array;
  /** The event that holds it, -1 where none does. */
  holder: Int32Array;
  /** Index into Profile.families. */
  family: Uint32Array;
  rows: Row[];
  memory: Memory | null;
}

export interface EventRef {
  lane: number;
  event: number;
}

export interface Marker {
  at: number;
  name: string;
  colour: string;
}

export interface Profile extends Timeline {
  /** By string, the first that is the same without colours: two events have one name where these are equal. */
  nameOf: Uint32Array;
  /** Names of colour families, by first appearance. */
  families: string[];
  lanes: Lane[];
  /** The events that name a context themselves (not its passes), by start. */
  eventsOfContext: ReadonlyMap<number, readonly EventRef[]>;
}

export function readProfile(wire: WireProfile): Profile {
  const plain = wire.strings.map(stripAnsi);
  const firstOfName = new Map<string, number>();
  plain.forEach((name, i) => firstOfName.has(name) || firstOfName.set(name, i));
  const families = new FamilyTable(plain);
  const lanes = wire.lanes.map((lane) => readLane(lane, families));
  return {
    dur_ns: wire.dur_ns,
    strings: wire.strings,
    plain,
    nameOf: Uint32Array.from(plain, (name) => firstOfName.get(name)!),
    families: families.names,
    lanes,
    markers: [...wire.markers].sort((a, b) => a.at - b.at),
    eventCount: lanes.reduce((sum, lane) => sum + lane.start.length, 0),
    eventsOfContext: collectEvents(lanes),
  };
}

function readLane(wire: WireLane, families: FamilyTable): Lane {
  const start = Float64Array.from(wire.start);
  const dur = Float64Array.from(wire.dur);
  const row = Uint32Array.from(wire.row);
  const label = Uint32Array.from(wire.label);
  const holder = findHolders(start, dur, row, wire.rows);
  return {
    name: stripAnsi(wire.name),
    path: stripAnsi(wire.name),
    group: stripAnsi(wire.group ?? ""),
    start,
    dur,
    label,
    info: Uint32Array.from(wire.info),
    context: Int32Array.from(wire.context),
    pass: Int32Array.from(wire.pass),
    row,
    holder,
    family: families.assign(holder, label),
    rows: cutRows(start, dur, row, wire.rows),
    rowCount: wire.rows,
    eventCount: start.length,
    hz: null,
    counters: [],
    relaned: wire.relaned,
    busy_ns: sumUnion(start, dur),
    memory: wire.memory === null ? null : readMemory(wire.memory),
  };
}

function collectEvents(lanes: readonly Lane[]): Map<number, EventRef[]> {
  const events = new Map<number, EventRef[]>();
  lanes.forEach((lane, l) => {
    lane.context.forEach((context, e) => {
      if (context < 0 || lane.pass[e]! >= 0) return;
      const list = events.get(context);
      if (list === undefined) events.set(context, [{ lane: l, event: e }]);
      else list.push({ lane: l, event: e });
    });
  });
  for (const list of events.values()) {
    list.sort((a, b) => lanes[a.lane]!.start[a.event]! - lanes[b.lane]!.start[b.event]!);
  }
  return events;
}

export function rangeOfItem({ start, dur }: EventItem): TimeRange {
  return { from: start, to: start + dur };
}

/** An event by itself. */
export function makeItem(profile: Profile, { lane: l, event }: EventRef): EventItem {
  const lane = profile.lanes[l]!;
  const label = lane.label[event]!;
  return {
    lane: l,
    event,
    row: lane.row[event]!,
    name: profile.nameOf[label]!,
    label: profile.strings[label] ?? "",
    start: lane.start[event]!,
    dur: lane.dur[event]!,
    dur_ps: 0,
    kind: "span",
    isError: false,
  };
}

export function startOfEvent(profile: Profile, ref: EventRef): number {
  return profile.lanes[ref.lane]!.start[ref.event]!;
}

/**
 * The runs of a context: its events that have its own name, so that a kernel's runs are not mixed with the events of
 * its making ("compile E_4"); where none has, all its events.
 */
export function listRuns(profile: Profile, context: number, name: string): readonly EventRef[] {
  const events = profile.eventsOfContext.get(context) ?? [];
  const plainName = stripAnsi(name);
  const runs = events.filter((ref) => profile.plain[profile.lanes[ref.lane]!.label[ref.event]!] === plainName);
  return runs.length > 0 ? runs : events;
}
