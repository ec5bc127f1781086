// What went to no delegate, added up by operator and by why, and the calls of delegates beside it. Pure.
import { recordsOf } from "../../lib/etdump/records";
import type { WirePartition, WireRecord } from "../../lib/etdump/wire";
import { formatCount, formatPlural, formatShare } from "../../lib/text";

/** The nodes of one operator that went to no delegate for one reason. */
export interface LeftOut {
  op: string;
  why: string;
  nodes: readonly WirePartition[];
  /** Nodes of it that went to none, and all of the operator. */
  left: number;
  all: number;
  /** In an iteration; null where none of them ran by itself. */
  total: number | null;
  /** The share of an iteration. */
  share: number;
}

export interface Delegation {
  /** What was left out, the most time first. */
  leftOut: readonly LeftOut[];
  calls: readonly WirePartition[];
  operators: number;
  /** Operators that went to none, and those of them that did not run by themselves. */
  left: number;
  notRun: number;
  /** Shares of an iteration: what portable kernels took, and what delegates took. */
  leftShare: number;
  callShare: number;
  /** Whether the ETRecord told the graph, and with it the reasons as far as that tells them. */
  knowsGraph: boolean;
}

/** The delegation of one block. */
export function delegationOf(records: readonly WireRecord[], block: number): Delegation {
  const partitions = recordsOf(records, "partition", block);
  const knowsGraph = partitions.length > 0;
  const leftOut = knowsGraph ? byOperator(partitions) : byKernel(records, block);
  const calls = partitions.filter(({ partition }) => partition !== null);
  const ran = recordsOf(records, "delegation", block);
  const shareOf = (isDelegate: boolean) =>
    ran.reduce((sum, { delegate, share }) => sum + ((delegate !== "") === isDelegate ? share : 0), 0);
  const left = leftOut.reduce((sum, row) => sum + row.left, 0);
  return {
    leftOut,
    calls,
    operators: left + calls.reduce((sum, { nodes }) => sum + nodes.length, 0),
    left,
    notRun: partitions.filter(({ partition, total }) => partition === null && total === null).length,
    leftShare: shareOf(false),
    callShare: shareOf(true),
    knowsGraph,
  };
}

function byOperator(partitions: readonly WirePartition[]): LeftOut[] {
  const all = new Map<string, number>();
  for (const { ops } of partitions)
    for (const [op, count] of Object.entries(ops)) all.set(op, (all.get(op) ?? 0) + count);
  const groups = new Map<string, WirePartition[]>();
  for (const row of partitions) {
    if (row.partition !== null) continue;
    const key = `${opOf(row)} ${row.why}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const rows = [...groups.values()].map((nodes): LeftOut => {
    const op = opOf(nodes[0]!);
    const ran = nodes.flatMap(({ total }) => (total === null ? [] : [total]));
    return {
      op,
      why: nodes[0]!.why,
      nodes,
      left: nodes.length,
      all: all.get(op) ?? nodes.length,
      total: ran.length === 0 ? null : ran.reduce((sum, total) => sum + total, 0),
      share: nodes.reduce((sum, { share }) => sum + share, 0),
    };
  });
  return rows.sort((a, b) => (b.total ?? -1) - (a.total ?? -1) || b.left - a.left);
}

const opOf = ({ ops }: WirePartition): string => Object.keys(ops)[0] ?? "";

const kKernel = "native_call_";

/** Without the graph: the runtime's own kernels, by name. */
function byKernel(records: readonly WireRecord[], block: number): LeftOut[] {
  const names = recordsOf(records, "name", block);
  const hasCall = names.some(({ name }) => name === "DELEGATE_CALL");
  return names
    .filter(({ name, is_delegated }) => !is_delegated && name.startsWith(kKernel))
    .map(({ name, calls, total, share }) => ({
      op: name.slice(kKernel.length),
      why: hasCall ? "the capture does not tell why" : "the program calls no delegate",
      nodes: [],
      left: calls,
      all: calls,
      total,
      share,
    }))
    .sort((a, b) => b.total - a.total);
}

/** The answer in words, first to last. */
export function sayDelegation(delegation: Delegation): string[] {
  const { operators, left, notRun, leftShare, callShare, calls, knowsGraph } = delegation;
  if (left === 0) return ["Everything that ran went to a delegate."];
  const took = `${formatShare(callShare)} of an iteration's time`;
  if (!knowsGraph && callShare === 0) {
    return [
      `Nothing is delegated: ${formatPlural(left, "call")} of portable kernels take ${formatShare(leftShare)} of an iteration's time.`,
    ];
  }
  const lines = [
    knowsGraph
      ? `${formatCount(left)} of ${formatPlural(operators, "operator")} went to no delegate: they take ${formatShare(leftShare)} of an iteration's time, ${formatPlural(calls.length, "call")} of delegates ${took}.`
      : `${formatPlural(left, "call")} of portable kernels take ${formatShare(leftShare)} of an iteration's time, delegates ${took}.`,
  ];
  if (notRun > 0) {
    lines.push(`${formatCount(notRun)} of them did not run by themselves: the runtime needs no kernel for them.`);
  }
  return lines;
}

/** Why the reasons are no better than they are. */
export function sayReasons(knowsGraph: boolean, hasRecord: boolean): string {
  if (knowsGraph) {
    return "Neither an ETDump nor an ETRecord keeps the partitioner's reasons: Why is what the exported graph tells.";
  }
  return hasRecord
    ? "The ETRecord names no call of a delegate in this method: it was exported without a partitioner, or that took nothing."
    : "Without the ETRecord the graph is not known, nor what the partitioner did: open it together with the ETDump.";
}
