// The columns of the table of what ranks exchanged.
import { kCollectiveFields } from "../../lib/device-fields";
import type { WireCollective } from "../../lib/devices";
import { linkToEvent } from "../../lib/links";
import { formatDuration } from "../../lib/text";
import type { PlaceState } from "../../state/place";
import { fieldColumn, fieldColumns, kNothing, withoutEmpty } from "../parts/list-view/field-column";
import type { Column } from "../parts/table";
import { collectiveColumn, sizeColumn } from "./shared-columns";

/** Columns for which some row has a value; who was waited for is known if several ranks are seen. */
export function collectiveColumns(
  rows: readonly WireCollective[],
  place: PlaceState,
): readonly Column<WireCollective>[] {
  const hasSkew = rows.some(({ seen_ranks }) => seen_ranks > 1);
  return withoutEmpty([...kColumns, ...(hasSkew ? skewColumns(place) : [])], rows);
}

const kColumns: readonly Column<WireCollective>[] = [
  collectiveColumn(),
  ...fieldColumns<WireCollective>(kCollectiveFields, ["group", "ranks"]),
  sizeColumn(),
  ...fieldColumns<WireCollective>(kCollectiveFields, [
    "count",
    "transfer_ns",
    "algorithm_bytes_per_s",
    "bus_bytes_per_s",
  ]),
];

const skewColumns = (place: PlaceState): readonly Column<WireCollective>[] => [
  fieldColumn("skew_total_ns", kCollectiveFields.skew_total_ns),
  fieldColumn<WireCollective>("skew_max_ns", kCollectiveFields.skew_max_ns, {
    show: (row) =>
      row.skew_max_ns === null ? (
        kNothing
      ) : (
        <button class="link" title={`${row.skew_max_ns} ns`} onClick={() => place.follow(linkToEvent(longestOf(row)))}>
          {formatDuration(row.skew_max_ns)}
        </button>
      ),
  }),
  fieldColumn<WireCollective>("last_rank", kCollectiveFields.came_last, {
    show: (row) => (row.last_rank === null ? kNothing : `rank ${row.last_rank}, ${row.last_count} of ${row.count}`),
  }),
];

const longestOf = ({ most_skewed: { launches } }: WireCollective) =>
  launches.reduce((longest, launch) => (launch.dur_ns > longest.dur_ns ? launch : longest));
