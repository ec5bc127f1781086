// The rows of the call tree: which nodes are seen, by what is open and what the filter says. Pure.
import type { WireCallNode } from "../../lib/devices";
import { wordFilter } from "../../lib/word-filter";

export interface TreeRow {
  /** Index among the nodes. */
  at: number;
  node: WireCallNode;
  depth: number;
  hasChildren: boolean;
  isOpen: boolean;
}

/** Open at first: whatever has this much of all time, and whatever is its parent's only child. */
const kOpenShare = 0.1;

/**
 * The keys of nodes in the URL: a hash of the names from the root down, so that it means the same node after a
 * reload, and in the next capture of the same program.
 */
export function keysOfNodes(nodes: readonly WireCallNode[]): string[] {
  const hashes: number[] = [];
  return nodes.map(({ kind, name, parent }, at) => {
    hashes[at] = hashText(`${kind} ${name}`, parent === null ? kHashBasis : hashes[parent]!);
    return hashes[at]!.toString(36);
  });
}

/** FNV-1a of 32 bits, over UTF-16 units. */
const kHashBasis = 0x811c9dc5;
function hashText(text: string, from: number): number {
  let hash = from;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193) >>> 0;
  return hash;
}

/**
 * toggled: nodes that are not as at first. Of a filter the nodes that hold all its words are seen, with all above them.
 */
export function listRows(nodes: readonly WireCallNode[], toggled: ReadonlySet<number>, filter: string): TreeRow[] {
  const children = nodes.map(() => 0);
  for (const { parent } of nodes) if (parent !== null) children[parent]!++;
  const whole_ns = nodes.reduce((sum, { parent, total_ns }) => sum + (parent === null ? total_ns : 0), 0);
  const found = filter.trim() === "" ? null : findWithAbove(nodes, wordFilter(filter));
  const depths: number[] = [];
  const isOpen: boolean[] = [];
  const isSeen: boolean[] = [];
  const rows: TreeRow[] = [];
  nodes.forEach((node, at) => {
    const { parent } = node;
    depths[at] = parent === null ? 0 : depths[parent]! + 1;
    const opensAtFirst =
      node.total_ns >= kOpenShare * whole_ns || (parent !== null && children[parent] === 1 && isOpen[parent]!);
    isOpen[at] = found !== null || opensAtFirst !== toggled.has(at);
    isSeen[at] = (parent === null || (isSeen[parent]! && isOpen[parent]!)) && (found === null || found.has(at));
    const hasChildren = children[at]! > 0;
    if (isSeen[at]) rows.push({ at, node, depth: depths[at]!, hasChildren, isOpen: hasChildren && isOpen[at]! });
  });
  return rows;
}

/** Parents stand before their children. */
function findWithAbove(nodes: readonly WireCallNode[], isKept: (name: string) => boolean): Set<number> {
  const found = new Set<number>();
  for (let at = nodes.length - 1; at >= 0; at--) {
    const { name, parent } = nodes[at]!;
    if (!isKept(name) && !found.has(at)) continue;
    found.add(at);
    if (parent !== null) found.add(parent);
  }
  return found;
}
