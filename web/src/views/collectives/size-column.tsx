// How much a collective moved: there for every trace, since one that does not tell says so.
import { kCollectiveFields } from "../../lib/device-fields";
import { fieldColumn, showCell } from "../parts/list-view/field-column";
import type { Column } from "../parts/table";

const kNotRecorded = "not recorded";

export function sizeColumn<Row extends { readonly bytes: number | null }>(): Column<Row> {
  const field = kCollectiveFields.bytes;
  return fieldColumn<Row>("bytes", field, {
    value: ({ bytes }) => bytes ?? kNotRecorded,
    show: ({ bytes }) => (bytes === null ? <span class="faint">{kNotRecorded}</span> : showCell(bytes, field.unit)),
  });
}
