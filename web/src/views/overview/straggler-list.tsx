// Which rank the others wait for in collectives, a line each.
import { linkWithScope } from "../../lib/scope";
import { formatCount, formatDuration } from "../../lib/text";
import type { WireCollective } from "../../lib/devices";
import { useApp } from "../parts/app-context";
import { Duration } from "../parts/figure";
import { linkToSkewed, stragglersOf } from "./stragglers";
import { linkToCollectives } from "./ways";

export function Stragglers({ collectives }: { collectives: readonly WireCollective[] }) {
  const { place } = useApp();
  const stragglers = stragglersOf(collectives);
  if (stragglers.length === 0) return null;
  return (
    <section>
      <h3>
        Stragglers
        <span class="ways">
          <button class="link" onClick={() => place.follow(linkToCollectives)}>
            collectives →
          </button>
        </span>
      </h3>
      <ul class="overview-list" aria-label="Stragglers">
        {stragglers.map(({ rank, times, of, waited_ns, worst }) => (
          <li key={rank}>
            <button class="link" onClick={() => place.follow(linkWithScope(linkToSkewed(worst), { rank }))}>
              rank {rank} comes last in {formatCount(times)} of {formatCount(of)} collectives →
            </button>{" "}
            <span class="dim">
              others wait for it <Duration ns={waited_ns} /> in all; ranks arrive apart by{" "}
              {formatDuration(worst.skew_max_ns ?? 0)} at most
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
