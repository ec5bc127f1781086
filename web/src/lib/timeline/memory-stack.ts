// Memory by category: live bytes of each, one over another. At most as many bands as can be told apart; what is beyond
// them, by their largest size, is one band of all others.
import type { MemoryAxis } from "./memory-axis";
import type { Memory } from "./memory";

/** Index into Profile.strings; -1 stands for all others together. */
export interface Categories {
  names: number[];
  /** By allocation, a place in names. */
  of: Uint16Array;
  /** Changes by time: which allocation, and whether it is born. */
  change: { at: Float64Array; allocation: Uint32Array; isBirth: Uint8Array };
}

export const kMostBands = 12;

/** Names of categories come by their bytes over the whole profile, the most first. */
export function readCategories(
  memory: Pick<Memory, "birth" | "death" | "size_bytes">,
  category: Uint32Array,
): Categories {
  const bytes = new Map<number, number>();
  category.forEach((name, i) => bytes.set(name, (bytes.get(name) ?? 0) + memory.size_bytes[i]!));
  const ranked = [...bytes].sort((a, b) => b[1] - a[1]).map(([name]) => name);
  const names = ranked.length <= kMostBands ? ranked : [...ranked.slice(0, kMostBands - 1), -1];
  const place = new Map(ranked.map((name, i) => [name, Math.min(i, names.length - 1)]));
  return { names, of: Uint16Array.from(category, (name) => place.get(name)!), change: listChanges(memory) };
}

/** Births and deaths by time; of one moment, deaths first, as in the live bytes' sums. */
function listChanges({ birth, death }: Pick<Memory, "birth" | "death">): Categories["change"] {
  const order: number[] = []; // 2i is the birth of allocation i, 2i + 1 its death
  for (let i = 0; i < birth.length; i++) {
    order.push(2 * i);
    if (death[i] !== Infinity) order.push(2 * i + 1);
  }
  const timeOf = (code: number) => (code % 2 === 0 ? birth[code >> 1]! : death[code >> 1]!);
  const isOwnBirth = (a: number, b: number) => a >> 1 === b >> 1 && birth[a >> 1] === death[a >> 1];
  order.sort((a, b) => timeOf(a) - timeOf(b) || (isOwnBirth(a, b) ? a - b : (b % 2) - (a % 2)) || a - b);
  return {
    at: Float64Array.from(order, timeOf),
    allocation: Uint32Array.from(order, (code) => code >> 1),
    isBirth: Uint8Array.from(order, (code) => 1 - (code % 2)),
  };
}

/** From its x to the next one's: live bytes by place in names. */
export interface StackColumn {
  x: number;
  bytes: Float64Array;
}

/** The bands in view, a column where they change; of the states of one pixel, that with the most bytes. */
export function takeStack(memory: Memory, axis: MemoryAxis, width_px: number): StackColumn[] {
  const { names, of, change } = memory.categories;
  const live = new Float64Array(names.length);
  const columns: StackColumn[] = [{ x: 0, bytes: live.slice() }];
  let total = 0;
  let most = 0;
  for (let i = 0; i < change.at.length; i++) {
    const x = Math.max(Math.floor(axis.xOf(change.at[i]!)), -1);
    if (x >= width_px) break;
    const last = columns[columns.length - 1]!;
    // What the last pixel ended with holds from the next one on.
    if (x > last.x) columns.push({ x: last.x + 1, bytes: live.slice() });
    if (x > last.x + 1) columns.push({ x, bytes: live.slice() });
    const size = memory.size_bytes[change.allocation[i]!]! * (change.isBirth[i] === 1 ? 1 : -1);
    live[of[change.allocation[i]!]!]! += size;
    total += size;
    if (x > last.x || x < 0) most = -1;
    if (total <= most) continue;
    most = total;
    columns[columns.length - 1]!.bytes.set(live);
  }
  columns.push({ x: columns[columns.length - 1]!.x + 1, bytes: live.slice() });
  return columns;
}
