// A lane's memory as the page holds it: one rectangle an allocation (birth to death by offset to offset + size), and
// the live bytes as a line of steps. A search by moment or by place; sizes as text.
import { readCategories, type Categories } from "./memory-stack";
import { findAbove, type TimeRange } from "../time";
import type { MemoryInfo } from "./source";
import type { WireMemory } from "../wire";

export interface Memory extends MemoryInfo {
  /** Columns, by birth. */
  key: Float64Array;
  birth: Float64Array;
  /** Infinity where it was never freed. */
  death: Float64Array;
  count: Float64Array;
  size_bytes: Float64Array;
  dtype: Uint32Array;
  offset: Float64Array;
  /** The allocations alive at the peak, the largest first. */
  atPeak: Uint32Array;
  /** live.bytes[i] are live from live.at[i] on. */
  live: { at: Float64Array; bytes: Float64Array };
  /** What each allocation is for, where the capture says; else its element type. */
  categories: Categories;
}

export function readMemory(wire: WireMemory): Memory {
  const size_bytes = Float64Array.from(wire.size_bytes);
  const memory = {
    peak_bytes: wire.peak_bytes,
    peak_ns: wire.peak_ns,
    end_bytes: wire.end_bytes,
    height_bytes: wire.height_bytes,
    key: Float64Array.from(wire.key),
    birth: Float64Array.from(wire.birth),
    death: Float64Array.from(wire.death, (ns) => (ns < 0 ? Infinity : ns)),
    count: Float64Array.from(wire.count),
    size_bytes,
    dtype: Uint32Array.from(wire.dtype),
    offset: Float64Array.from(wire.offset),
    atPeak: Uint32Array.from(wire.at_peak).sort((a, b) => size_bytes[b]! - size_bytes[a]!),
    live: { at: Float64Array.from(wire.live.at), bytes: Float64Array.from(wire.live.bytes) },
    isAddressed: wire.addressed ?? false,
  };
  return { ...memory, categories: readCategories(memory, Uint32Array.from(wire.category ?? wire.dtype)) };
}

export function liveBytesAt(memory: Memory, at: number): number {
  const next = findAbove(memory.live.at, at);
  return next === 0 ? 0 : memory.live.bytes[next - 1]!;
}

/**
 * The allocation drawn at this moment and byte; of those within reach, the nearest; -1 where there is none. The reach
 * makes rectangles thinner than the pointer hittable.
 */
export function findAllocationAt(memory: Memory, at: number, byte: number, reach_ns = 0, reach_bytes = 0): number {
  let best = -1;
  let bestGap = Infinity;
  const born = findAbove(memory.birth, at + reach_ns);
  for (let i = born - 1; i >= 0; i--) {
    const gap_ns = Math.max(memory.birth[i]! - at, at - memory.death[i]!, 0);
    if (gap_ns > reach_ns) continue;
    const bottom = memory.offset[i]!;
    const gap_bytes = Math.max(bottom - byte, byte - (bottom + memory.size_bytes[i]!), 0);
    if (gap_bytes > reach_bytes) continue;
    const gap = (reach_ns > 0 ? gap_ns / reach_ns : 0) + (reach_bytes > 0 ? gap_bytes / reach_bytes : 0);
    if (gap < bestGap) {
      best = i;
      bestGap = gap;
    }
    if (gap === 0) break;
  }
  return best;
}

export function rangeOfAllocation(memory: Memory, allocation: number, end_ns: number): TimeRange {
  return { from: memory.birth[allocation]!, to: Math.min(memory.death[allocation]!, end_ns) };
}

const kByteUnits = ["B", "KB", "MB", "GB", "TB", "PB"];

/** Bytes in the decimal unit that suits, as tinygrad's page has them: "68 B", "189 KB", "61.4 GB". */
export function formatBytes(bytes: number): string {
  let unit = 0;
  let value = bytes;
  while (value >= 999.5 && unit + 1 < kByteUnits.length) {
    value /= 1000;
    unit++;
  }
  const digits = unit === 0 || value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
  return `${value.toFixed(digits)} ${kByteUnits[unit]}`;
}

/** A round number of bytes, without what follows the point where that is nothing: "50 KB", "2.5 MB". */
export function formatRoundBytes(bytes: number): string {
  return formatBytes(bytes)
    .replace(/(\.\d*?)0+ /, "$1 ")
    .replace(". ", " ");
}

/** Ticks of a byte axis: round numbers from 0 to top, at least `least_px` apart. */
export function makeByteTicks(top_bytes: number, height_px: number, least_px = 28): number[] {
  if (top_bytes <= 0 || height_px < least_px) return [];
  const least = (top_bytes * least_px) / height_px;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(([1, 2, 5, 10].find((m) => m * power >= least) ?? 10) * power, 1);
  const ticks: number[] = [];
  for (let at = step; at <= top_bytes; at += step) ticks.push(at);
  return ticks;
}
