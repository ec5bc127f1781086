// The pass on screen, as it streams in. A new pass's stream replaces the last one's; after a reload of the capture the
// old graph stays up until the new one has reached the match on screen, so that nothing blinks. The last few passes are
// kept whole: going back to one asks nothing.
import { batch, computed, effect, signal, untracked, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../../lib/api";
import { Kept } from "../../../lib/kept";
import { takePassEvent, type LoadedPass } from "../../../lib/graph/loaded-pass";
import type { Problem } from "../../../lib/result";
import { readEvents } from "../../../lib/sse";
import { findNewLabels, findSameNode } from "../../../lib/graph/pass-changes";
import type { WireProgress } from "../../../lib/graph/wire";
import type { ChosenState } from "../../../state/chosen";
import type { SessionState } from "../../../state/session";
import type { SpotState } from "./spot";

export interface PassStream {
  loaded: ReadonlySignal<LoadedPass | null>;
  progress: ReadonlySignal<WireProgress | null>;
  problem: ReadonlySignal<Problem | null>;
  /** Whether a stream is under way. */
  streaming: ReadonlySignal<boolean>;
  /** The state on screen: the place's match, as far as it is known. */
  state: ReadonlySignal<number>;
  /** What the last reload changed in the graph on screen, and when it came. */
  flash: ReadonlySignal<Flash | null>;
  /** Passes are asked for only while something shows them. Returns what ends that; what was loaded stays. */
  want(): () => void;
  /** Asks for the pass again, after a problem. */
  retry(): void;
}

export interface Flash {
  nodes: ReadonlySet<number>;
  since_ms: number;
}

const kBrokeOff: Problem = { kind: "offline", message: "The stream of this pass broke off before its end." };
const kKeptPasses = 6;
/** Who runs through the list with a held key wants none of the passes in between. */
const kRush_ms = 150;
const kWait_ms = 80;

export function createPassStream(api: Api, session: SessionState, spot: SpotState, chosen: ChosenState): PassStream {
  const loaded = signal<LoadedPass | null>(null);
  const progress = signal<WireProgress | null>(null);
  const problem = signal<Problem | null>(null);
  const streaming = signal(false);
  const flash = signal<Flash | null>(null);
  const attempt = signal(0);
  const viewers = signal(0);
  const kept = new Kept<LoadedPass>(kKeptPasses);
  let askedAt_ms = 0;

  const state = computed(() => {
    const known = loaded.value?.model.knownStates ?? 1;
    return Math.min(spot.match.value, known - 1);
  });
  // One line of text, so that equal wishes are one wish.
  const wanted = computed(() => {
    const contexts = session.contexts.value;
    const c = chosen.context.value;
    const s = chosen.pass.value;
    if (contexts === null || c === null || s === null) return null;
    return `${contexts.capture} ${contexts.revision} ${c} ${s} ${attempt.value}`;
  });
  const isShown = computed(() => viewers.value > 0);
  effect(() => {
    if (!isShown.value) return;
    const wish = wanted.value;
    return untracked(() => (wish === null ? clear() : ask(wish)));
  });

  function clear(): undefined {
    batch(() => {
      loaded.value = null;
      problem.value = null;
      progress.value = null;
      streaming.value = false;
    });
  }

  /** Returns what gives it up. */
  function ask(wish: string): () => void {
    const [id, revision, c, s] = wish.split(" ") as [string, string, string, string];
    const abort = new AbortController();
    const known = kept.get(wish);
    batch(() => {
      problem.value = null;
      progress.value = null;
      streaming.value = known === undefined;
      if (known !== undefined) show(known);
    });
    if (known !== undefined) return () => {};
    const now_ms = performance.now();
    const wait_ms = now_ms - askedAt_ms < kRush_ms ? kWait_ms : 0;
    askedAt_ms = now_ms;
    const start = async () => {
      const key = `${id} ${c} ${s}`;
      try {
        const whole = await follow(
          key,
          pathOfCapture(`/api/v1/rewrites/${c}/${s}`, id),
          Number(revision),
          abort.signal,
        );
        if (whole !== null) kept.put(wish, whole);
      } catch (error) {
        if (!abort.signal.aborted) fail(key, { ...kBrokeOff, where: String(error) });
      }
      if (!abort.signal.aborted) streaming.value = false;
    };
    const timer = setTimeout(() => void start(), wait_ms);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }

  /** Shows a stream's events as they come. Returns the pass once it is whole. */
  async function follow(key: string, path: string, revision: number, abort: AbortSignal): Promise<LoadedPass | null> {
    const body = await api.openStream(path, abort);
    if (!body.ok) return fail(key, body.error);
    let pass: LoadedPass | null = null;
    for await (const event of readEvents(body.value)) {
      if (abort.aborted) return null;
      if (event.name === "progress") progress.value = JSON.parse(event.data) as WireProgress;
      if (event.name === "error") return fail(key, JSON.parse(event.data) as Problem);
      pass = takePassEvent(pass, event, key, revision);
      if (pass !== null) show(pass);
    }
    return pass?.done === true || abort.aborted ? pass : fail(key, kBrokeOff);
  }

  function show(pass: LoadedPass): void {
    const old = loaded.value;
    if (old === null || old.key !== pass.key || old.revision === pass.revision) {
      loaded.value = pass;
    } else if (pass.done || pass.model.knownStates > spot.match.peek()) {
      batch(() => takeOver(old, pass));
    }
  }

  /** Another revision of the pass on screen: tells what it changed, and goes on with the node that was selected. */
  function takeOver(old: LoadedPass, pass: LoadedPass): void {
    const before = state.value;
    loaded.value = pass;
    const nodes = findNewLabels(old.model, before, pass.model, state.value);
    if (nodes.size > 0) flash.value = { nodes, since_ms: performance.now() };
    const node = spot.node.peek();
    if (node !== null) spot.select(findSameNode(old.model, before, node, pass.model, state.value));
  }

  function fail(key: string, error: Problem): null {
    if (error.kind === "aborted") return null;
    batch(() => {
      problem.value = error;
      if (loaded.value?.key !== key) loaded.value = null;
    });
    return null;
  }

  function want(): () => void {
    viewers.value++;
    return () => {
      viewers.value--;
    };
  }

  return { loaded, progress, problem, streaming, state, flash, want, retry: () => attempt.value++ };
}
