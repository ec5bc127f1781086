// The columns of the table of what ranks exchanged.
import type { WireCollective } from "../../lib/devices";
import { linkToEvent } from "../../lib/links";
import { formatDuration } from "../../lib/text";
import type { PlaceState } from "../../state/place";
import { fieldColumn, kNothing, withoutEmpty } from "../parts/list-view/field-column";
import type { Column } from "../parts/table";

/** Those for which some row has a value; who was waited for is known where several ranks are seen. */
export function collectiveColumns(
  rows: readonly WireCollective[],
  place: PlaceState,
): readonly Column<WireCollective>[] {
  const hasSkew = rows.some(({ seen_ranks }) => seen_ranks > 1);
  return withoutEmpty([...kColumns, ...(hasSkew ? skewColumns(place) : [])], rows);
}

const kColumns: readonly Column<WireCollective>[] = [
  {
    id: "collective",
    title: "Collective",
    align: "left",
    show: (row) => (
      <span class="kernel-cell" title={row.name}>
        {row.collective.replaceAll("_", "-")} <span class="dim">{row.name}</span>
      </span>
    ),
    value: (row) => `${row.collective} ${row.name}`,
  },
  fieldColumn("group", { title: "Group", unit: "text" }),
  fieldColumn("ranks", { title: "Ranks", unit: "" }),
  fieldColumn("bytes", { title: "Size", unit: "B", hint: "Of one: what goes in or comes out on a rank, the larger" }),
  fieldColumn("count", { title: "Count", unit: "" }),
  fieldColumn("transfer_ns", {
    title: "Transfer",
    unit: "ns",
    hint: "Of all of them, without waiting for other ranks as far as these are seen",
  }),
  fieldColumn("algorithm_bytes_per_s", { title: "Algorithm", unit: "B/s", hint: "Size by transfer time" }),
  fieldColumn("bus_bytes_per_s", {
    title: "Bus",
    unit: "B/s",
    hint: "What goes over each rank's links, by NCCL's factors: to be held against the hardware",
  }),
];

const skewColumns = (place: PlaceState): readonly Column<WireCollective>[] => [
  fieldColumn("skew_total_ns", {
    title: "Waiting",
    unit: "ns",
    hint: "How much longer the first rank was in it than the last, added up",
  }),
  fieldColumn<WireCollective>(
    "skew_max_ns",
    { title: "Longest", unit: "ns" },
    {
      show: (row) =>
        row.skew_max_ns === null ? (
          kNothing
        ) : (
          <button
            class="link"
            title={`${row.skew_max_ns} ns`}
            onClick={() => place.follow(linkToEvent(longestOf(row)))}
          >
            {formatDuration(row.skew_max_ns)}
          </button>
        ),
    },
  ),
  fieldColumn<WireCollective>(
    "last_rank",
    { title: "Came last", unit: "text", hint: "The rank that the others waited for most often" },
    {
      show: (row) => (row.last_rank === null ? kNothing : `rank ${row.last_rank}, ${row.last_count} of ${row.count}`),
    },
  ),
];

const longestOf = ({ most_skewed: { launches } }: WireCollective) =>
  launches.reduce((longest, launch) => (launch.dur_ns > longest.dur_ns ? launch : longest));
