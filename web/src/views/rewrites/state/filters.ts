// Sets of what to leave out of graphs, kept under a name from one visit to the next.
import type { ReadonlySignal } from "@preact/signals";
import { storedSignal } from "../../../state/stored";

export interface SavedFilter {
  name: string;
  /** As the URL has it (lib/graph/arrangement.ts). */
  hide: string;
}

export interface FilterState {
  saved: ReadonlySignal<readonly SavedFilter[]>;
  /** Replaces one of the same name. */
  save(name: string, hide: string): void;
  forget(name: string): void;
}

const kMost = 50;

export function createFilters(): FilterState {
  const saved = storedSignal<readonly SavedFilter[]>("filters", readFilters);
  const without = (name: string) => saved.value.filter((filter) => filter.name !== name);
  return {
    saved,
    save: (name, hide) => (saved.value = [...without(name), { name, hide }].slice(-kMost)),
    forget: (name) => (saved.value = without(name)),
  };
}

function readFilters(stored: unknown): SavedFilter[] {
  if (!Array.isArray(stored)) return [];
  return (stored as Partial<SavedFilter>[]).flatMap((filter) => {
    const { name, hide } = filter ?? {};
    return typeof name === "string" && typeof hide === "string" ? [{ name, hide }] : [];
  });
}
