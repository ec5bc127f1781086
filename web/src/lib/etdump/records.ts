// The records of an ETDump's summary (wire.ts), as the views read them: by block, in nanoseconds, by module. Pure.
import type { Unit, WireBlock, WireModule, WirePartition, WireRecord } from "./wire";

export function recordsOf<Kind extends WireRecord["record"]>(
  records: readonly WireRecord[],
  kind: Kind,
  block: number | null = null,
): Extract<WireRecord, { record: Kind }>[] {
  return records.filter(
    (record): record is Extract<WireRecord, { record: Kind }> =>
      record.record === kind && (block === null || !("block_index" in record) || record.block_index === block),
  );
}

/** The block that is shown where nobody chose: the first execution. */
export const usualBlock = (blocks: readonly WireBlock[]): number =>
  (blocks.find(({ block }) => block === "Execute") ?? blocks[0])?.block_index ?? 0;

/** A block as a list names it. */
export function nameBlock({ block, method, bundled_input, iterations }: WireBlock): string {
  const parts = [method === null ? block : `${block} ${method}`];
  if (bundled_input >= 0) parts.push(`input ${bundled_input}`);
  parts.push(iterations === 1 ? "1 iteration" : `${iterations} iterations`);
  return parts.join(" · ");
}

const kUnit_ns: Record<Unit, number | null> = { ns: 1, us: 1e3, ms: 1e6, s: 1e9, cycles: null };

/** In nanoseconds; null where the unit is no time. */
export function inNanoseconds(value: number, unit: Unit): number | null {
  const each_ns = kUnit_ns[unit];
  return each_ns === null ? null : value * each_ns;
}

/** The path of the module around each, of rows in the order of their tree. */
export function parentsOf(rows: readonly WireModule[]): Map<WireModule, string> {
  const parents = new Map<WireModule, string>();
  const open: WireModule[] = [];
  for (const row of rows) {
    open.length = Math.min(open.length, row.depth);
    parents.set(row, open[open.length - 1]?.name ?? "");
    open.push(row);
  }
  return parents;
}

/** A module as its parent calls it: "blocks.0" where the list between them runs nothing itself. */
export const nameModule = (path: string, parent: string): string =>
  path === "" ? "the model" : parent !== "" && path.startsWith(`${parent}.`) ? path.slice(parent.length + 1) : path;

/** "between 1 and 2": which calls a node that went to none stands between. */
export function placeOf({ partition, before, after }: WirePartition): string {
  if (partition !== null) return "";
  const list = (calls: readonly number[]) => calls.join(", ");
  if (before.length === 0 && after.length === 0) return "";
  if (before.length === 0) return `before ${list(after)}`;
  return after.length === 0 ? `after ${list(before)}` : `between ${list(before)} and ${list(after)}`;
}

/** "add.Tensor, relu": without the words that all have in common; of many the first two and how many more. */
export function shortOps(ops: readonly string[]): string {
  const short = ops.map((op) => op.replace(/^aten\./, "").replace(/\.default$/, ""));
  return short.length <= 3 ? short.join(", ") : `${short.slice(0, 2).join(", ")} and ${short.length - 2} more`;
}
