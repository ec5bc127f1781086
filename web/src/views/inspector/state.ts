// What the Inspector shows of the capture on screen: one block, one of its tables, an event chosen, as the URL says.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture } from "../../lib/api";
import type { App } from "../../state/app";
import { followWish, type Fetched } from "../../state/fetched";
import { arrange, callsFirst, keyOfEvent, parseOrder, recordsOf, usualBlock, type Order } from "./arrange";
import type { WireBlock, WireEvent, WireRecord, WireSummary } from "./wire";

export const kTables = ["events", "names", "modules", "partitions", "gaps"] as const;
export type TableName = (typeof kTables)[number];

export interface InspectorState {
  fetched: ReadonlySignal<Fetched<WireSummary>>;
  records: ReadonlySignal<readonly WireRecord[]>;
  blocks: ReadonlySignal<readonly WireBlock[]>;
  block: ReadonlySignal<WireBlock | null>;
  table: ReadonlySignal<TableName>;
  text: ReadonlySignal<string>;
  order: ReadonlySignal<Order | null>;
  /** Of the block, in its order. */
  events: ReadonlySignal<readonly WireEvent[]>;
  shownEvents: ReadonlySignal<readonly WireEvent[]>;
  chosen: ReadonlySignal<WireEvent | null>;
  /** Of all blocks the first start, in source ticks. */
  origin: ReadonlySignal<number>;
  setBlock(index: number): void;
  setTable(table: TableName): void;
  setText(text: string): void;
  sortBy(column: string): void;
  choose(event: WireEvent | null): void;
}

const isInTable = (event: WireEvent) => !event.name.includes("OPERATOR_CALL");
const textOfEvent = (event: WireEvent) =>
  `${event.name} ${event.op_types.join(" ")} ${event.delegate ?? ""} ${Object.keys(event.stack_traces).join(" ")}`;

export function createInspector({ api, session, place }: App): InspectorState {
  const field = (key: string) => computed(() => place.keys.value[key]);
  const [blockKey, tableKey, filter, sorted, inspected] = [
    field("block"),
    field("inspect"),
    field("inspector"),
    field("inspectorder"),
    field("inspected"),
  ];
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
  const order = computed(() => parseOrder(sorted.value));
  const text = computed(() => filter.value ?? "");
  return {
    fetched,
    records,
    blocks,
    block,
    table,
    text,
    order,
    events,
    shownEvents: computed(() =>
      arrange(callsFirst(events.value.filter(isInTable)), textOfEvent, text.value, order.value),
    ),
    chosen: computed(() => events.value.find((event) => keyOfEvent(event) === inspected.value) ?? null),
    origin: computed(() =>
      recordsOf(records.value, "event").reduce(
        (least, event) => (event.is_delegated ? least : Math.min(least, ...(event.start ?? []))),
        Infinity,
      ),
    ),
    setBlock: (index) => place.adjust({ block: String(index), inspected: null }),
    setTable: (next) => place.adjust({ inspect: next === "events" ? null : next, inspectorder: null }),
    setText: (next) => place.adjust({ inspector: next === "" ? null : next }),
    sortBy(column) {
      const now = order.peek();
      // Down, up, and back to the order of the events.
      const next = now?.column !== column ? `-${column}` : now.descending ? column : null;
      place.adjust({ inspectorder: next });
    },
    choose: (event) => place.adjust({ inspected: event === null ? null : keyOfEvent(event) }),
  };
}
