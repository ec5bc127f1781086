// Rewrites: a pass match by match, as a graph.
import { arrangementKeys } from "../../lib/graph/arrangement";
import type { View } from "../view";
import { commands } from "./commands";
import { listPlaces, sayWhere } from "./places";
import { openRewrites } from "./rewrites";

export const rewrites: View = {
  id: "rewrites",
  title: "Rewrites",
  words: "compiler graph passes",
  suits: (capture) => capture.has_rewrites,
  commands,
  pointer: "Dragging moves the graph; a double click fits.",
  asCommand: ({ chosen, place }) => {
    const [context, pass] = [chosen.context.value, chosen.pass.value];
    if (context === null) return { words: ["show"] };
    if (pass === null) return { words: ["show", "--context", String(context)] };
    const match = place.key("match").value ?? "0";
    return { words: ["text", "--context", String(context), "--pass", String(pass), "--match", match] };
  },
  urlKeys: {
    match: "ofPass",
    node: "ofPass",
    camera: "ofPass",
    tab: "kept",
    search: "kept",
    in: "kept",
    mark: "kept",
    diff: "kept",
    colour: "kept",
    dir: "ofPass",
    ...arrangementKeys,
  },
  listDefaults: ({ chosen }) => ({ ...chosen.listKeys(), match: "0" }),
  sayWhere,
  listPlaces,
  open: openRewrites,
};
