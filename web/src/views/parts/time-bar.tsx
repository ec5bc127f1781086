// A time, divided by what it was spent on, as one bar (styles/device-time.css has its colours).
import type { TimeShare } from "../../lib/devices";
import { formatDuration, formatShare } from "../../lib/text";

interface TimeBarProps {
  parts: readonly TimeShare[];
  /** The parts together. */
  span_ns: number;
  /** The bar is as long as its time is of this. */
  longest_ns: number;
}

export function TimeBar({ parts, span_ns, longest_ns }: TimeBarProps) {
  const said = parts
    .filter(({ ns }) => ns > 0)
    .map(({ title, ns }) => `${title} ${formatDuration(ns)}`)
    .join(", ");
  return (
    <div class="time-bar" role="img" aria-label={said} style={{ width: `${(100 * span_ns) / longest_ns}%` }}>
      {parts.map(
        ({ id, title, ns }) =>
          ns > 0 && (
            <span
              key={id}
              class={`part-${id}`}
              style={{ flexGrow: ns }}
              title={`${title}: ${formatDuration(ns)}, ${formatShare(ns / span_ns)}`}
            />
          ),
      )}
    </div>
  );
}
