// Fetches the timeline of the capture on screen once somebody wants it, and again after each reload; while that runs, the
// old one stays. While the capture is being read for the first time, tells how far that is, and shows what there is of a
// large one.
import { computed, effect, signal, untracked, type Signal } from "@preact/signals";
import type { Api } from "../../../lib/api";
import type { Problem } from "../../../lib/result";
import type { TimelineSource } from "../../../lib/timeline/source";
import { fetchLanes, type Opening } from "../../../state/opening";
import type { SessionState } from "../../../state/session";
import { createTimelineSource } from "./source";

export interface ProfileTaker {
  /** The capture on screen is another one. */
  clear(): void;
  wait(opening: Opening): void;
  fail(problem: Problem): void;
  take(source: TimelineSource): void;
}

/** Set the signal returned to want it. */
export function fetchProfile(api: Api, session: SessionState, taker: ProfileTaker): Signal<boolean> {
  const wanted = signal(false);
  let shownCapture: string | null = null;
  let shownBeginning: string | null = null;
  const source = computed(() => {
    const capture = session.capture.value;
    return wanted.value && capture?.has_profile ? `${capture.id} ${capture.revision}` : null;
  });

  async function fetchSource(id: string, abort: AbortSignal): Promise<void> {
    const lanesAnswer = await fetchLanes(api, id, abort, (opening, beginning) => {
      taker.wait(opening);
      if (beginning === null || beginning.key === shownBeginning) return;
      shownBeginning = beginning.key;
      taker.take(createTimelineSource(api, beginning, (error) => taker.fail(error)));
    });
    if (lanesAnswer === null) return;
    if (!lanesAnswer.ok) return taker.fail(lanesAnswer.error);
    taker.take(createTimelineSource(api, lanesAnswer.value, (error) => taker.fail(error)));
  }

  effect(() => {
    if (source.value === null) return;
    const { id } = untracked(() => session.capture.value!);
    if (shownCapture !== id) taker.clear();
    shownCapture = id;
    const abort = new AbortController();
    void untracked(() => fetchSource(id, abort.signal));
    return () => abort.abort();
  });
  return wanted;
}
