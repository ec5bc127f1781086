// What an allocator had over time, as the server answers it (server/http/API.md), and what lies where on it.
import { findAbove } from "./time";

/** As JSON has it: a line, a list of lines from the outermost down, a size, a pool, or null. */
export type WireOwner = string | number | readonly (string | number)[] | null;

/** Each column is of the differences between its numbers, and bytes are in units. */
export interface WireCurve extends Curve {
  unit_bytes: number;
}

/** What was allocated over time: of each stretch in which anything happened the entry with the most. */
export interface Curve {
  owner_count: number;
  /** How many lie in the time that is shown. */
  entries: number;
  entry: number[];
  at_ns: number[];
  reserved: number[];
  allocated: number[];
  owners: { id: number; owner: WireOwner; bytes: number[] }[];
}

export function readCurve({ unit_bytes, ...wire }: WireCurve): Curve {
  const sumUp = (differences: readonly number[], unit: number) => {
    let sum = 0;
    return differences.map((difference) => (sum += difference) * unit);
  };
  return {
    ...wire,
    entry: sumUp(wire.entry, 1),
    at_ns: sumUp(wire.at_ns, 1),
    reserved: sumUp(wire.reserved, unit_bytes),
    allocated: sumUp(wire.allocated, unit_bytes),
    owners: wire.owners.map(({ bytes, ...owner }) => ({ ...owner, bytes: sumUp(bytes, unit_bytes) })),
  };
}

/** The sample that holds at a time: the last at or before it. */
export function sampleAt(at_ns: readonly number[], time_ns: number): number {
  return Math.max(findAbove(at_ns, time_ns) - 1, 0);
}

/**
 * For each column of pixels, the sample that is drawn there: among those in it the one with the most, so that no peak
 * is lost; -1 if there is none yet. xOf: where a time is, in columns.
 */
export function samplesByColumn(
  { at_ns, allocated }: Curve,
  columns: number,
  xOf: (at_ns: number) => number,
): Int32Array {
  const samples = new Int32Array(columns).fill(-1);
  for (let i = 0; i < at_ns.length; i++) {
    const left = Math.max(Math.floor(xOf(at_ns[i]!)), 0);
    const next = i + 1 < at_ns.length ? Math.round(xOf(at_ns[i + 1]!)) : columns;
    const right = Math.min(Math.max(next, left + 1), columns);
    for (let x = left; x < right; x++) {
      if (samples[x]! < 0 || allocated[i]! > allocated[samples[x]!]!) samples[x] = i;
    }
  }
  return samples;
}

/** The owner under a point of the stack: its place in the curve's owners; -1: the others; null: above all. */
export function ownerAt(curve: Curve, sample: number, bytes: number): number | null {
  let top = 0;
  for (let i = 0; i < curve.owners.length; i++) {
    top += curve.owners[i]!.bytes[sample]!;
    if (bytes < top) return i;
  }
  return bytes < curve.allocated[sample]! ? -1 : null;
}
