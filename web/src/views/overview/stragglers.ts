// Ranks that the others wait for in collectives. Pure.
import { linkToStretch, type WireCollective } from "../../lib/devices";
import type { Link } from "../../lib/place";

export interface Straggler {
  rank: string;
  /** How often it came last, of how many collectives where that is known. */
  times: number;
  of: number;
  /** How long the rank that came first waited for it in those collectives, added up. */
  waited_ns: number;
  worst: WireCollective;
}

/** By how long they are waited for, the longest first. A row tells the rank that was waited for longest in it alone. */
export function stragglersOf(rows: readonly WireCollective[]): Straggler[] {
  const known = rows.filter((row) => row.last_rank !== null && row.seen_ranks > 1);
  const of = known.reduce((sum, { count }) => sum + count, 0);
  const byRank = new Map<string, Straggler>();
  for (const row of known) {
    const rank = row.last_rank!;
    const before = byRank.get(rank) ?? { rank, times: 0, of, waited_ns: 0, worst: row };
    byRank.set(rank, {
      ...before,
      times: before.times + (row.last_count ?? 0),
      waited_ns: before.waited_ns + (row.last_waited_ns ?? 0),
      worst: (row.skew_max_ns ?? 0) > (before.worst.skew_max_ns ?? 0) ? row : before.worst,
    });
  }
  return [...byRank.values()].sort((a, b) => b.waited_ns - a.waited_ns);
}

/** To the launches of the collective whose ranks came furthest apart, of all ranks: who waits is seen beside it. */
export function linkToSkewed({ most_skewed: { launches } }: WireCollective): Link {
  const from_ns = Math.min(...launches.map(({ start_ns }) => start_ns));
  const to_ns = Math.max(...launches.map(({ start_ns, dur_ns }) => start_ns + dur_ns));
  const room_ns = Math.max((to_ns - from_ns) / 4, 1000);
  return linkToStretch({ from_ns: from_ns - room_ns, to_ns: to_ns + room_ns });
}
