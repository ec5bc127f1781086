// The views of the page, in the order of the top bar. A new view is one file and its entry here. A view's code is loaded
// when it is first shown, so that the first paint does not pay for the others.
import { signal, type ReadonlySignal } from "@preact/signals";
import type { ComponentType } from "preact";
import type { CaptureInfo } from "../lib/wire";

export interface View {
  id: string;
  title: string;
  /** Whether the capture has something for this view to show. */
  suits(capture: CaptureInfo): boolean;
  /** Null until load() has brought it. */
  component: ReadonlySignal<ComponentType | null>;
  load(): Promise<void>;
}

export const views: readonly View[] = [
  makeView(
    "rewrites",
    "Rewrites",
    (capture) => capture.has_rewrites,
    async () => (await import("./rewrites/rewrites")).Rewrites,
  ),
  makeView(
    "rules",
    "Rules",
    (capture) => capture.has_rewrites,
    async () => (await import("./rules/rules")).Rules,
  ),
  makeView(
    "timeline",
    "Timeline",
    (capture) => capture.has_profile,
    async () => (await import("./timeline/timeline")).Timeline,
  ),
  makeView(
    "program",
    "Program",
    (capture) => capture.has_rewrites,
    async () => (await import("./program/program")).ProgramView,
  ),
];

/** The view of this name where the capture suits it, else the first that does, else null. */
export function chooseView(id: string, capture: CaptureInfo): View | null {
  const suited = views.filter((view) => view.suits(capture));
  return suited.find((view) => view.id === id) ?? suited[0] ?? null;
}

function makeView(id: string, title: string, suits: View["suits"], bring: () => Promise<ComponentType>): View {
  const component = signal<ComponentType | null>(null);
  return {
    id,
    title,
    suits,
    component,
    async load() {
      component.value ??= await bring();
    },
  };
}
