// What stands first of a kind: the longest gap of a cause, and how near a kernel comes to its limit. Pure.
import type { WireGap, WireKernel } from "../../lib/devices";

/** The longest gap of a cause; null where none is told. */
export function longestGap(gaps: readonly WireGap[], cause: WireGap["cause"]): WireGap | null {
  const length = ({ from_ns, to_ns }: WireGap) => to_ns - from_ns;
  return gaps
    .filter((gap) => gap.cause === cause)
    .reduce<WireGap | null>((most, gap) => (most === null || length(gap) > length(most) ? gap : most), null);
}

/** The share that a kernel reaches of the limit that binds it; null where that is not known. */
export function ofPeak({ bound, flop_percent, bytes_percent }: WireKernel): number | null {
  const percent = bound === "compute" ? flop_percent : bound === "memory" ? bytes_percent : null;
  return percent === null ? null : percent / 100;
}
