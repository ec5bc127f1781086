// Memory: the selected allocation, how memory is drawn, and the set that was alive when a lane's memory was at its
// peak, or that was never freed, the largest first.
import { useSignal } from "@preact/signals";
import { useMemo } from "preact/hooks";
import { makeLaneColours } from "../../draw/timeline/colours";
import { readPalette } from "../../draw/palette";
import { formatBytes } from "../../lib/bytes";
import { stripAnsi } from "../../lib/ansi";
import type { AllocationItem, EventItem } from "../../lib/timeline/events";
import type { LaneInfo, MemoryInfo, Timeline } from "../../lib/timeline/timeline";
import { formatCount, formatPlural, formatShare } from "../../lib/text";
import { formatMoment } from "../../lib/time";
import type { AllocationSet, MemorySet, MemorySummary, TimelineSource } from "../../lib/timeline/source";
import { Name } from "../parts/name";
import { useApp } from "../parts/app-context";
import { useTimeline } from "./context";
import { CopyButton } from "../parts/copy-button";
import { Bytes, Duration, Figure, Moment, Share } from "../parts/figure";
import { Facts } from "../parts/facts";
import { Table, textColumns, type Column } from "../parts/table";
import { TableExport } from "../parts/table-export";
import { useAnswer } from "./use-answer";

