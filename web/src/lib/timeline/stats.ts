// Figures of events, as the server gives them (docs/figures.md says what each means): one line a name, for a time range
// and some lanes; how long the events of a name are.
import { stripAnsi } from "../ansi";
import type { TimeRange } from "../time";
import type { EventRef } from "./events";
import type { LaneInfo } from "./timeline";
import type { WireFigures } from "../executions";

/** A time range over the boxes of the lanes from first to last. */
export interface Area {
  range: TimeRange;
  lanes: number[];
}

/** A line of the table: a name, or a name in one lane. */
export interface NameStats extends WireFigures {
  /** A number that no other name of the table has. */
  name: number;
  /** With colours. */
  label: string;
  /** Null where those of all lanes are one. */
  lane: number | null;
  /** Share of the busy time. */
  share: number;
  /** Share of the wall time. */
  wall_share: number;
  worst: EventRef;
}

/** The subject of a line: a name, or a name in each of the lanes by itself. */
export type StatsLines = "names" | "lanes";

export interface AreaStats {
  names: NameStats[];
  /** Names with the least time, left out of the list. */
  others: { names: number; count: number; total_ns: number } | null;
  count: number;
  /** How many lanes have events at all; both times are summed over them. */
  lanes: number;
  busy_ns: number;
  wall_ns: number;
  /** Whether medians and 90th percentiles are exact; else they are within about a percent. */
  isExact: boolean;
}

export interface Bin {
  from_ns: number;
  to_ns: number;
  count: number;
}

/** How long the events of a name are in one lane, over the whole profile. */
export interface DurationSums extends WireFigures {
  /** Share of the lane's busy time. */
  share: number;
  /** Share of the profile's wall time. */
  wall_share: number;
  least_ns: number;
  worst: EventRef;
  bins: readonly Bin[];
}

export const kDurationBins = 28;

/** The bin that a duration of the histogram lies in. */
export function binOf(bins: readonly Bin[], dur_ns: number): number {
  const next = bins.findIndex((bin) => dur_ns < bin.to_ns);
  return next < 0 ? bins.length - 1 : next;
}

export const kStatsColumns = [
  "name",
  "count",
  "total_ns",
  "self_ns",
  "mean_ns",
  "median_ns",
  "p90_ns",
  "max_ns",
  "share",
  "wall_share",
] as const;
export type StatsColumn = (typeof kStatsColumns)[number];

export function sortStats(names: readonly NameStats[], column: StatsColumn, descending: boolean): NameStats[] {
  const direction = descending ? -1 : 1;
  return [...names].sort((a, b) => {
    if (column === "name") return direction * (stripAnsi(a.label) < stripAnsi(b.label) ? -1 : 1);
    return direction * (a[column] - b[column]) || b.total_ns - a.total_ns;
  });
}

/**
 * Lanes as questions name them: "3", or "3-9" of those that follow each other, for a thousand of them must fit into an
 * address. What has neither events nor samples counts for nothing, and so may be among them.
 */
export function listLanes(chosen: readonly number[], lanes: readonly Pick<LaneInfo, "rowCount" | "sampleCount">[]) {
  const listed: string[] = [];
  const counts = (lane: number) => lanes[lane]!.rowCount > 0 || lanes[lane]!.sampleCount > 0;
  const isChosen = new Set(chosen);
  for (let first = 0; first < lanes.length; first++) {
    if (!isChosen.has(first)) continue;
    let last = first;
    for (let next = first + 1; next < lanes.length && (isChosen.has(next) || !counts(next)); next++)
      if (isChosen.has(next)) last = next;
    listed.push(first === last ? `${first}` : `${first}-${last}`);
    first = last;
  }
  return listed;
}
