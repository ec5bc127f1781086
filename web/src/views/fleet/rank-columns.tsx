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
      hint: "Average step compared with the median rank",
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
      hint: "Total delay at collectives after the median rank, and number of collectives",
      show: ({ madeWait_ns, timesLate }) =>
        timesLate === 0 ? "" : `${formatDuration(madeWait_ns)}, ${formatCount(timesLate)} ×`,
      value: ({ madeWait_ns }) => madeWait_ns,
    },
    {
      id: "busy",
      title: "% busy of recording",
      hint: "Time with device work over the time from the first to the last event of the capture (a breakdown counts from the first to the last device work)",
      show: (row) => (row.busy_ns === null ? "" : formatShare(busyShare(row)!)),
      value: busyShare,
    },
    { id: "span", title: "time", show: ({ span_ns }) => formatDuration(span_ns), value: ({ span_ns }) => span_ns },
    {
      id: "slices",
      title: "slices",
      hint: "Events with a duration",
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
          <span class="warned" title="The push is running or was interrupted: run it again if it was interrupted">
            incomplete
          </span>
        ),
    },
  ];
}