export function TimelineMemoryTab({ source }: { source: TimelineSource }) {
  const timeline = useTimeline();
  const { lanes } = source.timeline;
  const owners = lanes.flatMap((lane, l) => (lane.memory === null ? [] : [l]));
  const chosen = useSignal<number | null>(null);
  const set = useSignal<MemorySet>("peak");
  const selected = timeline.selectedAllocation.value;
  const laneIndex = chosen.value ?? selected?.lane ?? largest(lanes, owners);
  const answer = useAnswer(() => {
    const wanted = set.value;
    return (asked) => asked.listSet(laneIndex, wanted);
  }, [laneIndex]);
  const summary = useAnswer(() => (asked) => asked.memorySummary(laneIndex), [laneIndex]);
  const memory = lanes[laneIndex]?.memory ?? null;
  if (memory === null) return null;
  const listed = answer.value ?? kNothing;
  const columns = useColumns(listed.items);
  const { shown, order } = timeline.memory.value;
  return (
    <div class="memory-tab">
      {selected !== null && <AllocationFacts shown={source.timeline} selected={selected} />}
      <section>
        <p class="drawer-summary">
          <Choices
            label="Lane"
            chosen={laneIndex}
            options={owners.map((l) => [l, lanes[l]!.title] as const)}
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
          {set.value === "peak" ? <PeakSummary memory={memory} count={listed.count} /> : summariseEnd(memory, listed)}
          <span>{describeHoles(memory, summary.value)}</span>
          {listed.items.length > 0 && <span>{sayWhatIsUnknown(listed.items)}</span>}
          <TableExport columns={textColumns(columns)} rows={listed.items} name={titleOfSet(set.value)} />
        </p>
        {shown === "categories" && <BandKey names={summary.value?.categories ?? []} />}
        <SetTable set={set.value} listed={listed} columns={columns} />
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

const kNothing: AllocationSet = { bytes: 0, count: 0, items: [] };

function largest(lanes: readonly LaneInfo[], owners: readonly number[]): number {
  const peakOf = (l: number) => lanes[l]!.memory!.peak_bytes;
  return owners.reduce((best, l) => (peakOf(l) > peakOf(best) ? l : best), owners[0] ?? -1);
}

function PeakSummary({ memory, count }: { memory: MemoryInfo; count: number }) {
  const timeline = useTimeline();
  return (
    <>
      <span>
        peak <Bytes bytes={memory.peak_bytes} /> in {formatPlural(count, "buffer")}
      </span>
      <button class="link" onClick={() => timeline.showTime({ from: memory.peak_ns, to: memory.peak_ns })}>
        at {formatMoment(memory.peak_ns)} →
      </button>
    </>
  );
}

function summariseEnd(memory: MemoryInfo, alive: AllocationSet): string {
  if (alive.count === 0) return "Everything was freed.";
  return `${formatBytes(memory.end_bytes)} in ${formatPlural(alive.count, "buffer")} alive at the end`;
}

/** Known addresses have holes; a packing wastes. */
function describeHoles({ peak_bytes, height_bytes, isAddressed }: MemoryInfo, summary: MemorySummary | null): string {
  if (!isAddressed) return height_bytes > peak_bytes ? `addresses unknown: packed to ${formatBytes(height_bytes)}` : "";
  const holes = summary?.fragmentation ?? null;
  if (holes === null) return "";
  return `fragmentation at the peak ${formatShare(holes.share)}, the largest hole ${formatBytes(holes.largest_bytes)}`;
}

/** The legend: a colour for each category. */
function BandKey({ names }: { names: readonly string[] }) {
  const { theme } = useApp();
  const tone = theme.shown.value;
  const colours = useMemo(() => makeLaneColours(readPalette(document.documentElement)), [tone]);
  return (
    <p class="drawer-summary band-key">
      {names.map((name, band) => (
        <span key={name}>
          <i style={{ background: colours.ofEvent(band, 0).fill }} />
          {name || "unnamed"}
        </span>
      ))}
    </p>
  );
}

function useColumns(items: readonly AllocationItem[]): Column<AllocationItem>[] {
  const knowsUses = items.some((item) => item.uses !== null);
  const knowsBirth = items.some((item) => item.bornIn !== null);
  const timeline = useTimeline();
  const bornIn: Column<AllocationItem> = {
    id: "born_in",
    title: "Born during",
    hint: "What ran when it was made",
    align: "left",
    show: ({ bornIn }) =>
      bornIn === null ? (
        <span class="dim">nothing known</span>
      ) : (
        <button class="link name" onClick={() => timeline.show(bornIn)}>
          <Name name={bornIn.label} />
        </button>
      ),
    value: ({ bornIn }) => (bornIn === null ? null : stripAnsi(bornIn.label)),
  };
  return [
    {
      id: "buffer",
      title: "Buffer",
      align: "left",
      show: (item) => (
        <button class="link" onClick={() => timeline.show(item)}>
          {item.key}
        </button>
      ),
      value: (item) => item.key,
    },
    {
      id: "size_bytes",
      title: "Size",
      show: (item) => <Bytes bytes={item.size_bytes} />,
      value: (item) => item.size_bytes,
    },
    {
      id: "share",
      title: "% of held",
      hint: "Of all bytes that are held at that time",
      show: (item) => <Share of={item.share} />,
      value: (item) => Number(item.share.toPrecision(6)),
    },
    { id: "dtype", title: "Type", align: "left", show: describeType, value: describeType },
    {
      id: "elements",
      title: "Elements",
      show: (item) => <Figure text={formatCount(item.count)} exact={item.count} />,
      value: (item) => item.count,
    },
    ...(knowsUses
      ? [
          {
            id: "kernels",
            title: "Kernels",
            hint: "Events that touch it",
            show: showUses,
            value: ({ uses }: AllocationItem) => uses,
          },
        ]
      : []),
    ...(knowsBirth ? [bornIn] : []),
    { id: "born_ns", title: "Born", show: (item) => <Moment ns={item.birth} />, value: (item) => item.birth },
    {
      id: "freed_ns",
      title: "Freed",
      show: (item) => (item.death === Infinity ? "never" : <Moment ns={item.death} />),
      value: (item) => (item.death === Infinity ? null : item.death),
    },
  ];
}

function titleOfSet(set: MemorySet): string {
  return set === "peak" ? "Alive at the peak" : "Never freed";
}

interface SetTableProps {
  set: MemorySet;
  listed: AllocationSet;
  columns: readonly Column<AllocationItem>[];
}

function SetTable({ set, listed, columns }: SetTableProps) {
  const timeline = useTimeline();
  const selected = timeline.selectedAllocation.value;
  return (
    <>
      <Table
        columns={columns}
        rows={listed.items}
        keyOf={(item) => item.allocation}
        label={titleOfSet(set)}
        isCurrent={(item) => selected?.lane === item.lane && selected.allocation === item.allocation}
      />
      {listed.items.length < listed.count && (
        <p class="dim note">The largest {formatCount(listed.items.length)} are listed.</p>
      )}
    </>
  );
}

/** The category too, where the capture has one: else the type stands for it. */
function describeType({ category, dtype }: AllocationItem): string {
  return category === "" || category === dtype ? dtype : `${category} ${dtype}`;
}

function showUses({ uses }: AllocationItem): string {
  return uses === null ? "" : formatCount(uses);
}

function AllocationFacts({ shown, selected }: { shown: Timeline; selected: AllocationItem }) {
  const timeline = useTimeline();
  const lane = shown.lanes[selected.lane]!;
  const { size_bytes: size, allocation } = selected;
  const answer = useAnswer(() => (source) => source.allocation(selected.lane, allocation), [selected.lane, allocation]);
  const { peak_bytes, peak_ns } = lane.memory!;
  const isAtPeak = selected.birth <= peak_ns && selected.death > peak_ns;
  const kernels = answer.value?.kernels ?? [];
  return (
    <section>
      <h2 class="event-name">
        {lane.title} buffer {selected.key}
        <CopyButton text={() => `${lane.title} buffer ${selected.key}: ${size} bytes`} label="the buffer" />
      </h2>
      <Facts
        facts={[
          ["Size", <Bytes bytes={size} />],
          ["Elements", `${formatCount(selected.count)} × ${selected.dtype}`],
          ["Born", <Moment ns={selected.birth} />],
          ["Freed", selected.death === Infinity ? "never, alive at the end" : <Moment ns={selected.death} />],
          ["Alive for", <Duration ns={Math.min(selected.death, shown.dur_ns) - selected.birth} />],
          ["Share of the peak", `${formatShare(size / Math.max(peak_bytes, 1))}${isAtPeak ? "" : ", not alive then"}`],
        ]}
      />
      <h3 class="section-title">Made by</h3>
      <Maker selected={selected} madeBy={answer.value?.madeBy ?? null} />
      <h3 class="section-title">Kernels that touch it</h3>
      {kernels.length > 0 ? (
        <ul class="kernels">
          {kernels.map((kernel) => (
            <li key={`${kernel.lane} ${kernel.event}`}>
              <button class="link" onClick={() => timeline.show(kernel)}>
                <Name name={kernel.label} />
              </button>{" "}
              <span class="dim">at {formatMoment(kernel.start)}</span>{" "}
              <button class="link" title="Its rewrites" onClick={() => timeline.open(kernel)}>
                rewrites →
              </button>
            </li>
          ))}
        </ul>
      ) : (
        <p class="dim">
          {answer.value === null
            ? "…"
            : selected.uses === null
              ? "The capture does not tell which kernels touch a buffer."
              : "None of those that the capture has."}
        </p>
      )}
    </section>
  );
}

/**
 * The event that made a buffer is the first that touches it; where the capture does not tell, what ran at its birth.
 */
function Maker({ selected, madeBy }: { selected: AllocationItem; madeBy: EventItem | null }) {
  const timeline = useTimeline();
  const { bornIn } = selected;
  const link = (event: EventItem) => (
    <button class="link" onClick={() => timeline.show(event)}>
      <Name name={event.label} />
    </button>
  );
  return (
    <p>
      {madeBy !== null ? link(madeBy) : <span class="dim">The capture does not tell.</span>}
      {bornIn !== null && (
        <>
          {" "}
          <span class="dim">When it was born, this ran:</span> {link(bornIn)}
        </>
      )}
    </p>
  );
}

/** Where the table has no column for it, the reader should not look for one. */
function sayWhatIsUnknown(items: readonly AllocationItem[]): string {
  const unknown = [
    ...(items.every((item) => item.bornIn === null) ? ["what made these buffers"] : []),
    ...(items.every((item) => item.uses === null) ? ["which kernels touch them"] : []),
  ];
  return unknown.length === 0 ? "" : `the capture does not tell ${unknown.join(" or ")}`;
}
