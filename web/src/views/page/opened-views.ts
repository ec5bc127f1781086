// The views that have been opened: code, style and state of each, from when it is first asked for.
import { signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { ComponentType } from "preact";
import type { App } from "../../state/app";
import type { View } from "../view";

export interface OpenedViews {
  /** Null until open() has brought it. */
  componentOf(view: View): ReadonlySignal<ComponentType | null>;
  /** Fails where its code cannot be had. */
  open(view: View): Promise<void>;
}

export function createOpenedViews(app: App): OpenedViews {
  const opened = new Map<View, Signal<ComponentType | null>>();
  const slotOf = (view: View) => {
    let slot = opened.get(view);
    if (slot === undefined) opened.set(view, (slot = signal<ComponentType | null>(null)));
    return slot;
  };
  return {
    componentOf: slotOf,
    async open(view) {
      const slot = slotOf(view);
      if (slot.peek() !== null) return;
      const open = await view.load();
      slot.value ??= open(app);
    },
  };
}
