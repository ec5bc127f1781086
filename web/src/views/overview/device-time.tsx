// Where the devices' time went: one bar for all with what each class of it took, then a row a device, and of the one
// that is chosen its streams.
import { useSignal } from "@preact/signals";
import {
  addBreakdowns,
  dividedTime,
  linkToIdle,
  linkToKernels,
  nameDevice,
  type TimePart,
  type WireBreakdown,
  type WireDevice,
  type WireDevices,
} from "../../lib/devices";
import type { Link } from "../../lib/place";
import { scopeOfDevice } from "../../lib/scope";
import { formatCount, formatDuration, formatPlural, formatShare } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { Duration, Share } from "../parts/figure";
import { ScopeButton } from "../parts/scope-button";
import { TimeBar } from "../parts/time-bar";
import { longestGap } from "./worst";
import { linkToCollectives, linkToSequences, linkToTimeline } from "./ways";

/** Devices that have a row before more are asked for. */
const kShown = 8;

export function DeviceTime({ devices }: { devices: WireDevices }) {
  const whole = devices.breakdown.filter(({ stream }) => stream === null);
  const sum = addBreakdowns(whole);
  if (sum === null) return null;
  const of = whole.length === 1 ? nameDevice(whole[0]!) : formatPlural(whole.length, "device");
  return (
    <section class="overview-lead">
      <h3>
        Where the devices' time went{" "}
        <span class="of">
          of {formatDuration(sum.span_ns)} of {of}, from first work to last
        </span>
      </h3>
      <TimeBar parts={dividedTime(sum)} span_ns={sum.span_ns} longest_ns={sum.span_ns} />
      <Legend row={sum} devices={devices} />
      {devices.breakdown.length > whole.length + 1 && <DeviceRows devices={devices} rows={whole} />}
    </section>
  );
}

/** The parts with their shares; each leads to the longest of its kind. */
function Legend({ row, devices }: { row: WireBreakdown; devices: WireDevices }) {
  const { place } = useApp();
  return (
    <ul class="time-legend">
      {dividedTime(row).map(({ id, title, hint, ns }) => {
        if (ns === 0) return null;
        return (
          <li key={id} title={hint}>
            <button class="link" onClick={() => place.follow(linkToPart(id, devices))}>
              <span class={`swatch part-${id}`} /> {title}
            </button>{" "}
            <Share of={row.span_ns === 0 ? 0 : ns / row.span_ns} />
          </li>
        );
      })}
    </ul>
  );
}

function linkToPart(id: TimePart["id"], { gaps }: WireDevices): Link {
  if (id === "compute") return linkToKernels("name");
  if (id === "communication") return linkToCollectives;
  if (id === "memory") return linkToKernels("category");
  if (id === "lost") return linkToTimeline;
  const gap = longestGap(gaps, id);
  if (gap !== null) return linkToIdle(gap);
  return id === "kernel" ? linkToSequences : linkToTimeline;
}

function DeviceRows({ devices, rows }: { devices: WireDevices; rows: readonly WireBreakdown[] }) {
  const opened = useSignal<number | null>(null);
  const shown = useSignal(kShown);
  const longest_ns = Math.max(...rows.map(({ span_ns }) => span_ns), 1);
  const left = rows.length - shown.value;
  return (
    <>
      {rows.slice(0, shown.value).map((row) => (
        <div key={row.place} class="device-bar-row">
          <DeviceHead
            row={row}
            device={devices.devices[row.place]}
            isOpen={opened.value === row.place}
            onOpen={() => (opened.value = opened.value === row.place ? null : row.place)}
          />
          {rows.length > 1 && <TimeBar parts={dividedTime(row)} span_ns={row.span_ns} longest_ns={longest_ns} />}
          {opened.value === row.place && <Streams rows={devices.breakdown} of={row} longest_ns={longest_ns} />}
        </div>
      ))}
      {left > 0 && (
        <button class="link more" onClick={() => (shown.value = rows.length)}>
          {formatCount(left)} more devices
        </button>
      )}
    </>
  );
}

interface DeviceHeadProps {
  row: WireBreakdown;
  device: WireDevice | undefined;
  isOpen: boolean;
  onOpen: () => void;
}

function DeviceHead({ row, device, isOpen, onOpen }: DeviceHeadProps) {
  return (
    <p>
      <strong>{nameDevice(row)}</strong> <ScopeButton of={nameDevice(row)} change={scopeOfDevice(row)} />{" "}
      <span class="dim">{nameBeside(device)}</span> <span class="dim">busy</span>{" "}
      <Share of={row.span_ns === 0 ? 0 : row.busy_ns / row.span_ns} /> <span class="dim">of</span>{" "}
      <Duration ns={row.span_ns} />
      {row.overlap_percent !== null && (
        <span class="dim"> · {formatShare(row.overlap_percent / 100)} of communication overlapped by compute</span>
      )}{" "}
      <button class="link" aria-expanded={isOpen} onClick={onOpen}>
        streams
      </button>
    </p>
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
            <TimeBar parts={dividedTime(row)} span_ns={row.span_ns} longest_ns={longest_ns} />
          </div>
        ))}
    </div>
  );
}

/** The device's model, where that says more than its name. */
const nameBeside = (device: WireDevice | undefined) =>
  device === undefined || device.name === device.device ? "" : device.name;
