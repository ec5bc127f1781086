// The views of the page, in the order of the top bar. A new view is one file and its line here.
import type { ComponentType } from "preact";
import type { CaptureInfo } from "../lib/wire";
import { rewritesView } from "./rewrites";
import { timelineView } from "./timeline";

export interface View {
  id: string;
  title: string;
  /** Whether the capture has something for this view to show. */
  suits(capture: CaptureInfo): boolean;
  component: ComponentType;
}

export const views: readonly View[] = [rewritesView, timelineView];

/** The view of this name where the capture suits it, else the first that does, else null. */
export function chooseView(id: string, capture: CaptureInfo): View | null {
  const suited = views.filter((view) => view.suits(capture));
  return suited.find((view) => view.id === id) ?? suited[0] ?? null;
}
