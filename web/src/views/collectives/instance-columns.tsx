// The columns of the table of collectives by themselves: which held up the ranks, who came last to it, and what that
// one had done before.
import { kCollectiveInstanceFields as kFields } from "../../lib/device-fields";
import type { WireCollectiveInstance } from "../../lib/devices";
import { linkToEvent } from "../../lib/links";
import { formatDuration } from "../../lib/text";
import type { PlaceState } from "../../state/place";
import { fieldColumn, fieldColumns, kNothing, withoutEmpty } from "../parts/list-view/field-column";
import { Name } from "../parts/name";
import type { Column } from "../parts/table";
import { collectiveColumn, sizeColumn } from "./shared-columns";

/** Columns for which some row has a value. */
export function instanceColumns(
  rows: readonly WireCollectiveInstance[],
  place: PlaceState,
): readonly Column<WireCollectiveInstance>[] {
  return withoutEmpty<WireCollectiveInstance>(
    [
      collectiveColumn(),
      ...fieldColumns<WireCollectiveInstance>(kFields, ["group", "number"]),
      sizeColumn(),
      ...fieldColumns<WireCollectiveInstance>(kFields, ["transfer_ns", "bus_bytes_per_s"]),
      fieldColumn<WireCollectiveInstance>("skew_ns", kFields.skew_ns, {
        show: (row) =>
          row.skew_ns === null ? (
            kNothing
          ) : (
            <button class="link" title={`${row.skew_ns} ns`} onClick={() => place.follow(linkToEvent(row.longest))}>
              {formatDuration(row.skew_ns)}
            </button>
          ),
      }),
      ...fieldColumns<WireCollectiveInstance>(kFields, ["waiting_ns", "first_rank", "last_rank", "idle_before_ns"]),
      fieldColumn<WireCollectiveInstance>("before", kFields.before, {
        namesOf: (row) => (row.before === null ? [] : [row.before]),
        show: (row) =>
          row.before === null || row.before_event === null ? (
            kNothing
          ) : (
            <button class="link" onClick={() => place.follow(linkToEvent(row.before_event!))}>
              <Name name={row.before} />
            </button>
          ),
      }),
    ],
    rows,
  );
}
