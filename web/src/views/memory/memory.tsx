// Memory: who held it, and what grew: the picture of a device's memory over time, and the state at one time, by
// default the peak: by what its allocations were made in, with those of the chosen holder beside it.
import { computed } from "@preact/signals";
import { formatBytes } from "../../lib/bytes";
import { sayMoment } from "../../lib/memory";
import { sayPart } from "../../lib/scope";
import { nameOfMemory, type LaneInfo } from "../../lib/timeline/timeline";
import { formatCount, formatPlural, formatShare } from "../../lib/text";
import { formatMoment } from "../../lib/time";
import { dataOf } from "../../state/fetched";
import type { OpenView } from "../view";
import { useApp, useCommand } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { ListExport, ListFilter, ListTable, WhenFetched } from "../parts/list-view/list-view";
import { Split } from "../parts/split";
import { Nothing } from "../parts/nothing";
import { kGroupTexts } from "./holder-columns";
import { HolderSide, sayListed } from "./holder-side";
import { MemoryPictureBox } from "./memory-picture";
import { createMemory, type Memories, type MemoryState, type TableOf } from "./state";
import { MemoryToolbar } from "./toolbar";
import "./memory.css";

export const openMemory: OpenView = (app, isShown) => {
  const memory = createMemory(app, isShown);
  const key = computed(() => memory.memories.value?.key ?? "");
  return () => (
    <WhenFetched fetched={memory.lanes.value} waiting="Reading the profile" broken="The memory cannot be shown">
      {() => {
        const memories = memory.memories.value;
        if (memories === null || memory.lane.value < 0) {
          const isRead = memory.lanes.value.value?.data.status === "ready";
          return isRead ? (
            <Blank title="There is no memory to show">
              <p>
                <Nothing of="allocations" none="No memory was allocated." isScoped={false} />
              </p>
            </Blank>
          ) : (
            <Blank title="The capture is being read" />
          );
        }
        return <MemoryRoom key={key.value} memory={memory} memories={memories} />;
      }}
    </WhenFetched>
  );
};

interface RoomProps {
  memory: MemoryState;
  memories: Memories;
}

function MemoryRoom({ memory, memories }: RoomProps) {
  useMemoryCommands(memory);
  return (
    <div class="memory-view">
      <MemoryToolbar memory={memory} memories={memories} />
      <MemoryPictureBox memory={memory} memories={memories} />
      <StateLine memory={memory} lane={memories.lanes[memory.lane.value]!} />
      <NotNarrowed lane={memories.lanes[memory.lane.value]!} />
      <Split
        left={null}
        leftLabel=""
        middle={
          memory.of.value === "allocation" ? <AllocationTable memory={memory} /> : <HolderTable memory={memory} />
        }
        right={<HolderSide memory={memory} memories={memories} />}
        rightLabel="the allocations"
      />
    </div>
  );
}

function useMemoryCommands(memory: MemoryState): void {
  const { holderList, setList } = memory;
  const list = () => (memory.of.peek() === "allocation" ? setList : holderList);
  useCommand("memory.previous", () => list().move(-1));
  useCommand("memory.next", () => list().move(1));
  useCommand("page.clear", () => {
    if (memory.allocation.peek() !== null) setList.choose(null);
    else if (holderList.chosen.peek() !== null) holderList.choose(null);
    else return false;
    return true;
  });
  useCommand("memory.peak", () => memory.setAt("peak"));
  useCommand("memory.since", () => memory.setSince(dataOf(memory.holders.peek())?.at_ns ?? null));
  useCommand("memory.operators", () => memory.setOf("operator"));
  useCommand("memory.modules", () => memory.setOf("module"));
  useCommand("memory.lines", () => memory.setOf("line"));
}

/** Allocations tell neither a rank nor a kernel, and a memory is chosen by itself. */
function NotNarrowed({ lane }: { lane: LaneInfo }) {
  const { scope } = useApp();
  const parts = scope.parts.value.filter((part) => part === "rank" || part === "device" || part === "kernel");
  if (parts.length === 0) return null;
  const said = parts.map((part) => sayPart(scope.now.value, part)).join(", ");
  return (
    <p class="memory-state marker">
      Not narrowed to {said}: these are all allocations of {nameOfMemory(lane.title)}.
    </p>
  );
}

