// Counters: what a GPU counted while each kernel ran, the rates that follow, where on the chip it was counted, and what
// samples of program counters say warps waited for. It answers whoever tunes a kernel: which unit holds it up.
import type { View } from "../view";
import { commands } from "./commands";
import { openCounters } from "./counters";

export const counters: View = {
  id: "counters",
  title: "Counters",
  words: "pmc pma sqtt hardware occupancy cache hit rate bank conflicts samples stalls",
  suits: (capture) => capture.tells_hardware,
  commands,
  asCommand: () => ({ words: ["counters"] }),
  urlKeys: {
    counterstext: "kept",
    countersorder: "kept",
    countersrun: "kept",
    counter: "kept",
    samplestext: "kept",
    samplesorder: "kept",
    sampling: "kept",
  },
  open: openCounters,
};
