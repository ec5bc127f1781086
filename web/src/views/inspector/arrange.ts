// The rows that the Inspector's tables make of the records. Pure.
import type { WireEvent, WireGap, WireNumber } from "../../lib/etdump/wire";

/** A row of the numeric gap: every metric of one output of one node. */
export interface GapRow {
  node: string;
  op: string;
  output: number;
  runtime: string;
  is_first_grown: boolean;
  metrics: Record<string, WireNumber>;
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

/** The deepest module that a node stands in, as "path type". */
export function moduleOfNode(event: WireEvent, node: string): string {
  const levels = Object.values(event.module_hierarchy[node] ?? {});
  const last = levels[levels.length - 1];
  return last === undefined ? "" : `${last[0] === "" ? "the model" : last[0]} ${last[1].split(".").pop() ?? ""}`;
}
