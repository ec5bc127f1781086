// Where the user is (lib/place.ts), kept equal to the URL's fragment. Large moves (another pass) make a history entry,
// so that back works; small ones (the next match, the camera) replace the last entry once they have come to rest:
// browsers take ten milliseconds for it, and refuse it when it comes too often.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { changeRest, formatPlace, parsePlace, type Place } from "../lib/place";

export interface PlaceState {
  current: ReadonlySignal<Place>;
  /** Each part by itself: who reads one is not told when others change, as the camera does at every frame. */
  part: { readonly [K in keyof Place]: ReadonlySignal<Place[K]> };
  /** A move that the back button undoes. */
  go(change: Partial<Place>): void;
  /** A small move: no history entry of its own. */
  adjust(change: Partial<Place>): void;
  /** Sets keys of the rest, and takes away those that are null: a small move. */
  adjustRest(change: Readonly<Record<string, string | null>>): void;
  /** Counts places that came from outside: back, forward, a pasted link. Views follow the camera of those only. */
  arrivals: ReadonlySignal<number>;
}

const kStandStill_ms = 250;
/** Moves within a view in such quick succession (a held arrow key) are one entry of the history. */
const kRush_ms = 300;

export function createPlace(window: Window): PlaceState {
  const { history, location } = window;
  const current = signal(parsePlace(location.hash));
  const arrivals = signal(0);
  let timer: number | null = null;
  let wentAt_ms = -kRush_ms;

  function write(): void {
    if (timer !== null) window.clearTimeout(timer);
    timer = null;
    const url = location.pathname + location.search + formatPlace(current.value);
    if (url !== location.pathname + location.search + location.hash) history.replaceState(null, "", url);
  }

  function arrive(): void {
    if (timer !== null) window.clearTimeout(timer);
    timer = null;
    const next = parsePlace(location.hash);
    if (formatPlace(next) === formatPlace(current.value)) return;
    current.value = next;
    arrivals.value++;
  }
  window.addEventListener("popstate", arrive);
  window.addEventListener("hashchange", arrive);
  window.addEventListener("pagehide", write);

  function adjust(change: Partial<Place>): void {
    current.value = { ...current.value, ...change };
    if (timer !== null) window.clearTimeout(timer);
    timer = window.setTimeout(write, kStandStill_ms);
  }

  return {
    current,
    part: {
      view: computed(() => current.value.view),
      capture: computed(() => current.value.capture),
      context: computed(() => current.value.context),
      pass: computed(() => current.value.pass),
      match: computed(() => current.value.match),
      node: computed(() => current.value.node),
      camera: computed(() => current.value.camera),
      rest: computed(() => current.value.rest),
    },
    arrivals,
    go(change) {
      write();
      const next = { ...current.value, ...change };
      const now_ms = performance.now();
      const isRush = now_ms - wentAt_ms < kRush_ms && next.view === current.value.view;
      wentAt_ms = now_ms;
      current.value = next;
      if (isRush) return write();
      const url = location.pathname + location.search + formatPlace(next);
      if (url !== location.pathname + location.search + location.hash) history.pushState(null, "", url);
    },
    adjust,
    adjustRest: (change) => adjust({ rest: changeRest(current.value.rest, change) }),
  };
}
