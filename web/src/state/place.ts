// Where the user is (lib/place.ts), kept equal to the URL's fragment. Large moves (another pass) make a history entry,
// so that back works; small ones (the next match, the camera) replace the last entry once they have come to rest:
// browsers take ten milliseconds for it, and refuse it when it comes too often.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import {
  changeKeys,
  formatPlace,
  keysThatEnd,
  parsePlace,
  viewOfKeys,
  type KeyChange,
  type Keys,
  type Link,
  type Place,
  type UrlKeys,
} from "../lib/place";
import { renewPlace } from "../lib/old-places";
import { formatScope, kNoScope } from "../lib/scope";

export interface PlaceState {
  /** As the URL names it, or as its keys imply; "" where neither says. */
  view: ReadonlySignal<string>;
  capture: ReadonlySignal<string | null>;
  keys: ReadonlySignal<Keys>;
  /** One key by itself: its readers are not told when others change, as the camera does at every frame. */
  key(name: string): ReadonlySignal<string | undefined>;
  /** Goes to a view as it was left: a move that the back button undoes. */
  goToView(id: string): void;
  /** Goes to another capture, likewise. */
  goToCapture(name: string): void;
  /** Goes where a link leads, likewise. What the keys of views meant that it leaves behind goes with it. */
  follow(link: Link): void;
  /** Goes to a whole place, as a link from elsewhere would. */
  goTo(next: Place): void;
  /** A small move: no history entry of its own. */
  adjust(change: KeyChange): void;
  /** Counts places that did not come from the view on screen: back, forward, a pasted link, a link of another view. */
  arrivals: ReadonlySignal<number>;
}

const kStandStill_ms = 250;
/** Moves within a view in such quick succession (a held arrow key) are one entry of the history. */
const kRush_ms = 300;

/** keysOf: the keys of each view, by its id. */
export function createPlace(window: Window, keysOf: ReadonlyMap<string, UrlKeys>): PlaceState {
  const { history, location } = window;
  const readUrl = () => renewPlace(parsePlace(location.hash));
  const current = signal(readUrl());
  const keys = computed(() => current.value.keys);
  const byName = new Map<string, ReadonlySignal<string | undefined>>();
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
    const next = readUrl();
    if (formatPlace(next) === formatPlace(current.value)) return;
    current.value = next;
    arrivals.value++;
  }
  window.addEventListener("popstate", arrive);
  window.addEventListener("hashchange", arrive);
  window.addEventListener("pagehide", write);

  function adjust(change: KeyChange): void {
    current.value = { ...current.value, keys: changeKeys(current.value.keys, change) };
    if (timer !== null) window.clearTimeout(timer);
    timer = window.setTimeout(write, kStandStill_ms);
  }

  function go(next: Place): void {
    write();
    const now_ms = performance.now();
    const isRush = now_ms - wentAt_ms < kRush_ms && next.view === current.value.view;
    wentAt_ms = now_ms;
    current.value = next;
    if (isRush) return write();
    const url = location.pathname + location.search + formatPlace(next);
    if (url !== location.pathname + location.search + location.hash) history.pushState(null, "", url);
  }

  function keysAfter(link: Link): Keys {
    return changeKeys(changeKeys(current.value.keys, keysThatEnd(link, keysOf)), link.keys);
  }
  // A context, a pass and a scope are of a capture.
  const kEnded = { context: null, pass: null, ...formatScope(kNoScope) };
  const intoCapture = ({ view, keys }: Link) => keysAfter({ view, keys: { ...kEnded, ...keys } });

  return {
    view: computed(() => current.value.view || viewOfKeys(current.value.keys, keysOf)),
    capture: computed(() => current.value.capture),
    keys,
    key(name) {
      let known = byName.get(name);
      if (known === undefined) byName.set(name, (known = computed(() => keys.value[name])));
      return known;
    },
    goToView: (view) => go({ ...current.value, view }),
    goToCapture(name) {
      const { view } = current.value;
      go({ view, capture: name, keys: intoCapture({ view: "", keys: {} }) });
    },
    follow(link) {
      const { view, capture = current.value.capture } = link;
      go({ view, capture, keys: link.capture === undefined ? keysAfter(link) : intoCapture(link) });
      arrivals.value++;
    },
    goTo(next) {
      go(renewPlace(next));
      arrivals.value++;
    },
    adjust,
    arrivals,
  };
}
