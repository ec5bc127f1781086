// Figures of several captures as one table: names stay the captures' own, shares are of the time of all.
import type { AreaStats } from "./stats";

export function mergeStats(parts: readonly AreaStats[]): AreaStats {
  const sum = (of: (stats: AreaStats) => number) => parts.reduce((all, stats) => all + of(stats), 0);
  const busy_ns = sum((stats) => stats.busy_ns);
  const wall_ns = sum((stats) => stats.wall_ns);
  const names = parts.flatMap((stats) =>
    stats.names.map((name) => ({
      ...name,
      share: busy_ns > 0 ? name.covered_ns / busy_ns : 0,
      wall_share: wall_ns > 0 ? name.covered_ns / wall_ns : 0,
    })),
  );
  names.sort((a, b) => b.total_ns - a.total_ns);
  const others = {
    names: sum((stats) => stats.others?.names ?? 0),
    count: sum((stats) => stats.others?.count ?? 0),
    total_ns: sum((stats) => stats.others?.total_ns ?? 0),
  };
  return {
    names,
    others: others.names === 0 ? null : others,
    count: sum((stats) => stats.count),
    lanes: sum((stats) => stats.lanes),
    busy_ns,
    wall_ns,
    isExact: parts.every((stats) => stats.isExact),
  };
}
