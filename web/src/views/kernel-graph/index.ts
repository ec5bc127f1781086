// Kernel graph: launches of kernels as boxes, the buffers that they hand to one another as lines, coloured by time.
import type { View } from "../view";
import { commands } from "./commands";
import { openKernelGraph } from "./kernel-graph";

export const kernelGraph: View = {
  id: "kernel-graph",
  title: "Kernel graph",
  words: "dependencies dataflow",
  suits: (capture) => capture.launch_uses > 0,
  commands,
  pointer: "drag pans, the wheel zooms, a click chooses a kernel, a click on empty space none",
  sayWhere: ({ place }) => {
    const run = place.key("run").value;
    return run === undefined ? "" : `run ${run}`;
  },
  asCommand: () => ({ words: ["kernel-graph"] }),
  urlKeys: { run: "kept", buffer: "kept" },
  open: openKernelGraph,
};
