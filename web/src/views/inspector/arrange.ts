// The rows that the Inspector's tables make of the records. Pure.
import type { Unit, WireBlock, WireEvent, WireGap, WireModule, WireNumber, WirePartition, WireRecord } from "./wire";

/** A row of the numeric gap: every metric of one output of one node. */
export interface GapRow {
  node: string;
  op: string;
  output: number;
  runtime: string;
  is_first_grown: boolean;
  metrics: Record<string, WireNumber>;
}

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

/** A call before what lies in it: the capture has events in the order of their ends. */
export function callsFirst(events: readonly WireEvent[]): WireEvent[] {
  const out: WireEvent[] = [];
  let parts: WireEvent[] = [];
  for (const event of events) {
    if (event.is_delegated) {
      parts.push(event);
      continue;
    }
    if (event.name === "DELEGATE_CALL") out.push(event, ...parts);
    else out.push(...parts, event);
    parts = [];
  }
  return [...out, ...parts];
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

/** The key of a block's event in the URL. */
export const keyOfEvent = ({ name, instruction, occurrence }: WireEvent): string =>
  `${name}@${instruction ?? ""}#${occurrence}`;

/** The events of a block that run several times in an iteration. */
export function repeatedEvents(events: readonly WireEvent[]): ReadonlySet<string> {
  return new Set(
    events.filter(({ occurrence }) => occurrence > 0).map(({ name, instruction }) => `${name}@${instruction}`),
  );
}

export function gapRows(gaps: readonly WireGap[]): GapRow[] {
  const rows = new Map<string, GapRow>();
  for (const gap of gaps) {
    const key = `${gap.node} ${gap.output} ${gap.runtime_ops.join()}`;
    const row = rows.get(key) ?? {
      node: gap.node,
      op: gap.op,
      output: gap.output,
      runtime: gap.runtime_ops.join(", "),
      is_first_grown: gap.is_first_grown,
      metrics: {},
    };
    row.metrics[gap.metric] = gap.gap;
    rows.set(key, row);
  }
  return [...rows.values()];
}

/** "between 1 and 2": which calls a node that went to none stands between. */
export function placeOf({ partition, before, after }: WirePartition): string {
  if (partition !== null) return "";
  const list = (calls: readonly number[]) => calls.join(", ");
  if (before.length === 0 && after.length === 0) return "";
  if (before.length === 0) return `before ${list(after)}`;
  return after.length === 0 ? `after ${list(before)}` : `between ${list(before)} and ${list(after)}`;
}

/** The deepest module that a node stands in, as "path type". */
export function moduleOfNode(event: WireEvent, node: string): string {
  const levels = Object.values(event.module_hierarchy[node] ?? {});
  const last = levels[levels.length - 1];
  return last === undefined ? "" : `${last[0] === "" ? "the model" : last[0]} ${last[1].split(".").pop() ?? ""}`;
}
