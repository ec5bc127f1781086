// The values of the capture on screen, and the one that is chosen with a slice of it, both in the URL.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture } from "../../lib/api";
import { linkToNodes } from "../../lib/links";
import type { App } from "../../state/app";
import { followWish, type Fetched } from "../../state/fetched";
import type { WireTensor, WireValue, WireValues } from "./wire";

export interface ValueState {
  list: ReadonlySignal<Fetched<WireValues>>;
  tensor: ReadonlySignal<Fetched<WireTensor>>;
  /** Its place in the list, or -1. */
  chosen: ReadonlySignal<number>;
  slice: ReadonlySignal<number>;
  choose(value: number): void;
  chooseSlice(slice: number): void;
  /** "native_call_mean.out 4", "output 0". */
  nameOf(value: WireValue): string;
  goToGraph(node: string): void;
}

const kNumber = /^\d{1,9}$/;

export function createValues({ api, session, place }: App): ValueState {
  const number = (text: string | undefined) => (text !== undefined && kNumber.test(text) ? Number(text) : 0);
  const mark = (path: string) => {
    const capture = session.capture.value;
    return capture?.tells_values !== true ? null : `${capture.revision} ${pathOfCapture(path, capture.id)}`;
  };
  const list = followWish(
    computed(() => mark("/api/v1/values")),
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
    return value?.has_data !== true ? null : mark(`/api/v1/values/${chosen.value}?slice=${slice.value}`);
  });
  return {
    list,
    tensor: followWish(wish, (path, abort) => api.getJson<WireTensor>(path, abort)),
    chosen,
    slice,
    choose: (value) => place.adjust({ value: String(value), slice: null }),
    chooseSlice: (next) => place.adjust({ slice: next === 0 ? null : String(next) }),
    nameOf: ({ event, instruction, argument }) =>
      instruction === null ? `${event} ${argument}` : `${event} · instruction ${instruction} · value ${argument}`,
    goToGraph: (node) => place.follow(linkToNodes(node)),
  };
}
