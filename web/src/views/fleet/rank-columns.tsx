// The columns of the table of a job's ranks.
import type { ReadonlySignal } from "@preact/signals";
import { formatCount, formatDuration, formatShare } from "../../lib/text";
import type { Column } from "../parts/table";
import type { RankRow } from "./model";

/** How much more time something took, as a share: "+3.0 %". */
export function formatMoreShare(share: number): string {
  if (Math.abs(share) < 0.0005) return "±0 %";
  return `${share >= 0 ? "+" : "−"}${formatShare(Math.abs(share))}`;
}

const busyShare = ({ busy_ns, span_ns }: RankRow) => (busy_ns === null ? null : busy_ns / Math.max(span_ns, 1));

/** Takes ranks out of the store. */
export interface RankOpener {
  opening: ReadonlySignal<number | null>;
  open(rank: number): void;
}

export function rankColumns(opener: RankOpener): readonly Column<RankRow>[] {
  return [
    { id: "rank", title: "rank", show: ({ rank }) => rank, value: ({ rank }) => rank },
    {
      id: "capture",
      title: "capture",
      align: "left",
      isWide: true,
      isFixed: true,
      show: ({ capture }) => capture,
      value: ({ capture }) => capture,
    },
    {
      id: "slowness",
      title: "% slower",
      hint: "Its steps, on average, than the median rank's",
      show: ({ slowness }) => (slowness === null ? "" : formatMoreShare(slowness)),
      value: ({ slowness }) => slowness,
    },
    {
      id: "worst",
      title: "worst step",
      show: ({ worst, worstStep }) => (worst === null ? "" : `${worstStep!}: ${formatMoreShare(worst)}`),
      value: ({ worst }) => worst,
    },
    {
      id: "late",
      title: "made others wait",
      hint: "At collectives, by as much as it came later than the rank in the middle; at how many",
      show: ({ madeWait_ns, timesLate }) =>
        timesLate === 0 ? "" : `${formatDuration(madeWait_ns)}, ${formatCount(timesLate)} ×`,
      value: ({ madeWait_ns }) => madeWait_ns,
    },
    {
      id: "busy",
      title: "% busy of recording",
      hint: "In which any of its devices ran, of the time from its first event to its last; a breakdown's is of that from the devices' first work to their last",
      show: (row) => (row.busy_ns === null ? "" : formatShare(busyShare(row)!)),
      value: busyShare,
    },
    { id: "span", title: "time", show: ({ span_ns }) => formatDuration(span_ns), value: ({ span_ns }) => span_ns },
    {
      id: "slices",
      title: "slices",
      hint: "Events that take time",
      show: ({ slices }) => formatCount(slices),
      value: ({ slices }) => slices,
    },
    {
      id: "open",
      title: "",
      isFixed: true,
      show: ({ rank, isWhole }) =>
        isWhole ? (
          <button
            class="quiet"
            aria-label={`Open rank ${rank}`}
            disabled={opener.opening.value !== null}
            onClick={(event) => {
              event.stopPropagation();
              opener.open(rank);
            }}
          >
            {opener.opening.value === rank ? "Opening" : "Open"}
          </button>
        ) : (
          <span class="warned" title="It is being pushed, or its push was cut: run it again">
            incomplete
          </span>
        ),
    },
  ];
}
