// The columns of the table of operators.
import { kOperatorFields } from "../../lib/device-fields";
import type { OperatorGroup, WireOperator } from "../../lib/devices";
import { linkToEvent } from "../../lib/links";
import { formatDuration } from "../../lib/text";
import type { PlaceState } from "../../state/place";
import { Name } from "../parts/name";
import { fieldColumn, fieldColumns, kNothing, withoutEmpty } from "../parts/list-view/field-column";
import type { Column } from "../parts/table";

export const kTitles: Record<OperatorGroup, string> = {
  name: "by name",
  shape: "by input shapes",
  module: "by module",
  line: "by Python line",
  stack: "by stack",
};

/** What no row tells has no column. */
export function operatorColumns(
  group: OperatorGroup,
  rows: readonly WireOperator[],
  place: PlaceState,
): readonly Column<WireOperator>[] {
  const isOfSeveral = rows.some(({ rank }) => rank !== rows[0]!.rank);
  return [
    kName,
    ...(isOfSeveral ? [kRank] : []),
    ...(group === "name" ? [] : [groupColumn(group)]),
    ...withoutEmpty(kFigures, rows),
    longestColumn(place),
  ];
}

/** As the row is told apart from others of its name; "" where that is not known. */
export function textOfGroup(row: WireOperator): string {
  return row.stack?.join("\n") ?? row.shapes ?? row.module ?? row.line ?? "";
}

const kName: Column<WireOperator> = {
  id: "name",
  title: kOperatorFields.name.title,
  align: "left",
  hint: kOperatorFields.name.hint,
  namesOf: (row) => [row.name],
  show: (row) => (
    <span class="kernel-cell">
      <Name name={row.name} />
      {row.kind === "annotation" && <span class="dim"> {row.kind}</span>}
    </span>
  ),
  value: (row) => row.name,
};

const kRank = fieldColumn<WireOperator>("rank", kOperatorFields.rank);

const kGroupFields = { shape: "shapes", module: "module", line: "line", stack: "stack" } as const;

function groupColumn(group: Exclude<OperatorGroup, "name">): Column<WireOperator> {
  const id = kGroupFields[group];
  return {
    ...fieldColumn<WireOperator>(id, kOperatorFields[id]),
    align: "left",
    isFixed: true,
    show: (row) => (textOfGroup(row) === "" ? kNothing : <GroupText row={row} />),
    value: (row) => textOfGroup(row) || null,
  };
}

function GroupText({ row }: { row: WireOperator }) {
  if (row.stack === undefined) {
    const text = textOfGroup(row);
    return (
      <span class="operator-group" title={text}>
        {text}
      </span>
    );
  }
  return (
    <ol class="operator-stack">
      {row.stack.map((frame, at) => (
        <li key={at} title={frame}>
          {frame}
        </li>
      ))}
    </ol>
  );
}

const kFigures = fieldColumns<WireOperator>(kOperatorFields, [
  "calls",
  "self_ns",
  "self_percent",
  "total_ns",
  "mean_ns",
  "device_self_ns",
  "device_total_ns",
  "self_bytes",
  "total_bytes",
  "device_self_bytes",
  "device_total_bytes",
  "flops",
]);

const longestColumn = (place: PlaceState): Column<WireOperator> =>
  fieldColumn<WireOperator>("max_ns", kOperatorFields.max_ns, {
    show: (row) => (
      <button class="link" title={`${row.max_ns} ns`} onClick={() => place.follow(linkToEvent(row.longest))}>
        {formatDuration(row.max_ns)}
      </button>
    ),
  });
