// Signals that outlive the tab in localStorage: preferences, never data of a capture. Where storage is refused (a
// private window), they last as long as the tab.
import { effect, signal, type Signal } from "@preact/signals";

/** read turns what was stored (any JSON value, or undefined) into a value, so that old or broken entries do no harm. */
export function storedSignal<T>(key: string, read: (stored: unknown) => T): Signal<T> {
  const state = signal(read(load(key)));
  let first = true;
  effect(() => {
    const value = state.value;
    if (!first) save(key, value);
    first = false;
  });
  return state;
}

function load(key: string): unknown {
  try {
    return JSON.parse(localStorage.getItem(`vizd.${key}`) ?? "null") ?? undefined;
  } catch {
    return undefined;
  }
}

function save(key: string, value: unknown): void {
  try {
    localStorage.setItem(`vizd.${key}`, JSON.stringify(value));
  } catch {
    // Refused or full: the preference lasts as long as the tab.
  }
}
