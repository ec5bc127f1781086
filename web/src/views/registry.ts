// The views of the page, in the order of the top bar. A new view is a folder and its line here.
import type { Command } from "../lib/keys";
import type { CaptureInfo } from "../lib/wire";
import { compare } from "./compare";
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
];

/** The view of this name where the capture suits it, else the first that does, else null. */
export function chooseView(id: string, capture: CaptureInfo): View | null {
  const suited = views.filter((view) => view.suits(capture));
  return suited.find((view) => view.id === id) ?? suited[0] ?? null;
}

/** What the page can be told to do, in it and in any view: each command once, though several views may list it. */
export const commands: readonly Command[] = [...new Set([...pageCommands, ...views.flatMap((view) => view.commands)])];
