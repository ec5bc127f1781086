// The views of the page, in the order of the top bar. A new view is a folder and its line here. Of the rest of the page
// nothing is known here: views/page shows what is listed.
import { compare } from "./compare";
import { fleet } from "./fleet";
import { info } from "./info";
import { inspector } from "./inspector";
import { kernelGraph } from "./kernel-graph";
import { kernels } from "./kernels";
import { overview } from "./overview";
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
