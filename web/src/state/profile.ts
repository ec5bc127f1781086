// Fetches the profile of the capture on screen once somebody wants it, and again after each reload; while that runs, the
// old one stays.
import { computed, effect, signal, untracked, type Signal } from "@preact/signals";
import { pathOfCapture, type Api } from "../lib/api";
import { readProfile } from "../lib/lanes";
import type { Problem } from "../lib/result";
import type { TimelineSource } from "../lib/timeline-source";
import { createWholeSource } from "../lib/whole-source";
import type { WireProfile } from "../lib/wire";
import type { SessionState } from "./session";

export interface ProfileTaker {
  /** The capture on screen is another one. */
  clear(): void;
  fail(problem: Problem): void;
  take(source: TimelineSource): void;
}

/** Set the signal returned to want it. */
export function fetchProfile(api: Api, session: SessionState, taker: ProfileTaker): Signal<boolean> {
  const wanted = signal(false);
  let shownCapture: string | null = null;
  const source = computed(() => {
    const capture = session.capture.value;
    return wanted.value && capture?.has_profile ? `${capture.id} ${capture.revision}` : null;
  });
  effect(() => {
    if (source.value === null) return;
    const { id } = untracked(() => session.capture.value!);
    if (shownCapture !== id) taker.clear();
    shownCapture = id;
    const abort = new AbortController();
    void api.getJson<WireProfile>(pathOfCapture("/api/v1/profile", id), abort.signal).then((answer) => {
      if (abort.signal.aborted) return;
      if (answer.ok) taker.take(createWholeSource(readProfile(answer.value)));
      else taker.fail(answer.error);
    });
    return () => abort.abort();
  });
  return wanted;
}
