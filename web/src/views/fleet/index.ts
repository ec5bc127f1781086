// Ranks: the jobs of a store, each job's ranks side by side, and the way into one of them.
import type { View } from "../view";
import { fleetCommands } from "./commands";
import { openFleet } from "./fleet";

export const fleet: View = {
  id: "fleet",
  title: "Fleet",
  words: "jobs ranks store",
  suits: () => false,
  isOfStore: true,
  commands: fleetCommands,
  pointer: "A click on a rank chooses it; its button opens it as one more capture.",
  urlKeys: {
    job: "kept",
    jobpart: "kept",
    jobrank: "kept",
    jobsort: "kept",
    jobwith: "kept",
    jobsql: "kept",
    jobfind: "kept",
  },
  open: openFleet,
};
