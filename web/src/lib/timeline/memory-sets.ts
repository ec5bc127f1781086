// Sets of allocations that a person asks for, and what lies between them.
import type { Memory } from "./memory";
import type { MemorySet } from "./source";

/** The largest first. */
export function listSet(memory: Memory, set: MemorySet): Uint32Array {
  if (set === "peak") return memory.atPeak;
  const alive: number[] = [];
  memory.death.forEach((death, i) => death === Infinity && alive.push(i));
  return Uint32Array.from(alive).sort((a, b) => memory.size_bytes[b]! - memory.size_bytes[a]!);
}

export interface Holes {
  /** Free between the lowest and the highest byte in use. */
  free_bytes: number;
  largest_bytes: number;
}

/** What is free between allocations that are alive together. */
export function measureHoles(memory: Memory, set: Uint32Array): Holes {
  const rising = Uint32Array.from(set).sort((a, b) => memory.offset[a]! - memory.offset[b]!);
  const holes: Holes = { free_bytes: 0, largest_bytes: 0 };
  let top = memory.offset[rising[0] ?? -1] ?? 0;
  for (const i of rising) {
    const gap = memory.offset[i]! - top;
    if (gap > 0) {
      holes.free_bytes += gap;
      holes.largest_bytes = Math.max(holes.largest_bytes, gap);
    }
    top = Math.max(top, memory.offset[i]! + memory.size_bytes[i]!);
  }
  return holes;
}
