// Sums over events of several captures as one table: names stay the captures' own, shares count over all lanes.
import type { AreaStats } from "./stats";

/** lanes: over how many the stats are. At least one. */
export function mergeStats(parts: readonly { lanes: number; stats: AreaStats }[]): AreaStats {
  const all = parts.reduce((sum, { lanes }) => sum + lanes, 0);
  const names = parts.flatMap(({ lanes, stats }) =>
    stats.names.map((name) => ({ ...name, share: (name.share * lanes) / Math.max(all, 1) })),
  );
  names.sort((a, b) => b.total_ns - a.total_ns);
  const others = parts.flatMap(({ stats }) => (stats.others === null ? [] : [stats.others]));
  const isBusyKnown = parts.every(({ stats }) => stats.busy !== null);
  return {
    names,
    others:
      others.length === 0
        ? null
        : {
            names: others.reduce((sum, other) => sum + other.names, 0),
            count: others.reduce((sum, other) => sum + other.count, 0),
            total_ns: others.reduce((sum, other) => sum + other.total_ns, 0),
          },
    count: parts.reduce((sum, { stats }) => sum + stats.count, 0),
    busy: isBusyKnown
      ? parts.reduce((sum, { lanes, stats }) => sum + (stats.busy ?? 0) * lanes, 0) / Math.max(all, 1)
      : null,
    isExact: parts.every(({ stats }) => stats.isExact),
  };
}
