// Sums over events: one line a name, for all events of a name or for those of a time range and some lanes.
import { stripAnsi } from "../ansi";
import { startOfEvent, type EventRef, type Lane, type Profile } from "./lanes";
import { findInRow, sumUnion } from "./lanes-rows";
import { spanOf, type TimeRange } from "../time";
import type { Timeline } from "./source";

/** A time range over the boxes of the lanes from first to last. */
export interface Area {
  range: TimeRange;
  lanes: number[];
}

export interface NameStats {
  /** A number that no other name of the table has. */
  name: number;
  /** With colours. */
  label: string;
  count: number;
  /** Time inside the range. Inner events count beside the outer ones that hold them. */
  total_ns: number;
  /** total over the range's length and its lanes. */
  share: number;
  /** Of whole events, also where they reach out of the range; self is what no inner event covers. */
  self_ns: number;
  mean_ns: number;
  median_ns: number;
  p90_ns: number;
  max_ns: number;
  worst: EventRef;
}

export interface AreaStats {
  names: NameStats[];
  /** Names with the least time, left out of the list. */
  others: { names: number; count: number; total_ns: number } | null;
  count: number;
  /** Share of the range, averaged over its lanes, with at least one event; null where that is not known. */
  busy: number | null;
  /** Of medians and 90th percentiles; else they are within about a percent. */
  isExact: boolean;
}

/** The events that touch the area, by name, the most time first. */
export function sumArea(profile: Profile, area: Area): AreaStats {
  const groups = new Groups(profile);
  let count = 0;
  let busy_ns = 0;
  const withEvents = area.lanes.filter((l) => profile.lanes[l]!.rows.length > 0);
  for (const l of withEvents) {
    const lane = profile.lanes[l]!;
    busy_ns += sumUnion(lane.start, lane.dur, area.range);
    const self = sumSelf(lane);
    for (const row of lane.rows) {
      const [from, to] = findInRow(row, area.range);
      for (let i = from; i < to; i++) {
        const event = row.event[i]!;
        const inside_ns = insideOf(lane, event, area.range);
        if (inside_ns <= 0 && row.end[i]! > row.start[i]!) continue;
        groups.add(l, event, Math.max(inside_ns, 0), self[event]!);
        count++;
      }
    }
  }
  const whole_ns = spanOf(area.range) * Math.max(withEvents.length, 1);
  const names = groups.list.map((group) => summarise(profile, group, whole_ns));
  names.sort((a, b) => b.total_ns - a.total_ns);
  return { names, others: null, count, busy: whole_ns > 0 ? busy_ns / whole_ns : 0, isExact: true };
}

function insideOf(lane: Lane, event: number, range: TimeRange): number {
  const start = lane.start[event]!;
  return Math.min(start + lane.dur[event]!, range.to) - Math.max(start, range.from);
}

/** The time of one event that its inner events do not cover. */
export function selfOf(lane: Lane, event: number): number {
  return sumSelf(lane)[event]!;
}

/** Of each event of a lane, the time that its inner events do not cover. */
function sumSelf(lane: Lane): Float64Array {
  const self = lane.dur.slice();
  // Inner events come by start: what they cover grows at its end.
  const covered = lane.start.slice();
  lane.holder.forEach((outer, inner) => {
    if (outer < 0) return;
    const end = lane.start[inner]! + lane.dur[inner]!;
    const from = Math.max(lane.start[inner]!, covered[outer]!);
    if (end <= from) return;
    self[outer]! -= end - from;
    covered[outer] = end;
  });
  return self;
}

export interface NameSums {
  stats: NameStats;
  events: EventRef[];
  /** Rising. */
  durations: Float64Array;
}

/** All events with the name of a string (colours do not count), in time order, and their sums; shares are of the profile. */
export function sumName(profile: Profile, label: number): NameSums | null {
  const groups = new Groups(profile);
  const name = profile.nameOf[label];
  const events: EventRef[] = [];
  profile.lanes.forEach((lane, l) => {
    const self = sumSelf(lane);
    lane.label.forEach((other, e) => {
      if (profile.nameOf[other] !== name) return;
      events.push({ lane: l, event: e });
      groups.add(l, e, lane.dur[e]!, self[e]!);
    });
  });
  const group = groups.list[0];
  if (group === undefined) return null;
  events.sort((a, b) => startOfEvent(profile, a) - startOfEvent(profile, b));
  return {
    stats: summarise(profile, group, profile.dur_ns),
    events,
    durations: Float64Array.from(group.durations).sort(),
  };
}

interface Group {
  label: number;
  durations: number[];
  total_ns: number;
  self_ns: number;
  worst: EventRef;
  worst_ns: number;
}

