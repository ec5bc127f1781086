// Something asked of the server that follows a wish: once the wish has stood still for a moment, and given up when a
// newer one comes. The last few answers are kept: going back to one asks nothing.
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import { Kept } from "../lib/kept";
import type { Problem, Result } from "../lib/result";

/** The last answer and its wish; while that differs from the wish now, the old answer stays on screen, dimmed. */
export interface Fetched<T> {
  wish: string | null;
  value: { wish: string; data: T } | null;
  problem: Problem | null;
}

/** The answer to the wish, once it is there: never the one to an older wish. */
export function dataOf<T>({ wish, value }: Fetched<T>): T | undefined {
  return value !== null && value.wish === wish ? value.data : undefined;
}

/** The same with each answer read once: made into what the page works with. */
export function readFetched<T, U>(
  fetched: ReadonlySignal<Fetched<T>>,
  read: (data: T) => U,
): ReadonlySignal<Fetched<U>> {
  let last: { data: T; read: U } | null = null;
  return computed(() => {
    const { value, ...rest } = fetched.value;
    if (value === null) return { ...rest, value };
    if (last === null || last.data !== value.data) last = { data: value.data, read: read(value.data) };
    return { ...rest, value: { wish: value.wish, data: last.read } };
  });
}

const kStandStill_ms = 60;
const kKept = 32;

/**
 * A wish is a path of the server after a mark of its own (a revision), with a space between: equal wishes are one.
 * standStill_ms: 0 for what is clicked and not typed.
 */
export function followWish<T>(
  wish: ReadonlySignal<string | null>,
  get: (path: string, abort: AbortSignal) => Promise<Result<T>>,
  standStill_ms = kStandStill_ms,
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
    }, standStill_ms);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  });
  return fetched;
}
