// What of the capture's memory is looked at: of which device, when, by what; the one who holds it that is chosen, and
// one of its allocations: all as the URL says.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture } from "../../lib/api";
import {
  formatMomentKey,
  kHolderGroups,
  listOwners,
  parseMoment,
  rangeOfStep,
  type HolderGroup,
  type MemoryMoment,
  type WireHolder,
  type WireHolders,
} from "../../lib/memory";
import { readLanes, readRuns } from "../../lib/timeline/answers";
import type { Run } from "../../lib/timeline/runs";
import type { MemoryView } from "../../lib/timeline/sight";
import type { LaneInfo } from "../../lib/timeline/timeline";
import type {
  WireAllocation,
  WireAllocationDetail,
  WireAllocationSet,
  WireLanes,
  WireMemorySummary,
} from "../../lib/timeline/wire";
import type { TimeRange } from "../../lib/time";
import type { App } from "../../state/app";
import { followProfile } from "../../state/asked";
import { dataOf, type Fetched } from "../../state/fetched";
import { createList, type List } from "../parts/list-view/list";
import { allocationColumns } from "./allocation-columns";
import { holderColumns } from "./holder-columns";

const kLanes = "/api/v1/lanes";

/** The profile as far as its memory goes. */
export interface Memories {
  key: string;
  lanes: readonly LaneInfo[];
  /** The lanes that own memory, the one with the highest peak first. */
  owners: readonly number[];
  runs: readonly Run[];
  dur_ns: number;
}

/** The things that the table has a row for. */
export type TableOf = HolderGroup | "allocation";

export interface MemoryState {
  lanes: ReadonlySignal<Fetched<WireLanes>>;
  memories: ReadonlySignal<Memories | null>;
  /** The lane whose memory is shown; -1 where there is none. */
  lane: ReadonlySignal<number>;
  setLane(lane: number): void;
  /** The time that is shown: the chosen one, or all. */
  range: ReadonlySignal<TimeRange>;
  isPart: ReadonlySignal<boolean>;
  at: ReadonlySignal<MemoryMoment>;
  setAt(at: MemoryMoment): void;
  /** Since when growth counts; null: since the time that is shown begins. */
  since: ReadonlySignal<number | null>;
  setSince(since_ns: number | null): void;
  of: ReadonlySignal<TableOf>;
  setOf(of: TableOf): void;
  drawn: ReadonlySignal<MemoryView>;
  setDrawn(change: Partial<MemoryView>): void;
  summary: ReadonlySignal<Fetched<WireMemorySummary>>;
  holders: ReadonlySignal<Fetched<WireHolders>>;
  /** What the holders that are on screen are; `of` is what is asked for. */
  holdersAre: ReadonlySignal<HolderGroup>;
  holderList: List<WireHolder>;
  /** The allocations of the chosen holder, or all. */
  set: ReadonlySignal<Fetched<WireAllocationSet>>;
  setList: List<WireAllocation>;
  allocation: ReadonlySignal<WireAllocationDetail | null>;
}

export const urlKeys = {
  "mem.lane": "kept",
  "mem.at": "ofLink",
  "mem.since": "kept",
  "mem.by": "kept",
  "mem.as": "kept",
  "mem.find": "kept",
  "mem.order": "kept",
  "mem.holder": "ofLink",
  "mem.buffers": "kept",
  "mem.bufferorder": "kept",
  "mem.allocation": "ofLink",
} as const;

export function createMemory(app: App, isShown: ReadonlySignal<boolean>): MemoryState {
  const { place } = app;
  const asked = createQuestions(app, isShown);
  const { memories, lane } = asked;
  const drawnKey = place.key("mem.as");
  const drawn = computed<MemoryView>(() => ({
    shown: drawnKey.value?.includes("categories") ? "categories" : "blocks",
    order: drawnKey.value?.includes("events") ? "events" : "time",
  }));
  return {
    ...asked,
    setLane: (next) =>
      place.adjust({
        "mem.lane": memories.peek()?.lanes[next]?.path ?? null,
        "mem.holder": null,
        "mem.allocation": null,
      }),
    setAt: (next) => place.adjust({ "mem.at": formatMomentKey(next) }),
    setSince: (next) => place.adjust({ "mem.since": next === null ? null : String(Math.round(next)) }),
    setOf: (next) => place.adjust({ "mem.by": next === "operator" ? null : next, "mem.holder": null }),
    drawn,
    setDrawn(change) {
      const { shown, order } = { ...drawn.peek(), ...change };
      const words = [shown, order].filter((word) => word !== "blocks" && word !== "time");
      place.adjust({ "mem.as": words.length === 0 ? null : words.join("|") });
    },
    holderList: createList<WireHolder>(place, {
      rows: () => dataOf(asked.holders.value)?.rows ?? asked.holders.value.value?.data.rows ?? [],
      columns: () => holderColumns(asked.holdersAre.value),
      keyOf: (row) => row.id,
      textOf: (row) => `${row.name ?? ""} ${row.modules ?? ""}`,
      keys: { text: "mem.find", order: "mem.order", chosen: "mem.holder" },
      firstOrder: { column: "bytes", descending: true },
    }),
    setList: createList<WireAllocation>(place, {
      rows: () => asked.set.value.value?.data.items ?? [],
      columns: () =>
        allocationColumns(asked.set.value.value?.data.items ?? [], memories.value?.lanes ?? [], lane.value, place),
      keyOf: (row) => row.index,
      textOf: (row) => `${row.made_in?.label ?? ""} ${row.module ?? ""} ${row.line ?? ""} ${row.dtype} ${row.category}`,
      keys: { text: "mem.buffers", order: "mem.bufferorder", chosen: "mem.allocation" },
      firstOrder: { column: "size_bytes", descending: true },
    }),
  };
}

