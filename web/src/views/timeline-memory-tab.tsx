// Memory: the selected allocation, and the set that was alive when a lane's memory was at its peak, the largest first.
import { useSignal } from "@preact/signals";
import type { Lane, Profile } from "../lib/lanes";
import type { AllocationRef } from "../lib/lanes-find";
import { formatBytes, type Memory } from "../lib/memory";
import { formatCount, formatPlural } from "../lib/text";
import { formatMoment } from "../lib/time";
import { useApp } from "./app-context";
import { CopyButton } from "./copy-button";
import { Bytes, Duration, Figure, Moment, Share } from "./figure";
import { Facts } from "./timeline-drawer";
import { formatShare } from "./timeline-heads";
import { Table, type Column } from "./timeline-table";

export function TimelineMemoryTab({ profile }: { profile: Profile }) {
  const { timeline } = useApp();
  const owners = profile.lanes.flatMap((lane, l) => (lane.memory === null ? [] : [l]));
  const chosen = useSignal<number | null>(null);
  const selected = timeline.selectedAllocation.value;
  const laneIndex = chosen.value ?? selected?.lane ?? largest(profile, owners);
  const lane = profile.lanes[laneIndex];
  if (lane === undefined || lane.memory === null) return null;
  const memory = lane.memory;
  return (
    <div class="memory-tab">
      {selected !== null && <AllocationFacts profile={profile} selected={selected} />}
      <section>
        <p class="drawer-summary">
          <span role="radiogroup" aria-label="Lane" class="choices">
            {owners.map((l) => (
              <button key={l} role="radio" aria-checked={l === laneIndex} onClick={() => (chosen.value = l)}>
                {profile.lanes[l]!.name}
              </button>
            ))}
          </span>
          {summarise(memory)}
          <button class="link" onClick={() => timeline.showTime({ from: memory.peak_ns, to: memory.peak_ns })}>
            at {formatMoment(memory.peak_ns)} →
          </button>
          <CopyButton text={() => formatTable(profile, memory)} label="the table as tab-separated values" />
        </p>
        <PeakTable profile={profile} lane={lane} laneIndex={laneIndex} />
      </section>
    </div>
  );
}

function largest(profile: Profile, owners: readonly number[]): number {
  const peakOf = (l: number) => profile.lanes[l]!.memory!.peak_bytes;
  return owners.reduce((best, l) => (peakOf(l) > peakOf(best) ? l : best), owners[0] ?? -1);
}

function summarise(memory: Memory): string {
  const { peak_bytes, height_bytes, end_bytes, atPeak } = memory;
  const waste = height_bytes > peak_bytes ? ` · packed to ${formatBytes(height_bytes)}` : "";
  return `peak ${formatBytes(peak_bytes)} in ${formatPlural(atPeak.length, "buffer")}${waste} · alive at the end ${formatBytes(end_bytes)}`;
}

function PeakTable({ profile, lane, laneIndex }: { profile: Profile; lane: Lane; laneIndex: number }) {
  const { timeline } = useApp();
  const memory = lane.memory!;
  const columns: Column<number>[] = [
    {
      id: "key",
      title: "Buffer",
      align: "left",
      show: (i) => (
        <button class="link" onClick={() => timeline.show({ lane: laneIndex, allocation: i })}>
          {memory.key[i]}
        </button>
      ),
    },
    { id: "size", title: "Size", show: (i) => <Bytes bytes={memory.size_bytes[i]!} /> },
    { id: "share", title: "Share of peak", show: (i) => <Share of={memory.size_bytes[i]! / memory.peak_bytes} /> },
    { id: "dtype", title: "Type", align: "left", show: (i) => profile.plain[memory.dtype[i]!] },
    {
      id: "count",
      title: "Elements",
      show: (i) => <Figure text={formatCount(memory.count[i]!)} exact={memory.count[i]!} />,
    },
    { id: "birth", title: "Born", show: (i) => <Moment ns={memory.birth[i]!} /> },
    {
      id: "death",
      title: "Freed",
      show: (i) => (memory.death[i] === Infinity ? "never" : <Moment ns={memory.death[i]!} />),
    },
  ];
  const selected = timeline.selectedAllocation.value;
  return (
    <Table
      columns={columns}
      rows={Array.from(memory.atPeak)}
      keyOf={(i) => i}
      label="Alive at the peak"
      isCurrent={(i) => selected?.lane === laneIndex && selected.allocation === i}
    />
  );
}

function AllocationFacts({ profile, selected }: { profile: Profile; selected: AllocationRef }) {
  const lane = profile.lanes[selected.lane]!;
  const memory = lane.memory!;
  const i = selected.allocation;
  const isFreed = memory.death[i]! !== Infinity;
  const life = Math.min(memory.death[i]!, profile.dur_ns) - memory.birth[i]!;
  const size = memory.size_bytes[i]!;
  return (
    <section>
      <h3 class="event-name">
        {lane.name} buffer {memory.key[i]}
        <CopyButton text={() => `${lane.name} buffer ${memory.key[i]}: ${size} bytes`} label="the buffer" />
      </h3>
      <Facts
        facts={[
          ["Size", <Bytes bytes={size} />],
          ["Elements", `${formatCount(memory.count[i]!)} × ${profile.plain[memory.dtype[i]!]}`],
          ["Born", <Moment ns={memory.birth[i]!} />],
          ["Freed", isFreed ? <Moment ns={memory.death[i]!} /> : "never, alive at the end"],
          ["Alive for", <Duration ns={life} />],
          [
            "Share of the peak",
            `${formatShare(size / Math.max(memory.peak_bytes, 1))}${memory.atPeak.includes(i) ? "" : ", not alive then"}`,
          ],
        ]}
      />
    </section>
  );
}

function formatTable(profile: Profile, memory: Memory): string {
  const lines = Array.from(memory.atPeak, (i) =>
    [
      memory.key[i],
      memory.size_bytes[i],
      profile.plain[memory.dtype[i]!],
      memory.count[i],
      memory.birth[i],
      memory.death[i] === Infinity ? "" : memory.death[i],
    ].join("\t"),
  );
  return ["buffer\tsize_bytes\tdtype\telements\tborn_ns\tfreed_ns", ...lines].join("\n");
}
