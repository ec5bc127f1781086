// Sums over events, as the server gives them: one line a name, for a time range and some lanes; how long the events of a
// name are.
import { stripAnsi } from "../ansi";
import type { TimeRange } from "../time";
import type { EventRef } from "./events";
import type { Timeline } from "./timeline";

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
