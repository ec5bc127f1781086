// The scope (lib/scope.ts) that is chosen, as the URL has it: every view's figures are of it.
import { computed, type ReadonlySignal } from "@preact/signals";
import { formatScope, kNoScope, lastPart, listParts, parseScope, queryOfScope, sayScope } from "../lib/scope";
import type { Scope, ScopePart } from "../lib/scope";
import type { PlaceState } from "./place";

export interface ScopeState {
  now: ReadonlySignal<Scope>;
  /** The parts that are chosen, in the order of the chips. */
  parts: ReadonlySignal<readonly ScopePart[]>;
  /** The server's parameters: "&step=12&rank=3", "" for all. */
  query: ReadonlySignal<string>;
  /** "step 12, rank 3"; "" for all. For the names of files, and for labels. */
  text: ReadonlySignal<string>;
  /** Chooses parts; those that are not named stay. */
  set(change: Partial<Scope>): void;
  clear(): void;
  /** Takes the part away that was chosen last; false where there is none. */
  dropLast(): boolean;
}

export function createScope(place: PlaceState): ScopeState {
  const keys = computed(() => JSON.stringify(formatScope(parseScope(place.keys.value))));
  // A new object only when a part changes: the camera changes the place's keys at every frame.
  const now = computed(() => {
    void keys.value;
    return parseScope(place.keys.peek());
  });
  const set = (change: Partial<Scope>) => place.adjust(formatScope(change));
  return {
    now,
    parts: computed(() => listParts(now.value)),
    query: computed(() => queryOfScope(now.value)),
    text: computed(() => sayScope(now.value)),
    set,
    clear: () => set(kNoScope),
    dropLast() {
      const part = lastPart(now.peek(), place.keys.peek());
      if (part === null) return false;
      set({ [part]: null });
      return true;
    },
  };
}
