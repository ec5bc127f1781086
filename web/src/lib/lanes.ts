// The profile as the page holds it: lanes of events in columns, cut into rows whose events do not overlap. A row keeps
// its events' starts and ends and the running sum of their lengths, so that any moment is found by halving and the busy
// time of any range is two lookups and its two ends.
import { stripAnsi } from "./ansi";
import { readMemory, type Memory } from "./memory";
import { findAbove, type TimeRange } from "./time";
import type { WireLane, WireProfile } from "./wire";

/** Events of one row, by start; none overlap. */
export interface Row {
  /** Indices into the lane's columns. */
  event: Uint32Array;
  start: Float64Array;
  end: Float64Array;
  /** busyBefore[i] is the length of the events before i, summed; one longer than the others. */
  busyBefore: Float64Array;
}

export interface Lane {
  name: string;
  /** Columns, by start, the outer event before the inner. */
  start: Float64Array;
  dur: Float64Array;
  label: Uint32Array;
  info: Uint32Array;
  /** Where the event leads: a context and a step of it, -1 where there is none. */
  context: Int32Array;
  step: Int32Array;
  row: Uint32Array;
  /** Index into Profile.families. */
  family: Uint32Array;
  rows: Row[];
  relaned: number;
  /** Time with at least one event. */
  busy_ns: number;
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

export interface Profile {
  dur_ns: number;
  strings: string[];
  /** The strings without colours. */
  plain: string[];
  /** By string, the first that is the same without colours: two events have one name where these are equal. */
  nameOf: Uint32Array;
  /** Names of colour families, by first appearance. */
  families: string[];
  lanes: Lane[];
  markers: Marker[];
  eventCount: number;
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
  return {
    name: stripAnsi(wire.name),
    start,
    dur,
    label,
    info: Uint32Array.from(wire.info),
    context: Int32Array.from(wire.context),
    step: Int32Array.from(wire.step),
    row,
    family: families.assign(start, dur, row, label, wire.rows),
    rows: cutRows(start, dur, row, wire.rows),
    relaned: wire.relaned,
    busy_ns: sumUnion(start, dur),
    memory: wire.memory === null ? null : readMemory(wire.memory),
  };
}

/** Rows above an event that are asked for what holds it; only events that overlap without nesting leave any out. */
const kFamilyReach = 64;

/** The families that colours are given to: the first word of an event's outermost event, as tinygrad's page has it. */
class FamilyTable {
  readonly names: string[] = [];
  private readonly index = new Map<string, number>();
  private readonly ofLabel = new Map<number, number>();

  constructor(private readonly plain: readonly string[]) {}

  /** One family an event. Events come by start, the outer before the inner. */
  assign(start: Float64Array, dur: Float64Array, row: Uint32Array, label: Uint32Array, rows: number): Uint32Array {
    const family = new Uint32Array(start.length);
    const last = new Int32Array(rows).fill(-1);
    for (let i = 0; i < start.length; i++) {
      const end = start[i]! + dur[i]!;
      // The nearest row above whose event holds this one; its family is that of their outermost.
      const highest = Math.max(row[i]! - kFamilyReach, 0);
      let above = row[i]! - 1;
      while (above >= highest && !(last[above]! >= 0 && start[last[above]!]! + dur[last[above]!]! >= end)) above--;
      family[i] = above >= highest ? family[last[above]!]! : this.familyOfLabel(label[i]!);
      last[row[i]!] = i;
    }
    return family;
  }

  private familyOfLabel(label: number): number {
    const known = this.ofLabel.get(label);
    if (known !== undefined) return known;
    const name = nameFamily(this.plain[label] ?? "");
    let family = this.index.get(name);
    if (family === undefined) {
      family = this.names.length;
      this.names.push(name);
      this.index.set(name, family);
    }
    this.ofLabel.set(label, family);
    return family;
  }
}

/** The first word, without the number that tells kernels of one shape apart (E_4_4n1 is of the family E_4_4). */
export function nameFamily(plainName: string): string {
  const word = plainName.trim().split(/\s/, 1)[0] ?? "";
  return word.replace(/(?<=\d)n\d+$/, "");
}

function cutRows(start: Float64Array, dur: Float64Array, row: Uint32Array, rowCount: number): Row[] {
  const counts = new Uint32Array(rowCount);
  for (const r of row) counts[r]!++;
  const rows: Row[] = Array.from(counts, (n) => ({
    event: new Uint32Array(n),
    start: new Float64Array(n),
    end: new Float64Array(n),
    busyBefore: new Float64Array(n + 1),
  }));
  const filled = new Uint32Array(rowCount);
  for (let i = 0; i < row.length; i++) {
    const r = rows[row[i]!]!;
    const at = filled[row[i]!]!++;
    r.event[at] = i;
    r.start[at] = start[i]!;
    r.end[at] = start[i]! + dur[i]!;
    r.busyBefore[at + 1] = r.busyBefore[at]! + dur[i]!;
  }
  return rows;
}

/** The length of the union of events that come by start. */
export function sumUnion(start: Float64Array, dur: Float64Array, clip?: TimeRange): number {
  let sum = 0;
  let covered = clip?.from ?? -Infinity;
  const limit = clip?.to ?? Infinity;
  for (let i = 0; i < start.length; i++) {
    const end = Math.min(start[i]! + dur[i]!, limit);
    const from = Math.max(start[i]!, covered);
    if (end > from) {
      sum += end - from;
      covered = end;
    }
  }
  return sum;
}

function collectEvents(lanes: readonly Lane[]): Map<number, EventRef[]> {
  const events = new Map<number, EventRef[]>();
  lanes.forEach((lane, l) => {
    lane.context.forEach((context, e) => {
      if (context < 0 || lane.step[e]! >= 0) return;
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

/** Places in the row, from (inclusive) to to (exclusive), of the events that touch the range. */
export function findInRow(row: Row, range: TimeRange): [from: number, to: number] {
  const to = findAbove(row.start, range.to);
  // Ends rise as starts do, since events of a row do not overlap.
  const from = findAbove(row.end, range.from);
  return [Math.min(from, to), to];
}

/** How much of the range the row's events cover. */
export function busyInRow(row: Row, range: TimeRange): number {
  const [from, to] = findInRow(row, range);
  if (from >= to) return 0;
  const inside = row.busyBefore[to]! - row.busyBefore[from]!;
  return inside - Math.max(range.from - row.start[from]!, 0) - Math.max(row.end[to - 1]! - range.to, 0);
}

/** The event of the row at this moment, or the nearest one within `reach_ns`; -1 where there is none. */
export function findEventAt(row: Row, at: number, reach_ns = 0): number {
  const next = findAbove(row.start, at);
  const before = next - 1;
  if (before >= 0 && row.end[before]! >= at) return row.event[before]!;
  const gapBefore = before >= 0 ? at - row.end[before]! : Infinity;
  const gapAfter = next < row.start.length ? row.start[next]! - at : Infinity;
  if (Math.min(gapBefore, gapAfter) > reach_ns) return -1;
  return row.event[gapBefore <= gapAfter ? before : next]!;
}

export function rangeOfEvent(lane: Lane, event: number): TimeRange {
  return { from: lane.start[event]!, to: lane.start[event]! + lane.dur[event]! };
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
