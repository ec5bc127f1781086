// Samples of a program's counters (server/http/API.md), joined with its machine code: what the warps that were seen at
// an instruction waited for.
import type { WireCode } from "./code";
import { costsOf, rowsByAddress, type Costs } from "./costs";

/** The samples in /api/v1/program/CONTEXT/heat: columns, by address. */
export interface WirePcSamples {
  /** Whether the addresses are those of the listing; else the GPU's own. */
  has_base: boolean;
  /** The place of each time that it was sampled, among those of /api/v1/counters. */
  place: number[];
  /** The most frequent first. */
  stalls: string[];
  address: number[];
  samples: number[];
  active: number[];
  by_stall: number[][];
}

export interface JoinedSamples {
  samples: WirePcSamples;
  /** By instruction of the code, the row of the columns; -1: none was seen there. */
  rowOf: Int32Array;
  costs: Costs;
}

/** Null where addresses are the GPU's own, or all of them lie outside the code. */
export function joinSamples(code: WireCode, samples: WirePcSamples): JoinedSamples | null {
  if (!samples.has_base) return null;
  const rowOf = rowsByAddress(code, samples.address);
  const costs = costsOf("samples", rowOf, samples.samples);
  return costs.all === 0 ? null : { samples, rowOf, costs };
}

/** What warps waited for at a row: stalls by place, those that were seen. */
export function stallsAt({ by_stall }: WirePcSamples, row: number): { stall: number; count: number }[] {
  return by_stall[row]!.map((count, stall) => ({ stall, count })).filter(({ count }) => count > 0);
}
