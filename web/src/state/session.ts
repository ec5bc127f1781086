// The captures that the server has open, the one that is shown, and its contexts. Loaded at start and again after each
// reload of a capture; while that runs, the old stays on screen. The event stream tells the number of each change: as
// long as what is here is older than the last one heard of, it is asked for again, whichever of the two came first.
import { computed, effect, signal, untracked, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../lib/api";
import { labelCaptures } from "../lib/capture-names";
import type { Problem } from "../lib/result";
import type { CaptureInfo, SessionInfo, WireContexts } from "../lib/wire";
import type { NoticeState } from "./notices";
import { watchOpening, type Opening } from "./opening";
import type { PlaceState } from "./place";

export interface SessionState {
  info: ReadonlySignal<SessionInfo | null>;
  problem: ReadonlySignal<Problem | null>;
  /** The capture on screen. */
  capture: ReadonlySignal<CaptureInfo | null>;
  /** How captures are called where several are listed, by id. */
  labels: ReadonlySignal<ReadonlyMap<string, string>>;
  /** How far that is read, while there is nothing to show of it. */
  opening: ReadonlySignal<Opening | null>;
  /** Contexts of the capture on screen; null until they are there, or where it has no rewrites. */
  contexts: ReadonlySignal<WireContexts | null>;
  /** Asks the server. Where an answer is on its way that may be too old, it is asked for again after that. */
  load(): Promise<void>;
  /** The server has come to the change of that number. */
  hear(change: number): void;
}

export function createSession(api: Api, place: PlaceState, notices: NoticeState): SessionState {
  const info = signal<SessionInfo | null>(null);
  const problem = signal<Problem | null>(null);
  const contexts = signal<WireContexts | null>(null);
  const capture = computed(() => {
    const captures = info.value?.captures ?? [];
    return captures.find((c) => c.name === place.capture.value) ?? captures[0] ?? null;
  });

  let heard = 0;
  let loading: Promise<void> | null = null;
  let isAskedAgain = false;
  const isBehind = () => (info.peek()?.change ?? -1) < heard;

  async function ask(): Promise<void> {
    const answer = await api.getJson<SessionInfo>("/api/v1/session");
    problem.value = answer.ok ? null : answer.error;
    if (answer.ok) info.value = answer.value;
  }

  // One request at a time: of two, the older answer could come last.
  async function askUntilThere(): Promise<void> {
    do {
      isAskedAgain = false;
      await ask();
    } while (isAskedAgain || (problem.peek() === null && isBehind()));
    loading = null;
  }

  function load(): Promise<void> {
    isAskedAgain = true;
    return (loading ??= askUntilThere());
  }

  function hear(change: number): void {
    heard = change;
    // An answer on its way is looked at when it is there.
    if (loading === null && (isBehind() || problem.peek() !== null)) void load();
  }

  // The contexts follow the capture and its revision. A capture that is read for the first time shows none of
  // another's.
  const wanted = computed(() => {
    const c = capture.value;
    return c === null || (!c.has_rewrites && !(c.programs > 0)) ? null : `${c.id} ${c.revision}`;
  });
  effect(() => {
    if (wanted.value === null) {
      contexts.value = null;
      return;
    }
    const { id, revision } = untracked(() => capture.value!);
    const given = untracked(() => info.value?.contexts);
    if (given?.capture === id && given.revision === revision) {
      contexts.value = given;
      return;
    }
    if (untracked(() => contexts.value)?.capture !== id) contexts.value = null;
    const abort = new AbortController();
    void api.getJson<WireContexts>(pathOfCapture("/api/v1/contexts", id), abort.signal).then((answer) => {
      if (abort.signal.aborted) return;
      if (answer.ok) {
        contexts.value = answer.value;
        notices.clear("contexts");
      } else {
        notices.show("contexts", answer.error);
      }
    });
    return () => abort.abort();
  });

  const labels = computed(() => labelCaptures(info.value?.captures ?? []));

  return { info, problem, capture, labels, opening: watchOpening(api, capture), contexts, load, hear };
}
