// Where the time of each device went: one bar a device, and of the one that is chosen its streams.
import { useSignal } from "@preact/signals";
import { dividedTime, nameDevice, type WireBreakdown, type WireDevice, type WireDevices } from "../../lib/devices";
import { scopeOfDevice } from "../../lib/scope";
import { formatPlural, formatShare } from "../../lib/text";
import { Duration, Share } from "../parts/figure";
import { ScopeButton } from "../parts/scope-button";
import { TimeBar } from "../parts/time-bar";

export function DeviceBars({ devices: { devices, breakdown } }: { devices: WireDevices }) {
  const opened = useSignal<number | null>(null);
  const whole = breakdown.filter(({ stream }) => stream === null);
  const longest_ns = Math.max(...whole.map(({ span_ns }) => span_ns), 1);
  return (
    <section>
      <h3>Where the time went</h3>
      <Legend rows={whole} />
      {whole.map((row) => (
        <div key={row.place} class="device-bar-row">
          <p>
            <strong>{nameDevice(row)}</strong>{" "}
            {devices.length > 1 && <ScopeButton of={nameDevice(row)} change={scopeOfDevice(row)} />}{" "}
            <span class="dim">{nameBeside(devices[row.place])}</span> <span class="dim">busy</span>{" "}
            <Share of={row.span_ns === 0 ? 0 : row.busy_ns / row.span_ns} /> <span class="dim">of</span>{" "}
            <Duration ns={row.span_ns} />
            {row.overlap_percent !== null && (
              <span class="dim">
                {" "}
                · {formatShare(row.overlap_percent / 100)} of communication overlapped by computing
              </span>
            )}{" "}
            <button
              class="link"
              aria-expanded={opened.value === row.place}
              onClick={() => (opened.value = opened.value === row.place ? null : row.place)}
            >
              streams
            </button>
          </p>
          <TimeBar row={row} longest_ns={longest_ns} />
          {opened.value === row.place && <Streams rows={breakdown} of={row} longest_ns={longest_ns} />}
        </div>
      ))}
    </section>
  );
}

function Streams({ rows, of, longest_ns }: { rows: readonly WireBreakdown[]; of: WireBreakdown; longest_ns: number }) {
  return (
    <div class="stream-bars">
      {rows
        .filter(({ place, stream }) => place === of.place && stream !== null)
        .map((row) => (
          <div key={String(row.stream)}>
            <span class="dim">
              {typeof row.stream === "number" ? `stream ${row.stream}` : row.stream},{" "}
              {formatPlural(row.events, "launch", "launches")}
            </span>
            <TimeBar row={row} longest_ns={longest_ns} />
          </div>
        ))}
    </div>
  );
}

/** The device's model, where that says more than its name. */
const nameBeside = (device: WireDevice | undefined) =>
  device === undefined || device.name === device.device ? "" : device.name;

/** The meaning of the colours, with each part's share over all devices. */
function Legend({ rows }: { rows: readonly WireBreakdown[] }) {
  const span_ns = rows.reduce((sum, row) => sum + row.span_ns, 0);
  const parts = rows.map(dividedTime);
  return (
    <ul class="time-legend">
      {(parts[0] ?? []).map(({ id, title, hint }, at) => {
        const ns = parts.reduce((sum, of) => sum + of[at]!.ns, 0);
        if (ns === 0) return null;
        return (
          <li key={id} title={hint}>
            <span class={`swatch part-${id}`} /> {title} <Share of={span_ns === 0 ? 0 : ns / span_ns} />
          </li>
        );
      })}
    </ul>
  );
}
