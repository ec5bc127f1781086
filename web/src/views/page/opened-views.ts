// The views that have been opened: the state of each, from when it is first shown.
import { untracked } from "@preact/signals";
import type { ComponentType } from "preact";
import type { App } from "../../state/app";
import type { View } from "../view";

export interface OpenedViews {
  /** The component that draws a view; opens the view at the first call. */
  componentOf(view: View): ComponentType;
}

export function createOpenedViews(app: App): OpenedViews {
  const opened = new Map<View, ComponentType>();
  return {
    componentOf(view) {
      let component = opened.get(view);
      if (component === undefined) opened.set(view, (component = untracked(() => view.open(app))));
      return component;
    },
  };
}
