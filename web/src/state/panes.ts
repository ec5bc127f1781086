// Sizes of the panes and whether they are folded, remembered from one visit to the next. Where the window is narrow the
// side panes are folded by themselves, and one at a time can be opened; that is not remembered.
import { signal, type ReadonlySignal, type Signal } from "@preact/signals";
import { storedSignal } from "./stored";

export interface Pane {
  size_px: number;
  folded: boolean;
}

export type Side = "left" | "right";

export interface PaneState {
  left: Signal<Pane>;
  right: Signal<Pane>;
  bottom: Signal<Pane>;
  /** The share of a view's middle that its first half has, kept under a name: 0 to 1. */
  shareOf(name: string, usual: number): Signal<number>;
  isNarrow: ReadonlySignal<boolean>;
  /** As it is now; reads signals. */
  isFolded(side: Side): boolean;
  fold(side: Side, folded: boolean): void;
}

export const kNarrow_px = 1000;
/** The share of the window's height that the details have where nobody has chosen it. */
const kBottomShare = 0.26;
const kLeastBottom_px = 232;

export function createPanes(): PaneState {
  const query = matchMedia(`(max-width: ${kNarrow_px - 1}px)`);
  const isNarrow = signal(query.matches);
  query.addEventListener("change", () => (isNarrow.value = query.matches));
  const opened = signal<Side | null>(null);
  const panes = {
    left: storedSignal("pane.left", (v) => readPane(v, 264)),
    right: storedSignal("pane.right", (v) => readPane(v, 372)),
    bottom: storedSignal("pane.bottom", (v) =>
      readPane(v, Math.max(kLeastBottom_px, Math.round(window.innerHeight * kBottomShare))),
    ),
  };
  const shares = new Map<string, Signal<number>>();
  return {
    ...panes,
    shareOf(name, usual) {
      let share = shares.get(name);
      if (share === undefined) shares.set(name, (share = storedSignal(`pane.${name}`, (v) => readShare(v, usual))));
      return share;
    },
    isNarrow,
    isFolded: (side) => (isNarrow.value ? opened.value !== side : panes[side].value.folded),
    fold(side, folded) {
      if (isNarrow.peek()) opened.value = folded ? null : side;
      else panes[side].value = { ...panes[side].peek(), folded };
    },
  };
}

function readPane(stored: unknown, size_px: number): Pane {
  const pane = (stored ?? {}) as Partial<Pane>;
  const size = typeof pane.size_px === "number" && Number.isFinite(pane.size_px) ? pane.size_px : size_px;
  return { size_px: Math.min(Math.max(size, 120), 1200), folded: pane.folded === true };
}

function readShare(stored: unknown, usual: number): number {
  return typeof stored === "number" && stored >= 0.1 && stored <= 0.9 ? stored : usual;
}