/** What is asked of the server. */
function createQuestions(app: App, isShown: ReadonlySignal<boolean>) {
  const { place, session } = app;
  const lanes = followProfile<WireLanes>(app, isShown, () => kLanes);
  // Lanes of the capture that was looked at before stay until its successor's come: nothing is asked by their numbers.
  const memories = computed(() => {
    const known = lanes.value.value;
    const capture = session.capture.value;
    if (known === null || capture === null) return null;
    return known.wish.endsWith(` ${pathOfCapture(kLanes, capture.id)}`) ? readMemories(known.data) : null;
  });
  const lane = chooseLane(app, memories);
  const { range, isPart } = chooseRange(app, memories);
  const [atKey, sinceKey, byKey] = [place.key("mem.at"), place.key("mem.since"), place.key("mem.by")];
  const [holderKey, allocationKey] = [place.key("mem.holder"), place.key("mem.allocation")];
  const at = computed(() => parseMoment(atKey.value));
  const since = computed(() => (/^-?\d{1,16}$/.test(sinceKey.value ?? "") ? Number(sinceKey.value) : null));
  const of = computed<TableOf>(() => {
    if (byKey.value === "allocation") return "allocation";
    return kHolderGroups.find((group) => group === byKey.value) ?? "operator";
  });
  const ask = <T>(path: (of: Memories, lane: number) => string | null) =>
    followProfile<T>(app, isShown, () =>
      memories.value === null || lane.value < 0 ? null : path(memories.value, lane.value),
    );
  const moment = computed(() => {
    const { from, to } = range.value;
    return `at=${at.value}${isPart.value ? `&from=${Math.floor(from)}&to=${Math.ceil(to)}` : ""}`;
  });
  const allocation = ask<WireAllocationDetail>((_, l) =>
    /^\d+$/.test(allocationKey.value ?? "") ? `/api/v1/allocation/${l}/${allocationKey.value}` : null,
  );
  const holders = ask<WireHolders>(({ key }, l) =>
    of.value === "allocation"
      ? null
      : `/api/v1/memory/${key}/${l}/holders?${moment.value}&by=${of.value}` +
        `&since=${Math.round(since.value ?? range.value.from)}`,
  );
  const holdersAre = computed<HolderGroup>(() => {
    const by = /[?&]by=(\w+)/.exec(holders.value.value?.wish ?? "")?.[1] ?? of.value;
    return kHolderGroups.find((group) => group === by) ?? "operator";
  });
  return {
    lanes,
    memories,
    lane,
    range,
    isPart,
    at,
    since,
    of,
    summary: ask<WireMemorySummary>(({ key }, l) => `/api/v1/memory/${key}/${l}/summary`),
    holders,
    holdersAre,
    set: ask<WireAllocationSet>(({ key }, l) => {
      const isOne = holderKey.value !== undefined && of.value !== "allocation";
      const holder = isOne ? `&by=${of.value}&holder=${encodeURIComponent(holderKey.value!)}` : "";
      return `/api/v1/memory/${key}/${l}/set?${moment.value}${holder}`;
    }),
    allocation: computed(() => dataOf(allocation.value) ?? null),
  };
}

function readMemories(wire: WireLanes): Memories | null {
  if (wire.key === undefined || wire.lanes === undefined) return null;
  const lanes = readLanes(wire);
  return { key: wire.key, lanes, owners: listOwners(lanes), runs: readRuns(wire.runs), dur_ns: wire.dur_ns };
}

/** The lane that the URL names, else the one with the highest peak. */
function chooseLane({ place }: App, memories: ReadonlySignal<Memories | null>): ReadonlySignal<number> {
  const key = place.key("mem.lane");
  return computed(() => {
    const { lanes, owners } = memories.value ?? { lanes: [], owners: [] };
    return owners.find((l) => lanes[l]!.path === key.value) ?? owners[0] ?? -1;
  });
}

/** The time that is shown: the scope's, or its step's. */
function chooseRange({ scope }: App, memories: ReadonlySignal<Memories | null>) {
  const chosen = computed<TimeRange | null>(() => {
    const { range, step } = scope.now.value;
    return range ?? (step === null ? null : rangeOfStep(memories.value?.runs ?? [], step));
  });
  return {
    isPart: computed(() => chosen.value !== null),
    range: computed<TimeRange>(() => chosen.value ?? { from: 0, to: memories.value?.dur_ns ?? 1 }),
  };
}
