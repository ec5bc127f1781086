// Rewrites: a pass match by match, as a graph.
import { arrangementKeys } from "../../lib/graph/arrangement";
import type { View } from "../view";
import { commands } from "./commands";
import { listPlaces } from "./places";

export const rewrites: View = {
  id: "rewrites",
  title: "Rewrites",
  suits: (capture) => capture.has_rewrites,
  commands,
  pointer: "The wheel zooms at the cursor; dragging moves; a double click fits.",
  urlKeys: {
    match: "ofPass",
    node: "ofPass",
    camera: "ofPass",
    tab: "kept",
    search: "kept",
    in: "kept",
    mark: "kept",
    diff: "kept",
    ...arrangementKeys,
  },
  listPlaces,
  load: async () => (await import("./rewrites")).openRewrites,
};
