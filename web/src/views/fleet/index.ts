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
  // Whether a rank of the job is slow, or its steps got slower: of the store, and of no capture.
  asCommand: ({ place, session }) => {
    const store = session.info.value?.store;
    if (store === undefined || store === null) return null;
    const job = place.key("job").value ?? store.job;
    const against = place.key("jobwith").value;
    const options = ["--store", store.address, ...(job === "" ? [] : ["--job", job])];
    return { words: ["check-job", ...options, ...(against ? ["--against", against] : [])], captures: [] };
  },
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