/** The state that is shown, in words. */
function StateLine({ memory, lane }: { memory: MemoryState; lane: LaneInfo }) {
  const set = memory.set.value.value?.data;
  const holders = dataOf(memory.holders.value);
  const at_ns = holders?.at_ns ?? set?.at_ns;
  if (at_ns === undefined) return <p class="memory-state dim">…</p>;
  const bytes = holders?.bytes ?? set?.bytes ?? 0;
  const { unlisted_bytes, peak_bytes, height_bytes, isAddressed } = lane.memory!;
  const before = unlisted_bytes ?? 0;
  const since = memory.since.value;
  const fragmentation = memory.summary.value.value?.data.fragmentation ?? null;
  return (
    <p class="memory-state">
      <b>{sayMoment(memory.at.value, at_ns, memory.isPart.value)}</b> {formatBytes(bytes + before)} held
      {before > 0 && (
        <span title="The allocator counts them; the capture does not tell which allocations they are">
          : {formatBytes(bytes)} in the allocations that are listed, {formatBytes(before)} from before the capture began
        </span>
      )}
      {bytes < peak_bytes && (
        <span class="dim"> · {formatShare(bytes / Math.max(peak_bytes, 1))} of the listed peak</span>
      )}
      {since !== null && <span class="dim"> · growth since {formatMoment(since)}</span>}
      {isAddressed && fragmentation !== null && (
        <span class="dim">
          {" "}
          · fragmentation at the peak {formatShare(fragmentation.at_peak)}, the largest hole{" "}
          {formatBytes(fragmentation.largest_hole_bytes)}
        </span>
      )}
      {!isAddressed && height_bytes > peak_bytes && (
        <span class="dim"> · addresses unknown: drawn packed to {formatBytes(height_bytes)}</span>
      )}
    </p>
  );
}

const kNames: Record<TableOf, string> = {
  operator: "operators",
  module: "modules",
  line: "Python functions",
  category: "categories",
  allocation: "allocations",
};

function HolderTable({ memory }: { memory: MemoryState }) {
  const { holderList: list, holders, holdersAre } = memory;
  const { wish, value } = holders.value;
  const isStale = value !== null && value.wish !== wish;
  const group = holdersAre.value;
  // The whole of it is under the name, and in the export.
  const shown = list.columns.value.filter(({ id }) => id !== "modules");
  return (
    <div class="memory-table">
      <header class="memory-head">
        <ListFilter list={list} hint="Filter by name or module" label="Filter who held it" />
        <span class="dim">{formatPlural(list.rows.value.length, "row")}</span>
        {value !== null && value.data.rows.length < value.data.count && (
          <span class="dim">the first of {formatCount(value.data.count)}</span>
        )}
        <ListExport list={list} name={`memory by ${kNames[group]}`} />
      </header>
      <div class={isStale ? "scroll stale" : "scroll"} aria-busy={isStale} data-scrolls tabIndex={0}>
        <WhenFetched fetched={holders.value} waiting="Finding who held it" broken="Who held it cannot be shown">
          {({ rows }) =>
            rows.every(({ name }) => name === null) && rows.length > 0 ? (
              <>
                <p class="dim note">{sayUnknown(group)}</p>
                <ListTable list={list} label={`Who held it, ${kGroupTexts[group].choice}`} columns={shown} />
              </>
            ) : (
              <ListTable
                list={list}
                label={`Who held it, ${kGroupTexts[group].choice}`}
                columns={shown}
                nothing="Nothing was held then."
              />
            )
          }
        </WhenFetched>
      </div>
    </div>
  );
}

function sayUnknown(group: "operator" | "module" | "line" | "category"): string {
  const how =
    group === "operator"
      ? "PyTorch's profiler does with profile_memory=True"
      : "PyTorch's profiler does with profile_memory, with_stack and with_modules";
  return `The capture does not tell in which ${group === "line" ? "Python function" : group} memory was asked for; ${how}.`;
}

function AllocationTable({ memory }: { memory: MemoryState }) {
  const { setList: list, set } = memory;
  const { wish, value } = set.value;
  const isStale = value !== null && value.wish !== wish;
  return (
    <div class="memory-table">
      <header class="memory-head">
        <ListFilter list={list} hint="Filter by operator, module or type" label="Filter allocations" />
        <span class="dim">{sayListed(value?.data)}</span>
        <ListExport list={list} name="allocations" />
      </header>
      <div class={isStale ? "scroll stale" : "scroll"} aria-busy={isStale} data-scrolls tabIndex={0}>
        <WhenFetched fetched={set.value} waiting="Finding what was alive" broken="The allocations cannot be shown">
          {() => <ListTable list={list} label="Allocations alive then" nothing="Nothing was held then." />}
        </WhenFetched>
      </div>
    </div>
  );
}
