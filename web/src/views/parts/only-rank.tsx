// Says which rank is shown where an answer has several: one at a time, which the scope chooses.
import type { FileValue } from "../../lib/devices";
import { ScopeButton } from "./scope-button";

export function OnlyRank({ ranks }: { ranks: readonly { rank: FileValue }[] }) {
  if (ranks.length < 2) return null;
  return (
    <span class="dim">
      rank {String(ranks[0]!.rank)} of {ranks.length}; another:{" "}
      {ranks.slice(1, 9).map(({ rank }) => (
        <span key={String(rank)}>
          {String(rank)} <ScopeButton of={`rank ${rank}`} change={{ rank: String(rank) }} />{" "}
        </span>
      ))}
    </span>
  );
}
