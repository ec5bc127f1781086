// Which rank the others wait for in collectives, a line each.
import { linkWithScope } from "../../lib/scope";
import { formatCount, formatDuration } from "../../lib/text";
import type { WireStraggler } from "../../lib/devices";
import { useApp } from "../parts/app-context";
import { Duration } from "../parts/figure";
import { linkToSkewed } from "./stragglers";
import { linkToCollectives } from "./ways";

/** As many are listed; the collectives' view has the others. */
const kMost = 8;

export function Stragglers({ stragglers }: { stragglers: readonly WireStraggler[] }) {
  const { place } = useApp();
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
        {stragglers.slice(0, kMost).map(({ rank, times, of, waited_ns, longest_wait_ns, worst }) => (
          <li key={rank}>
            <button
              class="link"
              onClick={() => place.follow(linkWithScope(linkToSkewed(worst), rank === null ? {} : { rank }))}
            >
              rank {rank} comes late to {formatCount(times)} of {formatCount(of)} collectives →
            </button>{" "}
            <span class="dim">
              the others wait <Duration ns={waited_ns} /> for it in all, {formatDuration(longest_wait_ns)} at most
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
