// Fetches the timeline of the capture on screen once somebody wants it, and again after each reload; while that runs, the
// old one stays. A small profile comes as a whole, a large one tile by tile. While the capture is being read for the first
// time, tells how far that is, and shows what there is of a large one.
import { computed, effect, signal, untracked, type Signal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../../lib/api";
import { readProfile } from "../../../lib/timeline/lanes";
import type { Problem } from "../../../lib/result";
import type { TimelineSource } from "../../../lib/timeline/source";
import { createWholeSource } from "../../../lib/timeline/whole-source";
import type { WireLaneInfo, WireLanes, WireProfile } from "../../../lib/wire";
import { fetchLanes, type Opening } from "../../../state/opening";
import type { SessionState } from "../../../state/session";
import { createTiledSource } from "./tiled-source";

export interface ProfileTaker {
  /** The capture on screen is another one. */
  clear(): void;
  wait(opening: Opening): void;
  fail(problem: Problem): void;
  take(source: TimelineSource): void;
  /** Events up to which a profile comes as a whole. */
  mostWhole(): number;
}

/** Whether /api/v1/profile tells all there is: it has no flows, counters, arguments, parents and addresses. */
function fitsWhole({ flows, lanes = [] }: WireLanes): boolean {
  const isPlain = ({ counters = [], arguments: args = [], parent = -1, memory, hz }: WireLaneInfo) =>
    counters.length === 0 && args.length === 0 && parent < 0 && hz == null && memory?.addressed !== true;
  return flows === 0 && lanes.every(isPlain);
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
      taker.take(createTiledSource(api, beginning, (error) => taker.fail(error)));
    });
    if (lanesAnswer === null) return;
    if (!lanesAnswer.ok) return taker.fail(lanesAnswer.error);
    const lanes = lanesAnswer.value;
    if (lanes.events > taker.mostWhole() || !fitsWhole(lanes))
      return taker.take(createTiledSource(api, lanes, (error) => taker.fail(error)));
    const answer = await api.getJson<WireProfile>(pathOfCapture("/api/v1/profile", id), abort);
    if (abort.aborted) return;
    if (answer.ok) taker.take(createWholeSource(readProfile(answer.value)));
    else taker.fail(answer.error);
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
