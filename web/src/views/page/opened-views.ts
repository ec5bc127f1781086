// The views that have been opened: the state of each, from when it is first shown; and of each room the view that was
// shown last.
import { computed, effect, untracked, type ReadonlySignal } from "@preact/signals";
import type { ComponentType } from "preact";
import type { App } from "../../state/app";
import type { Room, View } from "../view";
import { chooseView } from "./listed-views";

export interface OpenedViews {
  /** The component that draws a view; opens the view at the first call. */
  componentOf(view: View): ComponentType;
  /** The view that a room opens on: the one of it that was shown last, else its first. */
  viewOf(room: Room): View;
  /** The views of a room that have a tab. Reads signals. */
  offeredOf(room: Room): View[];
}

export function createOpenedViews(app: App): OpenedViews {
  const opened = new Map<View, ComponentType>();
  const offered = new Map<View, ReadonlySignal<boolean>>();
  const shown = computed(() => chooseView(app));
  /** In the order in which they were shown, the last one at the end. */
  const order = new Set<View>();
  effect(() => {
    const view = shown.value;
    if (view === null) return;
    order.delete(view);
    order.add(view);
  });
  return {
    componentOf(view) {
      let component = opened.get(view);
      if (component === undefined) {
        const isShown = computed(() => shown.value === view);
        opened.set(view, (component = untracked(() => view.open(app, isShown))));
      }
      return component;
    },
    offeredOf: ({ views }) =>
      views.filter((view) => {
        if (view.isOffered === undefined || view === shown.value) return true;
        if (!offered.has(view))
          offered.set(
            view,
            untracked(() => view.isOffered!(app)),
          );
        return offered.get(view)!.value;
      }),
    viewOf: ({ views }) => [...order].findLast((view) => views.includes(view)) ?? views[0]!,
  };
}
