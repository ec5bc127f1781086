// A device's time, divided by what it was spent on, as one bar (styles/device-time.css has its colours).
import type { BreakdownFields } from "../../lib/device-fields";
import { dividedTime } from "../../lib/devices";
import { formatDuration, formatShare } from "../../lib/text";

/** As long as its time is of longest_ns. */
export function TimeBar({ row, longest_ns }: { row: BreakdownFields; longest_ns: number }) {
  const said = dividedTime(row)
    .filter(({ ns }) => ns > 0)
    .map(({ title, ns }) => `${title} ${formatDuration(ns)}`)
    .join(", ");
  return (
    <div class="time-bar" role="img" aria-label={said} style={{ width: `${(100 * row.span_ns) / longest_ns}%` }}>
      {dividedTime(row).map(
        ({ id, title, ns }) =>
          ns > 0 && (
            <span
              key={id}
              class={`part-${id}`}
              style={{ flexGrow: ns }}
              title={`${title}: ${formatDuration(ns)}, ${formatShare(ns / row.span_ns)}`}
            />
          ),
      )}
    </div>
  );
}
