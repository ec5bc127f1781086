// The kernels of the capture on screen: grouped, filtered, sorted, one chosen, all as the URL says.
import { computed, type ReadonlySignal } from "@preact/signals";
import {
  kKernelGroups,
  nameDevice,
  nameKernel,
  type KernelGroup,
  type WireKernel,
  type WireKernels,
} from "../../lib/devices";
import type { App } from "../../state/app";
import { followScoped } from "../../state/asked";
import type { Fetched } from "../../state/fetched";
import type { PlaceState } from "../../state/place";
import { createList, type List } from "../parts/list-view/list";
import { kernelColumns } from "./columns";

export interface KernelState {
  fetched: ReadonlySignal<Fetched<WireKernels>>;
  group: ReadonlySignal<KernelGroup>;
  /** The group that the rows on screen are added up by: the one before while the new one is not there yet. */
  rowsGroup: ReadonlySignal<KernelGroup>;
  list: List<WireKernel>;
  setGroup(group: KernelGroup): void;
}

export function createKernels(app: App, isShown: ReadonlySignal<boolean>): KernelState {
  const { place } = app;
  const grouped = place.key("group");
  const group = computed(() => kKernelGroups.find((known) => known === grouped.value) ?? "name");
  const fetched = followScoped<WireKernels>(app, isShown, () => `/api/v1/kernels?group=${group.value}`);
  const rowsGroup = computed(() => groupOf(fetched.value.value?.wish) ?? group.value);
  return {
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
