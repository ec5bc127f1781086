// What the capture on screen tells nothing of, asked for once something on the page has nothing to show.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../lib/api";
import type { WireRecorded } from "../lib/nothing";
import { dataOf, followWish } from "./fetched";
import type { SessionState } from "./session";

export interface RecordedState {
  /** Null until it is known. */
  now: ReadonlySignal<WireRecorded | null>;
  /** From now on it is followed. */
  want(): void;
}

export function createRecorded(api: Api, session: SessionState): RecordedState {
  const isWanted = signal(false);
  const wish = computed(() => {
    const capture = session.capture.value;
    if (!isWanted.value || capture === null) return null;
    return `${capture.revision} ${pathOfCapture("/api/v1/recorded", capture.id)}`;
  });
  const fetched = followWish(wish, (path, abort) => api.getJson<WireRecorded>(path, abort), 0);
  return {
    now: computed(() => dataOf(fetched.value) ?? null),
    want: () => (isWanted.value = true),
  };
}
