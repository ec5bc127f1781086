// Memory: the selected allocation, how memory is drawn, and the set that was alive when a lane's memory was at its peak,
// or that was never freed, the largest first.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { makeLaneColours } from "../draw/lanes-colours";
import { colourOfBand } from "../draw/memory";
import { readPalette } from "../draw/palette";
import type { Profile } from "../lib/lanes";
import type { AllocationRef } from "../lib/lanes-find";
import { formatBytes, type Memory } from "../lib/memory";
import { listSet, measureHoles, type MemorySet } from "../lib/memory-sets";
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
  const set = useSignal<MemorySet>("peak");
  const selected = timeline.selectedAllocation.value;
  const laneIndex = chosen.value ?? selected?.lane ?? largest(profile, owners);
  const memory = profile.lanes[laneIndex]?.memory ?? null;
  if (memory === null) return null;
  const listed = listSet(memory, set.value);
  const { shown, order } = timeline.memory.value;
  return (
    <div class="memory-tab">
      {selected !== null && <AllocationFacts profile={profile} selected={selected} />}
      <section>
        <p class="drawer-summary">
          <Choices
            label="Lane"
            chosen={laneIndex}
            options={owners.map((l) => [l, profile.lanes[l]!.name] as const)}
            onChoose={(l) => (chosen.value = l)}
          />
          <Choices label="Set" chosen={set.value} options={kSets} onChoose={(next) => (set.value = next)} />
          <Choices
            label="Drawn as"
            chosen={shown}
            options={[
              ["blocks", memory.isAddressed ? "by address" : "packed"],
              ["categories", "by category"],
            ]}
            onChoose={(next) => (timeline.memory.value = { shown: next, order })}
          />
          <Choices
            label="Across"
            chosen={order}
            options={kOrders}
            onChoose={(next) => (timeline.memory.value = { shown, order: next })}
          />
        </p>
        <p class="drawer-summary">
          {set.value === "peak" ? <PeakSummary memory={memory} /> : summariseEnd(memory, listed)}
          <span>{describeHoles(memory)}</span>
          <CopyButton text={() => formatTable(profile, memory, listed)} label="the table as tab-separated values" />
        </p>
        {shown === "categories" && <BandKey profile={profile} memory={memory} />}
        <SetTable profile={profile} laneIndex={laneIndex} memory={memory} set={set.value} listed={listed} />
      </section>
    </div>
  );
}

const kSets = [
  ["peak", "at the peak"],
  ["end", "never freed"],
] as const;

const kOrders = [
  ["time", "by time"],
  ["events", "by allocation order"],
] as const;

interface ChoicesProps<T> {
  label: string;
  chosen: T;
  options: readonly (readonly [value: T, text: string])[];
  onChoose: (value: T) => void;
}

function Choices<T extends string | number>({ label, chosen, options, onChoose }: ChoicesProps<T>) {
  return (
    <span role="radiogroup" aria-label={label} class="choices">
      {options.map(([value, text]) => (
        <button key={value} role="radio" aria-checked={value === chosen} onClick={() => onChoose(value)}>
          {text}
        </button>
      ))}
    </span>
  );
}

function largest(profile: Profile, owners: readonly number[]): number {
  const peakOf = (l: number) => profile.lanes[l]!.memory!.peak_bytes;
  return owners.reduce((best, l) => (peakOf(l) > peakOf(best) ? l : best), owners[0] ?? -1);
}

function PeakSummary({ memory }: { memory: Memory }) {
  const { timeline } = useApp();
  return (
    <>
      <span>
        peak <Bytes bytes={memory.peak_bytes} /> in {formatPlural(memory.atPeak.length, "buffer")}
      </span>
      <button class="link" onClick={() => timeline.showTime({ from: memory.peak_ns, to: memory.peak_ns })}>
        at {formatMoment(memory.peak_ns)} →
      </button>
    </>
  );
}

function summariseEnd(memory: Memory, alive: Uint32Array): string {
  if (alive.length === 0) return "Everything was freed.";
  return `${formatBytes(memory.end_bytes)} in ${formatPlural(alive.length, "buffer")} alive at the end`;
}

/** Known addresses have holes; a packing wastes. */
function describeHoles(memory: Memory): string {
  const { peak_bytes, height_bytes, isAddressed } = memory;
  if (!isAddressed) return height_bytes > peak_bytes ? `addresses unknown: packed to ${formatBytes(height_bytes)}` : "";
  const { count, free_bytes, largest_bytes } = measureHoles(memory, memory.atPeak);
  if (count === 0) return "no holes at the peak";
  const share = formatShare(free_bytes / (free_bytes + peak_bytes));
  return `fragmented: ${formatBytes(free_bytes)} (${share}) in ${formatPlural(count, "hole")} at the peak, the largest ${formatBytes(largest_bytes)}`;
}

/** Which colour is which category. */
function BandKey({ profile, memory }: { profile: Profile; memory: Memory }) {
  const { theme } = useApp();
  const shown = theme.shown.value;
  const colours = useMemo(() => makeLaneColours(readPalette(document.documentElement)), [shown]);
  return (
    <p class="drawer-summary band-key">
      {memory.categories.names.map((name, band) => (
        <span key={name}>
          <i style={{ background: colourOfBand({ colours }, memory, band) }} />
          {name < 0 ? "all others" : profile.plain[name] || "unnamed"}
        </span>
      ))}
    </p>
  );
}

interface SetTableProps {
  profile: Profile;
  laneIndex: number;
  memory: Memory;
  set: MemorySet;
  listed: Uint32Array;
}

function SetTable({ profile, laneIndex, memory, set, listed }: SetTableProps) {
  const { timeline } = useApp();
  const whole_bytes = set === "peak" ? memory.peak_bytes : memory.end_bytes;
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
    { id: "share", title: "Share", show: (i) => <Share of={memory.size_bytes[i]! / Math.max(whole_bytes, 1)} /> },
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
      rows={Array.from(listed)}
      keyOf={(i) => i}
      label={set === "peak" ? "Alive at the peak" : "Never freed"}
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

function formatTable(profile: Profile, memory: Memory, listed: Uint32Array): string {
  const lines = Array.from(listed, (i) =>
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
