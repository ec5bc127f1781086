// Several captures on one time axis: a source made of theirs. Each capture's lanes stand under its name, its times are
// shifted, and every question goes to the capture that it is about. Numbers of lanes count on from one capture to the
// next; numbers of names are dealt out in turn, so that a capture's may still grow.
import { computed } from "@preact/signals";
import type { TimelineSource } from "../source";
import { answerAreas, answerNeighbours, answerSearches } from "./all-parts";
import { joinTimelines, takeNames } from "./joined-timeline";
import { answerKeys, answerOfEvents, answerOfMemory, joinPictures } from "./one-part";
import { PlacedParts, type Part } from "./parts";

/** The first part is the capture on screen: contexts that events lead to are its own. There are at least two. */
export function layParts(given: readonly Part[]): TimelineSource {
  const parts = new PlacedParts(given);
  const { list, main } = parts;
  const timeline = joinTimelines(parts);
  takeNames(parts, timeline);
  return {
    timeline,
    isBeginning: list.some(({ source }) => source.isBeginning),
    start_ns: main.source.start_ns === null ? null : main.source.start_ns - BigInt(Math.round(main.shift_ns)),
    clock: main.source.clock,
    arrived: computed(() => {
      const sum = list.reduce((count, { source }) => count + source.arrived.value, 0);
      takeNames(parts, timeline);
      return sum;
    }),
    look(view) {
      for (const part of list) part.source.look(parts.viewOf(part, view));
    },
    picture: (scale, find) =>
      joinPictures(
        parts,
        list.map((part) => part.source.picture(part.scaleOf(scale), find)),
      ),
    ...answerOfEvents(parts),
    ...answerOfMemory(parts),
    ...answerSearches(parts),
    ...answerNeighbours(parts),
    ...answerAreas(parts),
    ...answerKeys(parts),
  };
}
