// A capture that is being read for the first time: asks the server how far that is until there is something to show.
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../lib/api";
import { takeLoadingFiles } from "../lib/capture-files";
import { fail, type Result } from "../lib/result";
import type { CaptureInfo } from "../lib/wire";
import type { WireLanes } from "../lib/timeline/wire";

export interface Opening {
  what: string;
  unit: string;
  done: number;
  of: number | null;
  /** Names of the lanes known by now. */
  lanes: readonly string[];
}

const kAskAgain_ms = 500;
/** Where the lanes of a beginning are being made. */
const kAskSoon_ms = 100;

/**
 * The lanes once they are all there; until then tells how far the reading is, and what of the lanes can be shown
 * already. Null where it is given up.
 */
export async function fetchLanes(
  api: Api,
  capture: string,
  abort: AbortSignal,
  onOpening: (opening: Opening, beginning: WireLanes | null) => void,
): Promise<Result<WireLanes> | null> {
  for (;;) {
    const answer = await api.getJson<WireLanes>(pathOfCapture("/api/v1/lanes", capture), abort);
    if (abort.aborted) return null;
    if (!answer.ok || answer.value.status === "ready") return answer;
    if (answer.value.status === "none") return fail("not_found", "this capture has no profile");
    const { progress = { what: "reading", done: 0, of: null }, lanes = [], lanes_soon = false, key } = answer.value;
    const names = lanes.map(({ name }) => name);
    onOpening({ unit: "", ...progress, lanes: names }, key === undefined ? null : answer.value);
    await new Promise((resolve) => setTimeout(resolve, lanes_soon ? kAskSoon_ms : kAskAgain_ms));
    if (abort.aborted) return null;
  }
}

/** How far the capture on screen is read, while not all of it is there. */
export function watchOpening(api: Api, capture: ReadonlySignal<CaptureInfo | null>): ReadonlySignal<Opening | null> {
  const opening = signal<Opening | null>(null);
  const unread = computed(() => {
    const info = capture.value;
    if (info === null) return null;
    const isUnread = !info.has_rewrites && !info.has_profile && takeLoadingFiles(info).length > 0;
    return isUnread || info.is_beginning ? info.id : null;
  });
  effect(() => {
    opening.value = null;
    if (unread.value === null) return;
    const abort = new AbortController();
    void fetchLanes(api, unread.value, abort.signal, (how) => (opening.value = how));
    return () => abort.abort();
  });
  return opening;
}
