// Which of the captures is before and which after, as two keys of the URL say by their names.
import { computed, type ReadonlySignal } from "@preact/signals";
import { choosePair, type Pair } from "../lib/comparison";
import type { CaptureInfo } from "../lib/wire";
import type { App } from "./app";

export interface ComparedPair {
  /** The captures that can be compared. */
  captures: ReadonlySignal<readonly CaptureInfo[]>;
  /** Null where there are no two. */
  pair: ReadonlySignal<Pair<CaptureInfo> | null>;
  /** Whether parts of one can be compared with one another. */
  canBeBoth(name: string): boolean;
  choose(names: Partial<Pair<string>>): void;
  swap(): void;
}

export function createComparedPair(
  { session, place }: App,
  suits: (capture: CaptureInfo) => boolean,
  keys: Pair<string>,
  canBeBoth: (capture: CaptureInfo) => boolean = () => false,
): ComparedPair {
  const captures = computed(() => (session.info.value?.captures ?? []).filter(suits));
  const [before, after] = [place.key(keys.before), place.key(keys.after)];
  const pair = computed(() =>
    choosePair(
      captures.value,
      session.capture.value?.id ?? null,
      { before: before.value, after: after.value },
      canBeBoth,
    ),
  );
  const choose = (names: Partial<Pair<string>>) =>
    place.adjust({
      [keys.before]: names.before ?? pair.value?.before.name ?? null,
      [keys.after]: names.after ?? pair.value?.after.name ?? null,
    });
  const swap = () => {
    if (pair.value !== null) choose({ before: pair.value.after.name, after: pair.value.before.name });
  };
  return {
    captures,
    pair,
    canBeBoth: (name) => captures.peek().some((capture) => capture.name === name && canBeBoth(capture)),
    choose,
    swap,
  };
}
