// The state of the Inspector, as the URL says: one block of the capture on screen, one of its tables, an event chosen.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture } from "../../lib/api";
import { recordsOf, usualBlock } from "../../lib/etdump/records";
import type { WireBlock, WireEvent, WireModule, WireName, WireRecord, WireSummary } from "../../lib/etdump/wire";
import type { App } from "../../state/app";
import { followWish, type Fetched } from "../../state/fetched";
import type { PlaceState } from "../../state/place";
import { createList, type List } from "../parts/list-view/list";
import { callsFirst, gapRows, keyOfEvent, type GapRow } from "./arrange";
import { eventColumns, gapColumns, moduleColumns, nameColumns } from "./columns";

export const kTables = ["events", "names", "modules", "gaps"] as const;
export type TableName = (typeof kTables)[number];

export interface InspectorState {
  fetched: ReadonlySignal<Fetched<WireSummary>>;
  records: ReadonlySignal<readonly WireRecord[]>;
  blocks: ReadonlySignal<readonly WireBlock[]>;
  block: ReadonlySignal<WireBlock | null>;
  table: ReadonlySignal<TableName>;
  /** The block's events, in its order. */
  events: ReadonlySignal<readonly WireEvent[]>;
  lists: InspectorLists;
  chosen: ReadonlySignal<WireEvent | null>;
  /** The first start of all blocks, in source ticks. */
  origin: ReadonlySignal<number>;
  setBlock(index: number): void;
  setTable(table: TableName): void;
}

/** The rows of each table of the block that is shown. One filter is for all of them. */
export interface InspectorLists {
  events: List<WireEvent>;
  names: List<WireName>;
  modules: List<WireModule>;
  gaps: List<GapRow>;
}

const isInTable = (event: WireEvent) => !event.name.includes("OPERATOR_CALL");
const textOfEvent = (event: WireEvent) =>
  `${event.name} ${event.op_types.join(" ")} ${event.delegate ?? ""} ${Object.keys(event.stack_traces).join(" ")}`;

export function createInspector({ api, session, place }: App): InspectorState {
  const [blockKey, tableKey, inspected] = [place.key("block"), place.key("inspect"), place.key("inspected")];
  const fetched = followWish(
    computed(() => {
      const capture = session.capture.value;
      if (capture === null || !capture.has_profile || capture.format !== "etdump") return null;
      return `${capture.revision} ${pathOfCapture("/api/v1/summary", capture.id)}`;
    }),
    (path, abort) => api.getJson<WireSummary>(path, abort),
  );
  const records = computed(() => fetched.value.value?.data.records ?? []);
  const blocks = computed(() => recordsOf(records.value, "block"));
  const block = computed(() => {
    const wanted = blockKey.value === undefined ? usualBlock(blocks.value) : Number(blockKey.value);
    return blocks.value.find(({ block_index }) => block_index === wanted) ?? blocks.value[0] ?? null;
  });
  const events = computed(() => recordsOf(records.value, "event", block.value?.block_index ?? -1));
  const table = computed(() => kTables.find((known) => known === tableKey.value) ?? "events");
  return {
    fetched,
    records,
    blocks,
    block,
    table,
    events,
    lists: createLists(place, records, block, events),
    chosen: computed(() => events.value.find((event) => keyOfEvent(event) === inspected.value) ?? null),
    origin: computed(() =>
      recordsOf(records.value, "event").reduce(
        (least, event) => (event.is_delegated ? least : Math.min(least, ...(event.start ?? []))),
        Infinity,
      ),
    ),
    setBlock: (index) => place.adjust({ block: String(index), inspected: null }),
    setTable: (next) => place.adjust({ inspect: next === "events" ? null : next, inspectorder: null }),
  };
}

function createLists(
  place: PlaceState,
  records: ReadonlySignal<readonly WireRecord[]>,
  block: ReadonlySignal<WireBlock | null>,
  events: ReadonlySignal<readonly WireEvent[]>,
): InspectorLists {
  /** The columns of the block that is shown, where there is one. */
  const ofBlock = <T>(columns: (block: WireBlock) => readonly T[]) =>
    block.value === null ? [] : columns(block.value);
  const listOf = <Kind extends "name" | "module" | "gap">(kind: Kind) =>
    recordsOf(records.value, kind, block.value?.block_index ?? -1);
  const modules = computed(() => listOf("module"));
  const [text, order] = ["inspector", "inspectorder"];
  return {
    events: createList<WireEvent>(place, {
      rows: () => callsFirst(events.value.filter(isInTable)),
      columns: () => ofBlock((shown) => eventColumns(shown, events.value)),
      keyOf: keyOfEvent,
      textOf: textOfEvent,
      keys: { text, order, chosen: "inspected" },
    }),
    names: createList<WireName>(place, {
      rows: () => listOf("name"),
      columns: () => ofBlock(nameColumns),
      keyOf: (_, at) => at,
      textOf: ({ name }) => name,
      keys: { text, order },
    }),
    modules: createList<WireModule>(place, {
      rows: () => modules.value,
      columns: () => ofBlock((shown) => moduleColumns(shown, modules.value)),
      keyOf: (_, at) => at,
      textOf: ({ name, type }) => `${name} ${type}`,
      keys: { text },
    }),
    gaps: createList<GapRow>(place, {
      rows: () => gapRows(listOf("gap")),
      columns: gapColumns,
      keyOf: (_, at) => at,
      textOf: ({ node, op }) => `${node} ${op}`,
      keys: { text },
    }),
  };
}
