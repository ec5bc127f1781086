// The rooms of the page, in the order of the top bar, and the views of each. A new view is a folder and its name in a
// room here. Of the rest of the page nothing is known here: views/page shows what is listed.
import { allocator } from "./allocator";
import { callTree } from "./call-tree";
import { collectives } from "./collectives";
import { compare } from "./compare";
import { comparedMemory } from "./compared-memory";
import { comparedPlaces } from "./compared-places";
import { counters } from "./counters";
import { delegation } from "./delegation";
import { fleet } from "./fleet";
import { graphNodes } from "./graph-nodes";
import { info } from "./info";
import { inspector } from "./inspector";
import { kernelGraph } from "./kernel-graph";
import { kernels } from "./kernels";
import { memory } from "./memory";
import { modelLayers } from "./model-layers";
import { operators } from "./operators";
import { overview } from "./overview";
import { program } from "./program";
import { rewrites } from "./rewrites";
import { rules } from "./rules";
import { sequences } from "./sequences";
import { serverSteps } from "./server-steps";
import { sql } from "./sql";
import { timeline } from "./timeline";
import { values } from "./values";
import type { Room, View } from "./view";

export const rooms: readonly Room[] = [
  { id: "overview", title: "Overview", views: [overview] },
  { id: "timeline", title: "Timeline", views: [timeline] },
  { id: "memory", title: "Memory", views: [allocator, memory] },
  {
    id: "kernels",
    title: "Kernels",
    views: [kernels, operators, callTree, collectives, sequences, graphNodes, modelLayers, serverSteps, counters],
  },
  { id: "compiler", title: "Compiler", views: [rewrites, rules, program, kernelGraph] },
  { id: "model", title: "Model", views: [inspector, delegation, values] },
  { id: "compare", title: "Compare", views: [comparedMemory, compare, comparedPlaces] },
  { id: "fleet", title: "Fleet", views: [fleet] },
  { id: "sql", title: "SQL", views: [sql], isAside: true },
  { id: "info", title: "Info", views: [info], isAside: true },
];

export const views: readonly View[] = rooms.flatMap((room) => room.views);
