// The kernels of the capture on screen: grouped, filtered, sorted, one chosen, all as the URL says.
import { computed, signal, type ReadonlySignal, type Signal } from "@preact/signals";
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
import type { App } from "../../state/app";
import { followWish, type Fetched } from "../../state/fetched";
import type { PlaceState } from "../../state/place";
import { createList, type List } from "../parts/list-view/list";
import { collectiveColumns } from "./collective-columns";
import { kernelColumns } from "./columns";
import { sequenceColumns } from "./sequence-columns";

/** The views of the work: the table, the tree of calls that it came from, exchanges between ranks, sequences. */
export const kShapes = ["table", "tree", "collectives", "sequences"] as const;
export type Shape = (typeof kShapes)[number];

export interface KernelState {
  shape: ReadonlySignal<Shape>;
  setShape(shape: Shape): void;
  /** Asked for while the shape is on screen. */
  tree: ReadonlySignal<Fetched<{ nodes: WireCallNode[] }>>;
  /** Nodes of the tree by keysOfNodes: those that are not as at first, and the one that the cursor is on. */
  toggledCalls: ReadonlySignal<ReadonlySet<string>>;
  toggleCall(key: string): void;
  call: ReadonlySignal<string | undefined>;
  chooseCall(key: string): void;
  collectives: ReadonlySignal<Fetched<{ rows: WireCollective[] }>>;
  collectiveList: List<WireCollective>;
  sequences: ReadonlySignal<Fetched<{ rows: WireSequence[] }>>;
  sequenceList: List<WireSequence>;
  /** Whether only candidates for fusion are listed. */
  onlyCandidates: Signal<boolean>;
  fetched: ReadonlySignal<Fetched<WireKernels>>;
  group: ReadonlySignal<KernelGroup>;
  /** The group that the rows on screen are added up by: the one before while the new one is not there yet. */
  rowsGroup: ReadonlySignal<KernelGroup>;
  list: List<WireKernel>;
  setGroup(group: KernelGroup): void;
}

export function createKernels({ api, session, place }: App): KernelState {
  const [grouped, shapeKey, toggled] = [place.key("group"), place.key("shown"), place.key("calltree")];
  const group = computed(() => kKernelGroups.find((known) => known === grouped.value) ?? "name");
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
  const toggledCalls = computed(() => new Set(toggled.value?.split(".")));
  const collectives = follow<{ rows: WireCollective[] }>("collectives", () => "/api/v1/collectives");
  const sequences = follow<{ rows: WireSequence[] }>("sequences", () => "/api/v1/kernel-sequences");
  const onlyCandidates = signal(false);
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
    call: place.key("callrow"),
    chooseCall: (key) => place.adjust({ callrow: key }),
    collectives,
    collectiveList: listCollectives(place, collectives),
    sequences,
    sequenceList: listSequences(place, sequences, onlyCandidates),
    onlyCandidates,
    fetched,
    group,
    rowsGroup,
    list: listKernels(place, fetched, rowsGroup),
    setGroup: (next) => place.adjust({ group: next === "name" ? null : next, kernel: null }),
  };
}

function listKernels(
  place: PlaceState,
  fetched: ReadonlySignal<Fetched<WireKernels>>,
  group: ReadonlySignal<KernelGroup>,
): List<WireKernel> {
  const rows = computed(() => fetched.value.value?.data.rows ?? []);
  return createList<WireKernel>(place, {
    rows: () => rows.value,
    columns: () => kernelColumns(group.value, rows.value, fetched.value.value?.data.devices ?? []),
    keyOf: (row) => keyOfKernel(row, group.value),
    textOf: (row) => textOfKernel(row, group.value),
    keys: { text: "kernels", order: "kernelorder", chosen: "kernel" },
    firstOrder: { column: "total_ns", descending: true },
  });
}

function listCollectives(
  place: PlaceState,
  fetched: ReadonlySignal<Fetched<{ rows: WireCollective[] }>>,
): List<WireCollective> {
  const rows = computed(() => fetched.value.value?.data.rows ?? []);
  return createList<WireCollective>(place, {
    rows: () => rows.value,
    columns: () => collectiveColumns(rows.value, place),
    keyOf: (_, at) => at,
    keys: {},
  });
}

function listSequences(
  place: PlaceState,
  fetched: ReadonlySignal<Fetched<{ rows: WireSequence[] }>>,
  onlyCandidates: ReadonlySignal<boolean>,
): List<WireSequence> {
  return createList<WireSequence>(place, {
    rows: () => {
      const all = fetched.value.value?.data.rows ?? [];
      return onlyCandidates.value ? all.filter((row) => row.fusion_candidate) : all;
    },
    columns: () => sequenceColumns(place),
    keyOf: (row) => row.kernels.join("\n"),
    textOf: (row) => row.kernels.join("\n"),
    keys: { text: "kernels" },
  });
}

/** By what the answer to a wish for the table is added up. */
export function groupOf(wish: string | undefined): KernelGroup | undefined {
  const asked = new URLSearchParams(wish?.slice(wish.indexOf("?") + 1)).get("group");
  return kKernelGroups.find((known) => known === asked);
}

/** The text that a filter's words are looked for in. */
export const textOfKernel = (row: WireKernel, group: KernelGroup) => `${nameKernel(row, group)} ${nameDevice(row)}`;

/** The key of a row in the URL. */
export function keyOfKernel(row: WireKernel, group: KernelGroup): string {
  return `${nameDevice(row)}|${row.class ?? ""}|${nameKernel(row, group)}`;
}
