// The views of the page, in the order of the top bar. A new view is a folder and its line here.
import type { Command } from "../lib/keys";
import type { App } from "../state/app";
import { compare } from "./compare";
import { fleet } from "./fleet";
import { info } from "./info";
import { inspector } from "./inspector";
import { kernelGraph } from "./kernel-graph";
import { kernels } from "./kernels";
import { overview } from "./overview";
import { pageCommands } from "./page/commands";
import { program } from "./program";
import { rewrites } from "./rewrites";
import { rules } from "./rules";
import { sql } from "./sql";
import { timeline } from "./timeline";
import { values } from "./values";
import type { View } from "./view";

export const views: readonly View[] = [
  overview,
  rewrites,
  rules,
  timeline,
  inspector,
  kernels,
  kernelGraph,
  program,
  values,
  compare,
  sql,
  info,
  fleet,
];

/** The views that have something to show now. Reads signals. */
export function listSuitedViews({ session }: Pick<App, "session">): View[] {
  const capture = session.capture.value;
  const hasStore = (session.info.value?.store ?? null) !== null;
  return views.filter((view) => (view.isOfStore ? hasStore : capture !== null && view.suits(capture)));
}

/** The view that the place names where it suits, else the first that does, else null. Reads signals. */
export function chooseView(app: Pick<App, "session" | "place">): View | null {
  const suited = listSuitedViews(app);
  return suited.find((view) => view.id === app.place.view.value) ?? suited[0] ?? null;
}

/** What the page can be told to do, in it and in any view: each command once, though several views may list it. */
export const commands: readonly Command[] = [...new Set([...pageCommands, ...views.flatMap((view) => view.commands)])];
