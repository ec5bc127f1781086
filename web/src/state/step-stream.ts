// The step on screen, as it streams in. A new step's stream replaces the last one's; after a reload of the capture the
// old graph stays up until the new one has reached the match on screen, so that nothing blinks.
import { batch, computed, effect, signal, untracked, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../lib/api";
import { findNewLabels } from "../lib/step-changes";
import { takeStepEvent, type LoadedStep } from "../lib/loaded-step";
import type { Problem } from "../lib/result";
import { readEvents } from "../lib/sse";
import type { WireProgress } from "../lib/wire";
import type { PlaceState } from "./place";
import type { RewritesState } from "./rewrites";
import type { SessionState } from "./session";

export interface StepStream {
  loaded: ReadonlySignal<LoadedStep | null>;
  progress: ReadonlySignal<WireProgress | null>;
  problem: ReadonlySignal<Problem | null>;
  /** Whether a stream is under way. */
  streaming: ReadonlySignal<boolean>;
  /** The state on screen: the place's match, as far as it is known. */
  state: ReadonlySignal<number>;
  /** What the last reload changed in the graph on screen, and when it came. */
  flash: ReadonlySignal<Flash | null>;
  /** Asks for the step again, after a problem. */
  retry(): void;
}

export interface Flash {
  nodes: ReadonlySet<number>;
  since_ms: number;
}

const kBrokeOff: Problem = { kind: "offline", message: "The stream of this pass broke off before its end." };

export function createStepStream(
  api: Api,
  session: SessionState,
  place: PlaceState,
  rewrites: RewritesState,
): StepStream {
  const loaded = signal<LoadedStep | null>(null);
  const progress = signal<WireProgress | null>(null);
  const problem = signal<Problem | null>(null);
  const streaming = signal(false);
  const flash = signal<Flash | null>(null);
  const attempt = signal(0);

  async function follow(key: string, path: string, revision: number, abort: AbortSignal): Promise<void> {
    const body = await api.openStream(path, abort);
    if (!body.ok) return fail(key, body.error);
    let next: LoadedStep | null = null;
    for await (const event of readEvents(body.value)) {
      if (abort.aborted) return;
      if (event.name === "progress") progress.value = JSON.parse(event.data) as WireProgress;
      if (event.name === "error") return fail(key, JSON.parse(event.data) as Problem);
      next = takeStepEvent(next, event, key, revision);
      if (next !== null && mayShow(next)) show(next);
    }
    if (!abort.aborted && next?.done !== true) fail(key, kBrokeOff);
  }

  /** Another revision of the step on screen waits until it has reached the match on screen. */
  function mayShow(next: LoadedStep): boolean {
    const old = loaded.value;
    const isReload = old !== null && old.key === next.key && old.revision !== next.revision;
    return !isReload || next.done || next.model.knownStates > place.current.value.match;
  }

  function show(next: LoadedStep): void {
    const old = loaded.value;
    const isReload = old !== null && old.key === next.key && old.revision !== next.revision;
    loaded.value = next;
    if (!isReload) return;
    const nodes = findNewLabels(old.model, next.model, Math.min(place.current.value.match, next.model.knownStates - 1));
    if (nodes.size > 0) flash.value = { nodes, since_ms: performance.now() };
  }

  function fail(key: string, error: Problem): void {
    if (error.kind === "aborted") return;
    batch(() => {
      problem.value = error;
      if (loaded.value?.key !== key) loaded.value = null;
    });
  }

  const wanted = computed(() => {
    const contexts = session.contexts.value;
    const c = rewrites.context.value;
    const s = rewrites.step.value;
    if (contexts === null || c === null || s === null) return null;
    return `${contexts.capture} ${contexts.revision} ${c} ${s} ${attempt.value}`;
  });
  effect(() => {
    const request = wanted.value;
    if (request === null) {
      batch(() => {
        loaded.value = null;
        problem.value = null;
        progress.value = null;
        streaming.value = false;
      });
      return;
    }
    const [id, revision, c, s] = request.split(" ") as [string, string, string, string];
    const abort = new AbortController();
    batch(() => {
      problem.value = null;
      progress.value = null;
      streaming.value = true;
    });
    const path = pathOfCapture(`/api/v1/rewrites/${c}/${s}`, id);
    const key = `${id} ${c} ${s}`;
    untracked(() => follow(key, path, Number(revision), abort.signal))
      .catch((error: unknown) => {
        if (!abort.signal.aborted) fail(key, { ...kBrokeOff, where: String(error) });
      })
      .finally(() => {
        if (!abort.signal.aborted) streaming.value = false;
      });
    return () => abort.abort();
  });

  const state = computed(() => {
    const known = loaded.value?.model.knownStates ?? 1;
    return Math.min(place.current.value.match, known - 1);
  });
  return { loaded, progress, problem, streaming, state, flash, retry: () => attempt.value++ };
}
