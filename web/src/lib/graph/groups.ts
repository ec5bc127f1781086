// The graph from so far away that no box holds its op's name: boxes that stand together make a group, told by which ops
// it has the most of. Groups are the cells of a grid whose size is a power of two of layout pixels, so that they stay the
// same while the camera moves, and while it zooms but for a halving now and then.
import type { Rect } from "../camera";
import type { PassLayout } from "./pass-layout";
import type { PassModel } from "./pass-model";
import type { WireKind } from "./wire";

export interface NodeGroup {
  /** Around its boxes. */
  bounds: Rect;
  count: number;
  /** Its ops, the most frequent first. */
  kinds: readonly { kind: WireKind; count: number }[];
}

/** A cell is at least so large on screen, and less than twice that. */
const kLeastCell = { width_px: 130, height_px: 58 };

/** The groups of some boxes of a state. O(boxes). */
export function groupNodes(
  nodes: readonly number[],
  layout: PassLayout,
  model: PassModel,
  state: number,
  zoom: number,
): NodeGroup[] {
  const width = powerOfTwoFrom(kLeastCell.width_px / zoom);
  const height = powerOfTwoFrom(kLeastCell.height_px / zoom);
  const columns = Math.ceil(layout.width / width) + 1;
  const cells = new Map<number, Cell>();
  let [at, cell]: [number, Cell | undefined] = [-1, undefined];
  for (const node of nodes) {
    const [left, top] = [layout.x[node]!, layout.y[node]!];
    const [right, bottom] = [left + layout.w[node]!, top + layout.h[node]!];
    const here = Math.floor((left + right) / 2 / width) + Math.floor((top + bottom) / 2 / height) * columns;
    // Neighbours mostly follow one another.
    if (here !== at || cell === undefined) [at, cell] = [here, cells.get(here)];
    if (cell === undefined) cells.set(at, (cell = { left, top, right, bottom, count: 0, kinds: new Map() }));
    cell.count++;
    if (left < cell.left) cell.left = left;
    if (top < cell.top) cell.top = top;
    if (right > cell.right) cell.right = right;
    if (bottom > cell.bottom) cell.bottom = bottom;
    const kind = model.kindAt(node, state);
    if (kind === undefined) continue;
    const known = cell.kinds.get(kind.name);
    if (known === undefined) cell.kinds.set(kind.name, { kind, count: 1 });
    else known.count++;
  }
  return [...cells.values()].map(({ left, top, right, bottom, count, kinds }) => ({
    bounds: { left, top, right, bottom },
    count,
    kinds: [...kinds.values()].sort((a, b) => b.count - a.count || (a.kind.name < b.kind.name ? -1 : 1)),
  }));
}

interface Cell extends Rect {
  count: number;
  kinds: Map<string, { kind: WireKind; count: number }>;
}

function powerOfTwoFrom(least: number): number {
  return 2 ** Math.ceil(Math.log2(least));
}

/** How many ops of a group are named at most. */
const kNamed = 2;

/** A group's label, a line each: "LOAD ×128", and how many are of other ops. */
export function sayGroup({ kinds, count }: NodeGroup): { text: string; kind: WireKind | null }[] {
  const named = kinds.length <= kNamed + 1 ? kinds : kinds.slice(0, kNamed);
  const lines = named.map(({ kind, count: n }) => ({
    text: n === 1 ? kind.name : `${kind.name} ×${n}`,
    kind: kind as WireKind | null,
  }));
  const others = count - named.reduce((sum, { count: n }) => sum + n, 0);
  return others === 0 ? lines : [...lines, { text: `and ${others} more`, kind: null }];
}
