// What is fetched for the match on screen and nothing else: its diff and rule text, the printed graph, the program's
// source. Fetched once the state has stood still for a moment; a newer wish gives up the one before.
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../lib/api";
import { Kept } from "../lib/kept";
import type { Problem, Result } from "../lib/result";
import type { WireMatch, WireProgram } from "../lib/wire";
import type { RewritesState } from "./rewrites";
import type { SessionState } from "./session";
import type { StepStream } from "./step-stream";

/** What was fetched last, and for which wish; while that differs from the wish now, the old stays on screen, dimmed. */
export interface Fetched<T> {
  wish: string | null;
  value: { wish: string; data: T } | null;
  problem: Problem | null;
}

export interface MatchDetail {
  match: ReadonlySignal<Fetched<WireMatch>>;
  text: ReadonlySignal<Fetched<string>>;
  program: ReadonlySignal<Fetched<WireProgram>>;
  /** Texts are large: fetched only while something shows them. Returns what ends that. */
  wantText(): () => void;
  wantProgram(): () => void;
}

const kStandStill_ms = 60;
const kKept = 32;

export function createMatchDetail(
  api: Api,
  session: SessionState,
  rewrites: RewritesState,
  stream: StepStream,
): MatchDetail {
  const textWanted = signal(0);
  const programWanted = signal(0);

  // Paths carry the revision as a mark of their own, so that a reload asks again.
  const place = computed(() => {
    const contexts = session.contexts.value;
    const c = rewrites.context.value;
    const s = rewrites.step.value;
    return contexts === null || c === null || s === null
      ? null
      : { id: contexts.capture, revision: contexts.revision, c, s };
  });
  const wish = (path: string) =>
    place.value === null ? null : `${place.value.revision} ${pathOfCapture(path, place.value.id)}`;

  const matchWish = computed(() => {
    const state = stream.state.value;
    return place.value === null || state === 0
      ? null
      : wish(`/api/v1/match/${place.value.c}/${place.value.s}/${state}`);
  });
  const textWish = computed(() => {
    const shown = textWanted.value > 0 && place.value !== null && stream.loaded.value !== null;
    return shown ? wish(`/api/v1/text/${place.value!.c}/${place.value!.s}/${stream.state.value}`) : null;
  });
  const programWish = computed(() => {
    const c = place.value?.c;
    const has = c !== undefined && session.contexts.value?.contexts[c]?.program === true;
    return programWanted.value > 0 && has ? wish(`/api/v1/program/${c}`) : null;
  });

  return {
    match: followWish(matchWish, (path, abort) => api.getJson<WireMatch>(path, abort)),
    text: followWish(textWish, (path, abort) => api.getText(path, abort)),
    program: followWish(programWish, (path, abort) => api.getJson<WireProgram>(path, abort)),
    wantText: () => count(textWanted),
    wantProgram: () => count(programWanted),
  };
}

function count(wanted: { value: number; peek(): number }): () => void {
  wanted.value = wanted.peek() + 1;
  return () => (wanted.value = wanted.peek() - 1);
}

function followWish<T>(
  wish: ReadonlySignal<string | null>,
  get: (path: string, abort: AbortSignal) => Promise<Result<T>>,
): ReadonlySignal<Fetched<T>> {
  const fetched = signal<Fetched<T>>({ wish: null, value: null, problem: null });
  const kept = new Kept<T>(kKept);

  effect(() => {
    const key = wish.value;
    const before = fetched.peek();
    if (key === null) {
      fetched.value = { wish: null, value: null, problem: null };
      return;
    }
    const known = kept.get(key);
    if (known !== undefined) {
      fetched.value = { wish: key, value: { wish: key, data: known }, problem: null };
      return;
    }
    fetched.value = { wish: key, value: before.value, problem: null };
    const abort = new AbortController();
    const timer = setTimeout(() => {
      void get(key.slice(key.indexOf(" ") + 1), abort.signal).then((answer) => {
        if (abort.signal.aborted) return;
        if (answer.ok) kept.put(key, answer.value);
        fetched.value = answer.ok
          ? { wish: key, value: { wish: key, data: answer.value }, problem: null }
          : { wish: key, value: null, problem: answer.error };
      });
    }, kStandStill_ms);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  });
  return fetched;
}
