// Columns that show a field of the server's rows as its description says: what it is called, and what it is counted in.
import type { ComponentChildren } from "preact";
import type { FieldText } from "../../../lib/device-fields";
import { formatRate } from "../../../lib/devices";
import type { Cell } from "../../../lib/table-text";
import { formatCount, formatDuration } from "../../../lib/text";
import { Bytes, Duration, Figure, Share } from "../figure";
import type { Column } from "../table";

/** Stands where a row has no value. */
export const kNothing = <span class="faint">·</span>;

/** `changes`: where a column is shown otherwise than its field says. */
export function fieldColumn<Row>(
  id: keyof Row & string,
  { title, unit, hint }: FieldText,
  changes: Partial<Column<Row>> = {},
): Column<Row> {
  const value = (row: Row) => cellOf(row[id]);
  return {
    id,
    title,
    ...(hint === undefined ? {} : { hint }),
    ...(unit === "text" ? { align: "left" as const } : {}),
    value,
    show: (row) => showCell((changes.value ?? value)(row), unit),
    ...changes,
  };
}

/** Columns for these fields of an answer (lib/device-fields.ts), each as it is described there. */
export function fieldColumns<Row>(
  fields: Readonly<Record<string, FieldText>>,
  ids: readonly (keyof Row & string)[],
): Column<Row>[] {
  return ids.map((id) => fieldColumn(id, fields[id]!));
}

/** Without those for which no row has a value. */
export function withoutEmpty<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): readonly Column<Row>[] {
  return columns.filter(({ value }) => value === undefined || rows.some((row) => value(row) !== null));
}

function cellOf(value: unknown): Cell {
  if (typeof value === "string" || typeof value === "number") return value;
  return null;
}

export function showCell(value: Cell, unit: FieldText["unit"]): ComponentChildren {
  if (value === null) return kNothing;
  if (typeof value === "string") return value;
  switch (unit) {
    case "ns":
      return <Duration ns={value} />;
    case "more ns":
      return <MoreTime ns={value} />;
    case "%":
      return <Share of={value / 100} />;
    case "ratio":
      return <Figure text={value.toFixed(3)} exact={value} />;
    case "B":
      return <Bytes bytes={value} />;
    case "FLOP":
    case "FLOP/s":
    case "B/s":
      return <Figure text={formatRate(value, unit)} exact={value} unit={unit} />;
    default:
      return <Figure text={formatCount(value)} exact={value} />;
  }
}

export const formatMoreTime = (ns: number) => `${ns >= 0 ? "+" : "−"}${formatDuration(Math.abs(ns))}`;

function MoreTime({ ns }: { ns: number }) {
  return (
    <span class={ns > 0 ? "removed" : ns < 0 ? "made" : ""}>
      <Figure text={formatMoreTime(ns)} exact={ns} unit="ns" />
    </span>
  );
}
