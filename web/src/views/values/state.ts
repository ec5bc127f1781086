// The values of the capture on screen, and the one that is chosen with a slice of it, both in the URL.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture } from "../../lib/api";
import type { CaptureInfo } from "../../lib/wire";
import { linkToNodes } from "../../lib/links";
import type { App } from "../../state/app";
import { followWish, type Fetched } from "../../state/fetched";
import { createList, type List } from "../parts/list-view/list";
import { gapColumns, loggedColumns } from "./columns";
import type { WireGap, WireTensor, WireValue, WireValues } from "./wire";

export interface ValueState {
  list: ReadonlySignal<Fetched<WireValues>>;
  loggedList: List<WireValue>;
  gapList: List<WireGap>;
  tensor: ReadonlySignal<Fetched<WireTensor>>;
  /** Its place in the list, or -1. */
  chosen: ReadonlySignal<number>;
  slice: ReadonlySignal<number>;
  /** The iteration of each block that is shown, from 0. */
  iteration: ReadonlySignal<number>;
  shown: ReadonlySignal<CaptureInfo | null>;
  /** Captures of the same format, whose values these can be compared with. */
  others: ReadonlySignal<readonly CaptureInfo[]>;
  /** The one that is compared with, this one itself for its first iteration; null: the reference. */
  against: ReadonlySignal<CaptureInfo | null>;
  choose(value: number): void;
  chooseSlice(slice: number): void;
  chooseIteration(iteration: number): void;
  /** By name; "": the reference. */
  compareWith(name: string): void;
  /** "native_call_mean.out 4", "output 0". */
  nameOf(value: WireValue): string;
  goToGraph(node: string): void;
}

const kNumber = /^\d{1,9}$/;

export function createValues({ api, session, place }: App): ValueState {
  const number = (text: string | undefined) => (text !== undefined && kNumber.test(text) ? Number(text) : 0);
  const iteration = computed(() => number(place.key("iteration").value));
  const others = computed(() => {
    const shown = session.capture.value;
    const all = session.info.value?.captures ?? [];
    return all.filter(({ id, tells_values, format }) => tells_values && id !== shown?.id && format === shown?.format);
  });
  const against = computed(() => {
    const wanted = place.key("valuesof").value;
    const shown = session.capture.value;
    if (wanted === undefined || shown === null) return null;
    if (wanted === shown.name) return shown;
    return others.value.find(({ name }) => name === wanted) ?? null;
  });
  const mark = (path: string) => {
    const capture = session.capture.value;
    if (capture?.tells_values !== true) return null;
    return `${capture.revision}.${against.value?.revision ?? ""} ${pathOfCapture(path, capture.id)}`;
  };
  // The iteration, and the capture that is compared with, in the form that both paths end in.
  const which = computed(() => {
    const parts: string[] = [];
    if (iteration.value > 0) parts.push(`iteration=${iteration.value}`);
    if (against.value !== null) parts.push(`against=${encodeURIComponent(against.value.id)}`);
    return parts.join("&");
  });
  const list = followWish(
    computed(() => mark(which.value === "" ? "/api/v1/values" : `/api/v1/values?${which.value}`)),
    (path, abort) => api.getJson<WireValues>(path, abort),
  );
  const known = computed(() => list.value.value?.data.values ?? []);
  const chosen = computed(() => {
    const at = number(place.key("value").value);
    return at < known.value.length ? at : -1;
  });
  const slice = computed(() => number(place.key("slice").value));
  const wish = computed(() => {
    const value = known.value[chosen.value];
    const path = `/api/v1/values/${chosen.value}?slice=${slice.value}&iteration=${iteration.value}`;
    return value?.has_data !== true ? null : mark(path);
  });
  const data = computed(() => list.value.value?.data);
  return {
    list,
    loggedList: createList<WireValue>(place, {
      rows: () => known.value,
      columns: () => (data.value === undefined ? [] : loggedColumns(data.value)),
      keyOf: (_, at) => at,
      keys: { chosen: "value" },
    }),
    gapList: createList<WireGap>(place, {
      rows: () => data.value?.gaps ?? [],
      columns: () => (data.value === undefined ? [] : gapColumns(data.value)),
      keyOf: (_, at) => at,
      keys: {},
    }),
    tensor: followWish(wish, (path, abort) => api.getJson<WireTensor>(path, abort)),
    chosen,
    slice,
    iteration,
    shown: session.capture,
    others,
    against,
    chooseIteration: (next) => place.adjust({ iteration: next === 0 ? null : String(next) }),
    compareWith: (name) => place.adjust({ valuesof: name === "" ? null : name }),
    choose: (value) => place.adjust({ value: String(value), slice: null }),
    chooseSlice: (next) => place.adjust({ slice: next === 0 ? null : String(next) }),
    nameOf: ({ event, instruction, argument }) =>
      instruction === null ? `${event} ${argument}` : `${event} · instruction ${instruction} · value ${argument}`,
    goToGraph: (node) => place.follow(linkToNodes(node)),
  };
}
