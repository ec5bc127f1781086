// What both tables of collectives tell of a row: what it is, and how much it moved.
import { kCollectiveFields } from "../../lib/device-fields";
import { fieldColumn, showCell } from "../parts/list-view/field-column";
import type { Column } from "../parts/table";

export function collectiveColumn<Row extends { readonly collective: string; readonly name: string }>(): Column<Row> {
  return {
    id: "collective",
    title: kCollectiveFields.collective.title,
    align: "left",
    show: (row) => (
      <span class="kernel-cell" title={row.name}>
        {row.collective.replaceAll("_", "-")} <span class="dim">{row.name}</span>
      </span>
    ),
    value: (row) => `${row.collective} ${row.name}`,
  };
}

const kNotRecorded = "not recorded";

/** There for every trace, since one that does not tell says so. */
export function sizeColumn<Row extends { readonly bytes: number | null }>(): Column<Row> {
  const field = kCollectiveFields.bytes;
  return fieldColumn<Row>("bytes", field, {
    value: ({ bytes }) => bytes ?? kNotRecorded,
    show: ({ bytes }) => (bytes === null ? <span class="faint">{kNotRecorded}</span> : showCell(bytes, field.unit)),
  });
}
