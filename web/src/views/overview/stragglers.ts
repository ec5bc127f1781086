// Where a rank held up the others. Pure.
import { linkToStretch, type WireJoinedCollective } from "../../lib/devices";
import type { Link } from "../../lib/place";

/** To the launches of a collective, of all ranks: who waits is seen beside whom they wait for. */
export function linkToSkewed({ launches }: WireJoinedCollective): Link {
  const from_ns = Math.min(...launches.map(({ start_ns }) => start_ns));
  const to_ns = Math.max(...launches.map(({ start_ns, dur_ns }) => start_ns + dur_ns));
  const room_ns = Math.max((to_ns - from_ns) / 4, 1000);
  return linkToStretch({ from_ns: from_ns - room_ns, to_ns: to_ns + room_ns });
}
