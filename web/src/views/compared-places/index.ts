// Compared places: for who changed a server or its model's version: at which place of a step, in which layer and of
// which operator, time was lost or won, and whether another kernel runs there now.
import { computed, signal } from "@preact/signals";
import { choosePair } from "../../lib/comparison";
import type { WireServerSteps } from "../../lib/replays";
import { followProfile } from "../../state/asked";
import type { View } from "../view";
import { openComparedPlaces } from "./compared-places";

export const comparedPlaces: View = {
  id: "compared-places",
  title: "Nodes compared",
  tab: "Nodes",
  words: "diff regression before after graph replay layer decode step server kernel replaced",
  suits: (capture, others) => capture.has_profile && others.some(({ has_profile }) => has_profile),
  isOffered(app) {
    const steps = followProfile<WireServerSteps>(app, signal(true), () => "/api/v1/server-steps");
    return computed(() => steps.value.value?.data.ranks.some(({ rows }) => rows.length > 0) === true);
  },
  commands: [
    { id: "comparedPlaces.swap", title: "Swap before and after", keys: ["X"] },
    { id: "comparedPlaces.previous", title: "Previous place", keys: ["ArrowUp"], quiet: true },
    { id: "comparedPlaces.next", title: "Next place", keys: ["ArrowDown"], quiet: true },
    { id: "comparedPlaces.before", title: "Go to its longest run before", words: "timeline A", keys: ["A"] },
    { id: "comparedPlaces.after", title: "Go to its longest run after", words: "timeline B", keys: ["B"] },
  ],
  pointer: "A click on a layer leaves its places, another click all; a click on a place chooses it.",
  asCommand: ({ place, session }) => {
    const captures = (session.info.value?.captures ?? []).filter(({ has_profile }) => has_profile);
    const wanted = { before: place.key("places.before").value, after: place.key("places.after").value };
    const pair = choosePair(captures, session.capture.value?.id ?? null, wanted);
    if (pair === null) return null;
    const phase = place.key("places.phase").value;
    const words = ["compare", "--nodes", ...(phase === undefined ? [] : ["--phase", phase])];
    return { words, captures: [pair.before, pair.after] };
  },
  urlKeys: {
    "places.before": "kept",
    "places.after": "kept",
    "places.phase": "kept",
    "places.filter": "kept",
    "places.order": "kept",
    "places.row": "kept",
  },
  open: openComparedPlaces,
};
