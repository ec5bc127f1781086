// The columns of the comparison of two captures, kernel by kernel.
import { stripAnsi } from "../../lib/ansi";
import { formatChange, stateOf, toneOf } from "../../lib/comparison";
import { kComparisonFields } from "../../lib/device-fields";
import type { WireComparison } from "../../lib/devices";
import { Figure } from "../parts/figure";
import { fieldColumn, fieldColumns } from "../parts/list-view/field-column";
import { Name } from "../parts/name";
import type { Column } from "../parts/table";

export type Row = WireComparison["rows"][number];

export const kJoins = {
  name: "exact name",
  family: "family",
  operator: "operator",
  shapes: "operator and shapes",
  occurrence: "name and place in the step",
} as const;
export type Join = keyof typeof kJoins;

/** With its colours. */
export function nameOf(row: Row, join: Join): string {
  if (join === "occurrence") return `${row.name} #${row.occurrence}`;
  return String(row[join] ?? "not known");
}

/** Says nothing of what did not change. */
function State({ of }: { of: Row }) {
  const state = stateOf(of);
  return <span class="row-state">{state === "same" ? "" : state}</span>;
}

export function Change({ ns }: { ns: number }) {
  return (
    <span class={toneOf(ns)}>
      <Figure text={formatChange(ns)} exact={ns} unit="ns" />
    </span>
  );
}

/** Left of the middle where it is faster, right where it is slower. */
function ChangeBar({ ns, longest_ns }: { ns: number; longest_ns: number }) {
  const width = longest_ns === 0 ? 0 : (50 * Math.abs(ns)) / longest_ns;
  return (
    <span class="change-bar" aria-hidden="true">
      {ns !== 0 && <span class={toneOf(ns)} style={{ width: `${width}%`, [ns > 0 ? "left" : "right"]: "50%" }} />}
    </span>
  );
}

const kFields = kComparisonFields;
/** A side that has none has no time. */
const ifThere = (row: Row, side: "a" | "b") => (row[`${side}_launches`] === 0 ? null : row[`${side}_total_ns`]);

const isOfOperators = (join: Join) => join === "operator" || join === "shapes";

const figures = (join: Join, longest_ns: number): readonly Column<Row>[] => [
  ...fieldColumns<Row>(kFields, isOfOperators(join) ? ["a_calls", "b_calls"] : ["a_launches", "b_launches"]),
  fieldColumn<Row>("a_total_ns", kFields.a_total_ns, { value: (row) => ifThere(row, "a") }),
  fieldColumn<Row>("b_total_ns", kFields.b_total_ns, { value: (row) => ifThere(row, "b") }),
  fieldColumn<Row>("delta_total_ns", kFields.delta_total_ns, { show: (row) => <Change ns={row.delta_total_ns} /> }),
  {
    id: "bar",
    title: "",
    show: (row) => <ChangeBar ns={row.delta_total_ns} longest_ns={longest_ns} />,
  },
  fieldColumn<Row>("total_ratio", kFields.total_ratio, {
    title: "B/A",
    show: ({ total_ratio: ratio, state }) =>
      ratio === null || state === "removed" ? "" : <Figure text={ratio.toFixed(2)} exact={ratio} />,
  }),
  {
    id: "median_change",
    title: "median, 95 %",
    hint: kFields.median_change_ns.hint,
    show: ({ median_change_ns: range }) =>
      range === null ? "" : `${formatChange(range[0])} … ${formatChange(range[1])}`,
  },
];

/** longest_ns: the greatest change, which is as long as a bar can be. */
export const compareColumns = (join: Join, longest_ns: number): readonly Column<Row>[] => [
  { id: "state", title: "state", align: "left", show: (row) => <State of={row} />, value: stateOf },
  {
    id: "name",
    title: join === "occurrence" ? "name" : join,
    align: "left",
    isWide: true,
    namesOf: (row) => [nameOf(row, join)],
    show: (row) => (
      <span class="kernel-cell">
        <Name name={nameOf(row, join)} />
      </span>
    ),
    value: (row) => stripAnsi(nameOf(row, join)),
  },
  ...figures(join, longest_ns),
];
