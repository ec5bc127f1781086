// The kernels of the capture on screen: grouped, filtered, sorted, one chosen, all as the URL says.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture } from "../../lib/api";
import {
  kKernelGroups,
  nameDevice,
  nameKernel,
  type KernelGroup,
  type WireCallNode,
  type WireCollective,
  type WireKernel,
  type WireKernels,
  type WireSequence,
} from "../../lib/devices";
import { wordFilter } from "../../lib/word-filter";
import type { App } from "../../state/app";
import { followWish, type Fetched } from "../../state/fetched";

export interface KernelOrder {
  column: string;
  descending: boolean;
}

/** What of the work is shown: the table, the tree of calls that it came from, what ranks exchanged, what follows what. */
export const kShapes = ["table", "tree", "collectives", "sequences"] as const;
export type Shape = (typeof kShapes)[number];

export interface KernelState {
  shape: ReadonlySignal<Shape>;
  setShape(shape: Shape): void;
  /** What is asked for while the shape is on screen. */
  tree: ReadonlySignal<Fetched<{ nodes: WireCallNode[] }>>;
  /** Nodes of the tree by keysOfNodes: those that are not as at first, and the one that the cursor is on. */
  toggledCalls: ReadonlySignal<ReadonlySet<string>>;
  toggleCall(key: string): void;
  call: ReadonlySignal<string | undefined>;
  chooseCall(key: string): void;
  collectives: ReadonlySignal<Fetched<{ rows: WireCollective[] }>>;
  sequences: ReadonlySignal<Fetched<{ rows: WireSequence[] }>>;
  fetched: ReadonlySignal<Fetched<WireKernels>>;
  group: ReadonlySignal<KernelGroup>;
  /** What the rows on screen are added up by: another than the group while that is not there yet. */
  rowsGroup: ReadonlySignal<KernelGroup>;
  text: ReadonlySignal<string>;
  order: ReadonlySignal<KernelOrder>;
  rows: ReadonlySignal<readonly WireKernel[]>;
  chosen: ReadonlySignal<WireKernel | null>;
  setGroup(group: KernelGroup): void;
  setText(text: string): void;
  sortBy(column: string): void;
  choose(row: WireKernel | null): void;
}

export function createKernels({ api, session, place }: App): KernelState {
  const field = (key: string) => computed(() => place.keys.value[key]);
  const [grouped, filter, sorted, named] = [field("group"), field("kernels"), field("kernelorder"), field("kernel")];
  const group = computed(() => kKernelGroups.find((known) => known === grouped.value) ?? "name");
  const shapeKey = field("shown");
  const shape = computed(() => kShapes.find((known) => known === shapeKey.value) ?? "table");
  const follow = <T>(of: Shape, path: () => string) =>
    followWish(
      computed(() => {
        const capture = session.capture.value;
        if (capture === null || !capture.has_profile || shape.value !== of) return null;
        return `${capture.revision} ${pathOfCapture(path(), capture.id)}`;
      }),
      (wish, abort) => api.getJson<T>(wish, abort),
      0,
    );
  const fetched = follow<WireKernels>("table", () => `/api/v1/kernels?group=${group.value}`);
  const rowsGroup = computed(() => groupOf(fetched.value.value?.wish) ?? group.value);
  const order = computed(() => parseOrder(sorted.value));
  const toggled = field("calltree");
  const toggledCalls = computed(() => new Set(toggled.value?.split(".")));
  const all = computed(() => fetched.value.value?.data.rows ?? []);
  const rows = computed(() => arrangeKernels(all.value, rowsGroup.value, filter.value ?? "", order.value));
  return {
    shape,
    setShape: (next) => place.adjust({ shown: next === "table" ? null : next }),
    tree: follow("tree", () => "/api/v1/call-tree"),
    toggledCalls,
    toggleCall(key) {
      const next = new Set(toggledCalls.peek());
      if (!next.delete(key)) next.add(key);
      place.adjust({ calltree: next.size === 0 ? null : [...next].join(".") });
    },
    call: field("callrow"),
    chooseCall: (key) => place.adjust({ callrow: key }),
    collectives: follow("collectives", () => "/api/v1/collectives"),
    sequences: follow("sequences", () => "/api/v1/kernel-sequences"),
    fetched,
    group,
    rowsGroup,
    text: computed(() => filter.value ?? ""),
    order,
    rows,
    chosen: computed(() => all.value.find((row) => keyOfKernel(row, rowsGroup.value) === named.value) ?? null),
    setGroup: (next) => place.adjust({ group: next === "name" ? null : next, kernel: null }),
    setText: (next) => place.adjust({ kernels: next === "" ? null : next }),
    sortBy(column) {
      const { column: now, descending } = order.peek();
      const isDown = column === now ? !descending : column !== "name" && column !== "device";
      place.adjust({ kernelorder: `${isDown ? "-" : ""}${column}` });
    },
    choose: (row) => place.adjust({ kernel: row === null ? null : keyOfKernel(row, rowsGroup.peek()) }),
  };
}

/** What the answer to a wish for the table is added up by. */
export function groupOf(wish: string | undefined): KernelGroup | undefined {
  const asked = new URLSearchParams(wish?.slice(wish.indexOf("?") + 1)).get("group");
  return kKernelGroups.find((known) => known === asked);
}

/** What the URL knows a row by. */
export function keyOfKernel(row: WireKernel, group: KernelGroup): string {
  return `${nameDevice(row)}|${row.class ?? ""}|${nameKernel(row, group)}`;
}

function parseOrder(text: string | undefined): KernelOrder {
  if (text === undefined || text === "" || text === "-") return { column: "total_ns", descending: true };
  return text.startsWith("-") ? { column: text.slice(1), descending: true } : { column: text, descending: false };
}

/** Rows that hold all words of the filter, sorted; rows without a figure come last. */
export function arrangeKernels(
  rows: readonly WireKernel[],
  group: KernelGroup,
  filter: string,
  { column, descending }: KernelOrder,
): WireKernel[] {
  const isKept = wordFilter(filter);
  const kept = rows.filter((row) => isKept(`${nameKernel(row, group)} ${nameDevice(row)}`));
  const sign = descending ? -1 : 1;
  if (column === "name" || column === "device") {
    const label = (row: WireKernel) => (column === "name" ? nameKernel(row, group) : nameDevice(row));
    return kept.sort((a, b) => sign * label(a).localeCompare(label(b), "en", { numeric: true }));
  }
  const figure = (row: WireKernel) => {
    const value = row[column as keyof WireKernel];
    return typeof value === "number" ? value : null;
  };
  return kept.sort((a, b) => {
    const [x, y] = [figure(a), figure(b)];
    if (x === null || y === null) return Number(x === null) - Number(y === null);
    return sign * (x - y);
  });
}
