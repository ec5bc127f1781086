// The columns of the table of a graph's nodes.
import { kNodeFields } from "../../lib/device-fields";
import { spreadOf, type WireNode } from "../../lib/replays";
import { formatDuration } from "../../lib/text";
import { Figure, Share } from "../parts/figure";
import { FoundMark } from "../parts/found-mark";
import { fieldColumn, fieldColumns, kNothing, withoutEmpty } from "../parts/list-view/field-column";
import { kindColumn, layerColumn } from "../parts/module-columns";
import { Name } from "../parts/name";
import type { Column } from "../parts/table";

/** rows: all nodes of the graph, of whose time a share is one. */
export function nodeColumns(rows: readonly WireNode[]): readonly Column<WireNode>[] {
  const all_ns = rows.reduce((sum, { total_ns }) => sum + total_ns, 0);
  return withoutEmpty(
    [
      fieldColumn<WireNode>("node", kNodeFields.node),
      layerColumn<WireNode>(said),
      kindColumn<WireNode>(),
      kOperator,
      ...fieldColumns<WireNode>(kNodeFields, ["count", "total_ns"]),
      {
        id: "share",
        title: "Share",
        hint: "Of all nodes' time",
        show: (row) => <Share of={row.total_ns / Math.max(all_ns, 1)} />,
        value: (row) => row.total_ns / Math.max(all_ns, 1),
      },
      ...fieldColumns<WireNode>(kNodeFields, ["median_ns", "p99_ns"]),
      kSpread,
      ...fieldColumns<WireNode>(kNodeFields, ["max_ns"]),
      kOverTime,
      kFound,
      kName,
    ],
    rows,
  );
}

const kName: Column<WireNode> = {
  id: "name",
  title: kNodeFields.name.title,
  align: "left",
  isWide: true,
  namesOf: (row) => [row.label ?? row.name],
  show: (row) => (
    <span class="kernel-cell" title={row.name}>
      <Name name={row.label ?? row.name} />
      {row.class !== "kernel" && <span class="dim"> {row.class}</span>}
    </span>
  ),
  value: (row) => row.name,
};

const isGuess = ({ found }: WireNode) => found === "guessed";
/** What is said of a node, marked where its naming is a guess. */
const said = (row: WireNode, text: string) =>
  text === "" ? kNothing : <span class={isGuess(row) ? "guessed-text" : ""}>{text}</span>;

const kOperator: Column<WireNode> = {
  id: "operator",
  title: kNodeFields.operator.title,
  hint: kNodeFields.operator.hint,
  align: "left",
  show: (row) => said(row, row.operator ?? ""),
  value: (row) => row.operator,
};

const kSpread: Column<WireNode> = {
  id: "spread",
  title: "Spread",
  hint: "The 99th percentile by the median",
  show: (row) => {
    const spread = spreadOf(row);
    return spread === null ? kNothing : <Figure text={`${spread.toFixed(2)} ×`} exact={spread} />;
  },
  value: spreadOf,
};

const kOverTime: Column<WireNode> = {
  id: "trace",
  title: "Over time",
  hint: "The longest of each part of its replays, from first to last",
  isFixed: true,
  show: (row) => (row.trace.length < 2 ? kNothing : <Sparkline values={row.trace} />),
};

const kFound: Column<WireNode> = {
  id: "found",
  title: "Named",
  hint: kNodeFields.found.hint,
  align: "left",
  show: (row) => <FoundMark found={row.found} />,
  value: (row) => row.found,
};

function Sparkline({ values }: { values: readonly number[] }) {
  const most = Math.max(...values, 1);
  const points = values.map((ns, at) => `${(at / (values.length - 1)) * 60},${14 - (ns / most) * 12}`).join(" ");
  return (
    <svg
      class="node-sparkline"
      width="60"
      height="15"
      viewBox="0 0 60 15"
      role="img"
      aria-label={`up to ${formatDuration(most)}`}
    >
      <polyline points={points} />
    </svg>
  );
}