/** Events gathered by name. */
class Groups {
  readonly list: Group[] = [];
  private readonly byName: (Group | undefined)[] = [];

  constructor(private readonly profile: Profile) {}

  add(l: number, event: number, inside_ns: number, self_ns: number): void {
    const lane = this.profile.lanes[l]!;
    const label = lane.label[event]!;
    const dur_ns = lane.dur[event]!;
    let group = this.byName[this.profile.nameOf[label]!];
    if (group === undefined) {
      group = { label, durations: [], total_ns: 0, self_ns: 0, worst: { lane: l, event }, worst_ns: -1 };
      this.byName[this.profile.nameOf[label]!] = group;
      this.list.push(group);
    }
    group.durations.push(dur_ns);
    group.total_ns += inside_ns;
    group.self_ns += self_ns;
    if (dur_ns > group.worst_ns) {
      group.worst = { lane: l, event };
      group.worst_ns = dur_ns;
    }
  }
}

function summarise(profile: Profile, group: Group, whole_ns: number): NameStats {
  const durations = Float64Array.from(group.durations).sort();
  return {
    name: profile.nameOf[group.label]!,
    label: profile.strings[group.label] ?? "",
    count: durations.length,
    total_ns: group.total_ns,
    self_ns: group.self_ns,
    share: whole_ns > 0 ? group.total_ns / whole_ns : 0,
    mean_ns: durations.reduce((sum, d) => sum + d, 0) / durations.length,
    median_ns: quantile(durations, 0.5),
    p90_ns: quantile(durations, 0.9),
    max_ns: group.worst_ns,
    worst: group.worst,
  };
}

/** Of a sorted column that is not empty, between neighbours in proportion. */
export function quantile(sorted: Float64Array, share: number): number {
  const place = (sorted.length - 1) * share;
  const below = sorted[Math.floor(place)]!;
  return below + (sorted[Math.ceil(place)]! - below) * (place - Math.floor(place));
}

export interface Bin {
  from_ns: number;
  to_ns: number;
  count: number;
}

/** How long the events of a name are, over the whole profile. */
export interface DurationSums {
  count: number;
  total_ns: number;
  /** Of the profile's time in all lanes with events. */
  share: number;
  median_ns: number;
  p90_ns: number;
  least_ns: number;
  max_ns: number;
  worst: EventRef;
  bins: readonly Bin[];
}

export const kDurationBins = 28;

export function shareOfProfile({ lanes, dur_ns }: Timeline, total_ns: number): number {
  const withEvents = lanes.filter((lane) => lane.rowCount > 0).length;
  return total_ns / Math.max(dur_ns * withEvents, 1);
}

export function sumDurations(profile: Profile, label: number): DurationSums | null {
  const sums = sumName(profile, label);
  if (sums === null) return null;
  const { count, total_ns, median_ns, p90_ns, max_ns, worst } = sums.stats;
  const share = shareOfProfile(profile, total_ns);
  const bins = makeHistogram(sums.durations, kDurationBins);
  return { count, total_ns, share, median_ns, p90_ns, least_ns: sums.durations[0]!, max_ns, worst, bins };
}

/** How often each duration occurs: bins of equal ratio, since durations of one name differ by factors. Of a rising column. */
export function makeHistogram(durations: Float64Array, bins: number): Bin[] {
  const least = Math.max(durations[0] ?? 1, 1);
  const most = Math.max(durations[durations.length - 1] ?? 1, least);
  const edgeOf = (i: number) => least * (most / least) ** (i / bins);
  const list = Array.from({ length: bins }, (_, i): Bin => ({ from_ns: edgeOf(i), to_ns: edgeOf(i + 1), count: 0 }));
  for (const dur_ns of durations) list[binOf(list, dur_ns)]!.count++;
  return list;
}

/** The bin that a duration of the histogram lies in. */
export function binOf(bins: readonly Bin[], dur_ns: number): number {
  const next = bins.findIndex((bin) => dur_ns < bin.to_ns);
  return next < 0 ? bins.length - 1 : next;
}

export type StatsColumn =
  "name" | "count" | "total_ns" | "self_ns" | "mean_ns" | "median_ns" | "p90_ns" | "max_ns" | "share";

export function sortStats(names: readonly NameStats[], column: StatsColumn, descending: boolean): NameStats[] {
  const direction = descending ? -1 : 1;
  return [...names].sort((a, b) => {
    if (column === "name") return direction * (stripAnsi(a.label) < stripAnsi(b.label) ? -1 : 1);
    return direction * (a[column] - b[column]) || b.total_ns - a.total_ns;
  });
}
