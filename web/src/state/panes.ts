// Sizes of the side panes and whether they are folded, remembered from one visit to the next.
import type { Signal } from "@preact/signals";
import { storedSignal } from "./stored";

export interface Pane {
  size_px: number;
  folded: boolean;
}

export interface PaneState {
  left: Signal<Pane>;
  right: Signal<Pane>;
  bottom: Signal<Pane>;
}

export function createPanes(): PaneState {
  return {
    left: storedSignal("pane.left", (v) => readPane(v, 264)),
    right: storedSignal("pane.right", (v) => readPane(v, 372)),
    bottom: storedSignal("pane.bottom", (v) => readPane(v, 232)),
  };
}

function readPane(stored: unknown, size_px: number): Pane {
  const pane = (stored ?? {}) as Partial<Pane>;
  const size = typeof pane.size_px === "number" && Number.isFinite(pane.size_px) ? pane.size_px : size_px;
  return { size_px: Math.min(Math.max(size, 120), 1200), folded: pane.folded === true };
}
