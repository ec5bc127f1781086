// The columns of what was not delegated, and of the calls of delegates.
import { placeOf, shortOps } from "../../lib/etdump/records";
import type { WireBlock, WirePartition } from "../../lib/etdump/wire";
import { formatCount } from "../../lib/text";
import { BlockTime } from "../parts/block-time";
import { Share } from "../parts/figure";
import { kNothing } from "../parts/list-view/field-column";
import { ShareBar } from "../parts/share-bar";
import type { Column } from "../parts/table";
import type { LeftOut } from "./left-out";

type Timed = Pick<LeftOut & WirePartition, "total" | "share">;

/** How long it took, and its part of an iteration. */
function timeColumns<Row extends Timed>(block: WireBlock, hint: string): Column<Row>[] {
  return [
    {
      id: "total",
      title: "Time",
      hint,
      show: ({ total }) => <BlockTime value={total} block={block} />,
      value: ({ total }) => total,
    },
    {
      id: "share",
      title: "% of iteration",
      show: ({ total, share }) => (total === null ? kNothing : <Share of={share} />),
      value: ({ share }) => share,
    },
  ];
}

export function leftOutColumns(block: WireBlock): Column<LeftOut>[] {
  return [
    {
      id: "op",
      title: "Operator",
      align: "left",
      show: ({ op }) => <strong class="delegation-op">{op}</strong>,
      value: ({ op }) => op,
    },
    {
      id: "left",
      title: "Not delegated",
      hint: "Of all nodes of this operator",
      show: ({ left, all }) => (left === all ? formatCount(left) : `${formatCount(left)} of ${formatCount(all)}`),
      value: ({ left }) => left,
    },
    ...timeColumns(block, "In an iteration; none where no node of it ran by itself"),
    {
      id: "bar",
      title: "",
      isFixed: true,
      show: ({ share }) => <ShareBar of={share} part="host" />,
    },
    {
      id: "why",
      title: "Why",
      hint: "As far as the graph tells",
      align: "left",
      show: ({ why, total }) => (total === null ? `${why}; it did not run by itself` : why),
      value: ({ why }) => why,
    },
  ];
}

export function callColumns(block: WireBlock): Column<WirePartition>[] {
  return [
    {
      id: "partition",
      title: "Call",
      align: "left",
      show: ({ delegate, partition }) => <strong>{`${delegate} ${partition}`}</strong>,
      value: ({ delegate, partition }) => `${delegate} ${partition}`,
    },
    {
      id: "nodes",
      title: "Operators",
      show: ({ nodes }) => formatCount(nodes.length),
      value: ({ nodes }) => nodes.length,
    },
    ...timeColumns(block, "In an iteration"),
    { id: "bar", title: "", isFixed: true, show: ({ share }) => <ShareBar of={share} /> },
    {
      id: "instruction",
      title: "Instr.",
      hint: "The instruction of the program that calls the delegate",
      show: ({ instruction }) => instruction ?? kNothing,
      value: ({ instruction }) => instruction,
    },
    {
      id: "ops",
      title: "Takes",
      align: "left",
      isFixed: true,
      show: ({ ops, nodes }) => <span title={nodes.join("\n")}>{opCounts(ops)}</span>,
      value: ({ ops }) => opCounts(ops),
    },
  ];
}

/** The nodes of one operator that were not delegated. */
export function nodeColumns(block: WireBlock): Column<WirePartition>[] {
  return [
    { id: "node", title: "Node", align: "left", show: ({ nodes }) => nodes.join(", ") },
    { id: "dtype", title: "Type", hint: "Of its first output", align: "left", show: ({ dtype }) => dtype || kNothing },
    { id: "total", title: "Time", show: ({ total }) => <BlockTime value={total} block={block} /> },
    {
      id: "place",
      title: "Between calls",
      hint: "The nearest calls of delegates that it reads of, and that read of it",
      align: "left",
      show: (row) => placeOf(row) || kNothing,
    },
  ];
}

function opCounts(ops: Readonly<Record<string, number>>): string {
  const said = Object.entries(ops).map(([op, count]) =>
    count === 1 ? shortOps([op]) : `${count} × ${shortOps([op])}`,
  );
  return said.length <= 3 ? said.join(", ") : `${said.slice(0, 3).join(", ")} and ${said.length - 3} more`;
}
