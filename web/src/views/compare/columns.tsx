// The columns of the comparison of two captures, kernel by kernel.
import { stripAnsi } from "../../lib/ansi";
import { kComparisonFields } from "../../lib/device-fields";
import type { WireComparison } from "../../lib/devices";
import { AnsiText } from "../parts/ansi-text";
import { fieldColumns, formatMoreTime } from "../parts/list-view/field-column";
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
  ...fieldColumns<Row>(kComparisonFields, [
    "a_launches",
    "b_launches",
    "a_total_ns",
    "b_total_ns",
    "delta_total_ns",
    "total_ratio",
  ]),
  {
    id: "median_change",
    title: kComparisonFields.median_change_ns.title,
    hint: kComparisonFields.median_change_ns.hint,
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
