// Kernels added up over the devices by name, so that their shares are of one thing. Pure.
import type { WireKernel } from "../../lib/devices";
import { ofPeak } from "./worst";

export interface KernelSum {
  /** Its row on the device on which it takes longest. */
  most: WireKernel;
  launches: number;
  total_ns: number;
  /** The share of the time of all work on all devices, copies too. */
  share: number;
  /** The share that it reaches of the limit that binds it on that device; null where that is not known. */
  of_peak: number | null;
}

/** Sums up kernels, the most time first. */
export function sumKernels(rows: readonly WireKernel[]): KernelSum[] {
  const whole_ns = rows.reduce((sum, { total_ns }) => sum + total_ns, 0);
  const sums = new Map<string, Omit<KernelSum, "share" | "of_peak">>();
  for (const row of rows) {
    const key = `${row.class} ${row.name}`;
    const before = sums.get(key) ?? { most: row, launches: 0, total_ns: 0 };
    sums.set(key, {
      most: row.total_ns > before.most.total_ns ? row : before.most,
      launches: before.launches + row.launches,
      total_ns: before.total_ns + row.total_ns,
    });
  }
  return [...sums.values()]
    .map((sum) => ({ ...sum, share: whole_ns === 0 ? 0 : sum.total_ns / whole_ns, of_peak: ofPeak(sum.most) }))
    .sort((a, b) => b.total_ns - a.total_ns);
}
