// The columns of the comparison of two captures, kernel by kernel.
import { stripAnsi } from "../../lib/ansi";
import type { WireComparison } from "../../lib/devices";
import { AnsiText } from "../parts/ansi-text";
import { fieldColumn, formatMoreTime } from "../parts/list-view/field-column";
import type { Column } from "../parts/table";

export type Row = WireComparison["rows"][number];

export const kJoins = {
  name: "exact name",
  family: "family",
  operator: "operator",
  occurrence: "name and place in the step",
} as const;
export type Join = keyof typeof kJoins;

function State({ of }: { of: Row["state"] }) {
  if (of === "both") return null;
  const hasCome = of === "added";
  return <span class={hasCome ? "made" : "removed"}>{hasCome ? "came" : "went"}</span>;
}

/** With its colours. */
function nameOf(row: Row, join: Join): string {
  if (join === "occurrence") return `${row.name} #${row.occurrence}`;
  return String(row[join] ?? "not known");
}

const kFigures: readonly Column<Row>[] = [
  fieldColumn("a_launches", { title: "A launches", unit: "" }),
  fieldColumn("b_launches", { title: "B launches", unit: "" }),
  fieldColumn("a_total_ns", { title: "A total", unit: "ns" }),
  fieldColumn("b_total_ns", { title: "B total", unit: "ns" }),
  fieldColumn("delta_total_ns", { title: "Change", unit: "more ns" }),
  fieldColumn("total_ratio", { title: "B / A", unit: "ratio" }),
  {
    id: "median_change",
    title: "Median, 95 %",
    hint: "Where the change of the median lies, with 95 % likelihood: told of five launches and more",
    show: ({ median_change_ns: range }) =>
      range === null ? "" : `${formatMoreTime(range[0])} … ${formatMoreTime(range[1])}`,
  },
];

export const compareColumns = (join: Join): readonly Column<Row>[] => [
  {
    id: "name",
    title: join === "occurrence" ? "name" : join,
    align: "left",
    isWide: true,
    show: (row) => (
      <span class="kernel-cell" title={stripAnsi(nameOf(row, join))}>
        <State of={row.state} /> <AnsiText text={nameOf(row, join).replace(/^void /, "")} />
      </span>
    ),
    value: (row) => stripAnsi(nameOf(row, join)),
  },
  ...kFigures,
];
