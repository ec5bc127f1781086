// The longest times in which nothing ran on a device.
import { linkToIdle, nameDevice, type WireDevices, type WireGap } from "../../lib/devices";
import { linkWithScope } from "../../lib/scope";
import { kIdleHints, kIdleTitles } from "../../lib/timeline/idle-cause";
import { useApp } from "../parts/app-context";
import { Duration } from "../parts/figure";
import { Name } from "../parts/name";
import { Table, type Column } from "../parts/table";

const kShown = 8;

/** The gap is the scope then. */
const linkToIdleAlone = (gap: WireGap) =>
  linkWithScope(linkToIdle(gap), { range: { from: gap.from_ns, to: gap.to_ns } });

export function LongestIdle({ devices: { devices, gaps } }: { devices: WireDevices }) {
  const { place } = useApp();
  const longest = gaps.toSorted((a, b) => b.to_ns - b.from_ns - (a.to_ns - a.from_ns)).slice(0, kShown);
  if (longest.length === 0) return null;
  const columns: Column<WireGap>[] = [
    { id: "dur", title: "Idle", show: (gap) => <Duration ns={gap.to_ns - gap.from_ns} /> },
    {
      id: "cause",
      title: "Cause",
      align: "left",
      show: ({ cause }) => (
        <span title={kIdleHints[cause]}>
          <span class={`swatch part-${cause}`} /> {kIdleTitles[cause].replace("idle: ", "")}
        </span>
      ),
    },
    ...(devices.length > 1
      ? [
          {
            id: "device",
            title: "Device",
            align: "left" as const,
            show: (gap: WireGap) => nameDevice(devices[gap.device]!),
          },
        ]
      : []),
    {
      id: "ended",
      title: "Ended by",
      hint: "The work that began then",
      align: "left",
      isWide: true,
      namesOf: (gap) => (gap.ended_by ? [gap.ended_by.name] : []),
      show: (gap) => (
        <button class="link kernel-name" onClick={() => place.follow(linkToIdleAlone(gap))}>
          {gap.ended_by ? <Name name={gap.ended_by.name} /> : "nothing in this range"}
        </button>
      ),
    },
  ];
  return (
    <section class="longest-idle">
      <h3>Longest idle</h3>
      <Table
        columns={columns}
        rows={longest}
        keyOf={(gap) => `${gap.device} ${gap.from_ns}`}
        label="Longest times with nothing running"
      />
    </section>
  );
}
