// How the lanes are arranged (lib/timeline/lanes-arrange.ts): what the URL says, else as they were left at the last
// visit to a capture of this name.
import { effect, signal, untracked, type ReadonlySignal } from "@preact/signals";
import {
  formatArrangement,
  isAskedFor,
  kArrangementKeys,
  kAsCaptured,
  moveBefore,
  parseArrangement,
  toggleFolded,
  toggleKey,
  togglePinned,
  type Arranged,
  type Arrangement,
} from "../../../lib/timeline/lanes-arrange";
import { storedSignal } from "../../../state/stored";

export interface LaneArrangement {
  now: ReadonlySignal<Arrangement>;
  /** From a place's fields. */
  look(fields: Readonly<Record<string, string>>): void;
  /** Small memory or large, and so of counters. */
  turn(key: string): void;
  pin(key: string): void;
  hide(key: string): void;
  /** A track, by its path: shows a summary in place of it and what stands under it, or all again. */
  fold(path: string): void;
  foldAll(paths: readonly string[], isFolded: boolean): void;
  moveBefore(keys: readonly string[], key: string, before: string | null): void;
  showOnly(text: string): void;
  /** Undoes what keeps a box from being seen. */
  uncover(box: Arranged): void;
  reset(): void;
}

type Remembered = Readonly<Record<string, Record<string, string>>>;

const kMostRemembered = 30;

/** captureName, and foldedAtFirst (the tracks that are while nobody has folded any), are read when something changes. */
export function createLaneArrangement(
  captureName: () => string | null,
  foldedAtFirst: () => ReadonlySet<string>,
): LaneArrangement {
  const now = signal<Arrangement>(kAsCaptured);
  const remembered = storedSignal<Remembered>("lanes", readRemembered);
  let isFirst = true; // nothing has been arranged yet
  effect(() => {
    const fields = formatArrangement(now.value);
    if (isFirst) {
      isFirst = false;
      return;
    }
    const name = untracked(captureName);
    if (name === null) return;
    const { [name]: before, ...others } = remembered.peek();
    if (JSON.stringify(before ?? {}) === JSON.stringify(fields)) return;
    const kept = Object.entries(others).slice(1 - kMostRemembered);
    remembered.value = Object.fromEntries([...kept, [name, fields]]);
  });
  const change = (next: Arrangement) => (now.value = next);
  return {
    now,
    look(fields) {
      const isSaid = kArrangementKeys.some((key) => fields[key] !== undefined);
      change(parseArrangement(isSaid ? fields : (remembered.peek()[captureName() ?? ""] ?? {})));
    },
    turn: (key) => change(toggleKey(now.value, "turned", key)),
    pin: (key) => change(togglePinned(now.value, key)),
    hide: (key) => change(toggleKey(now.value, "hidden", key)),
    fold: (path) => change(toggleFolded(now.value, foldedAtFirst(), path)),
    foldAll: (paths, isFolded) => change({ ...now.value, folded: new Set(isFolded ? paths : []) }),
    moveBefore: (keys, key, before) => change(moveBefore(now.value, keys, key, before)),
    showOnly: (only) => change({ ...now.value, only }),
    uncover(box) {
      const { hidden, only } = now.value;
      if (hidden.has(box.key)) change(toggleKey(now.value, "hidden", box.key));
      const before = now.value.folded ?? foldedAtFirst();
      const folded = new Set([...before].filter((path) => path !== box.key && !box.above.includes(path)));
      if (folded.size < before.size) change({ ...now.value, folded });
      if (!isAskedFor(box, only)) change({ ...now.value, only: "" });
    },
    reset: () => change(kAsCaptured),
  };
}

function readRemembered(stored: unknown): Remembered {
  if (typeof stored !== "object" || stored === null) return {};
  const isFields = (fields: unknown) =>
    typeof fields === "object" && fields !== null && Object.values(fields).every((text) => typeof text === "string");
  return Object.fromEntries(Object.entries(stored).filter(([, fields]) => isFields(fields)));
}
