// Questions that one capture of several answers: the one whose lane they are about.
import { succeed, type Result } from "../../result";
import type { Picture, TimelineSource } from "../source";
import type { PlacedParts } from "./parts";

/** Translates an answer, where there is one. */
async function translate<T, U>(answer: Promise<Result<T>>, read: (value: T) => U): Promise<Result<U>> {
  const found = await answer;
  return found.ok ? succeed(read(found.value)) : found;
}

export function answerOfEvents(
  parts: PlacedParts,
): Pick<
  TimelineSource,
  | "detail"
  | "gapAt"
  | "sumSpan"
  | "longestIn"
  | "stepName"
  | "stepInRow"
  | "placeInName"
  | "sumDurations"
  | "naming"
  | "captureOf"
  | "memoryOf"
> {
  return {
    detail(ref) {
      const part = parts.of(ref.lane);
      return translate(part.source.detail(part.itemOf(ref)), (detail) => part.detailIn(detail));
    },
    gapAt(lane, at) {
      const part = parts.of(lane);
      return translate(part.source.gapAt(part.laneOf(lane), at - part.shift_ns), (gap) =>
        gap === null
          ? null
          : {
              ...part.gapIn(gap),
              endedBy: part.eventIn(gap.endedBy),
              call: part.maybeEventIn(gap.call),
              host: part.maybeEventIn(gap.host),
            },
      );
    },
    sumSpan(lane, row, place) {
      const part = parts.of(lane);
      return translate(part.source.sumSpan(part.laneOf(lane), row, place), (sums) => ({
        ...sums,
        longest: part.eventIn(sums.longest),
      }));
    },
    longestIn(lane, row, range) {
      const part = parts.of(lane);
      const answer = part.source.longestIn(part.laneOf(lane), row, part.rangeOf(range));
      return translate(answer, (event) => part.eventIn(event));
    },
    stepName(from, by) {
      const part = parts.of(from.lane);
      return translate(part.source.stepName(part.eventOf(from), by), (event) => part.maybeEventIn(event));
    },
    stepInRow(from, by) {
      const part = parts.of(from.lane);
      return translate(part.source.stepInRow(part.eventOf(from), by), (event) => part.maybeEventIn(event));
    },
    placeInName(item) {
      const part = parts.of(item.lane);
      return part.source.placeInName(part.eventOf(item));
    },
    naming(ref) {
      const part = parts.of(ref.lane);
      return part.source.naming(part.itemOf(ref));
    },
    captureOf: (lane) => parts.of(lane).name,
    memoryOf(ref, snapshot) {
      const part = parts.of(ref.lane);
      return part.source.memoryOf(part.itemOf(ref), snapshot);
    },
    sumDurations(item) {
      const part = parts.of(item.lane);
      return translate(part.source.sumDurations(part.eventOf(item)), (sums) => ({
        ...sums,
        worst: part.itemIn(sums.worst),
      }));
    },
  };
}

export function answerOfMemory(
  parts: PlacedParts,
): Pick<TimelineSource, "memoryPicture" | "changesOf" | "allocation" | "lifeOf"> {
  return {
    memoryPicture(lane, range, order) {
      const part = parts.of(lane);
      return part.source.memoryPicture(part.laneOf(lane), part.rangeOf(range), order);
    },
    changesOf(lane, range, order) {
      const part = parts.of(lane);
      return part.source.changesOf(part.laneOf(lane), part.rangeOf(range), order);
    },
    lifeOf(lane, allocation, trace) {
      const part = parts.of(lane);
      return part.source.lifeOf(part.laneOf(lane), allocation, trace);
    },
    allocation(lane, allocation) {
      const part = parts.of(lane);
      const answer = part.source.allocation(part.laneOf(lane), allocation);
      return translate(answer, ({ item, madeBy, kernels }) => ({
        item: part.allocationIn(item),
        madeBy: part.maybeEventIn(madeBy),
        kernels: kernels.map((event) => part.eventIn(event)),
      }));
    },
  };
}

/** An event's key in a URL is its capture's name before the key that it has there. */
export function answerKeys(parts: PlacedParts): Pick<TimelineSource, "formatEvent" | "findEvent"> {
  return {
    formatEvent(item) {
      const part = parts.of(item.lane);
      return `${encodeURIComponent(part.name)}!${part.source.formatEvent(part.eventOf(item))}`;
    },
    findEvent(key) {
      const cut = key.indexOf("!");
      const name = decodeURIComponent(key.slice(0, Math.max(cut, 0)));
      const named = parts.list.find((each) => each.name === name);
      // Without a name, the link is from when the capture stood alone.
      const part = named ?? parts.main;
      const answer = part.source.findEvent(named === undefined ? key : key.slice(cut + 1));
      return translate(answer, (event) => part.maybeEventIn(event));
    },
  };
}

export function joinPictures(parts: PlacedParts, pictures: readonly Picture[]): Picture {
  return {
    spansOf(lane, row) {
      const part = parts.of(lane);
      return pictures[part.at]!.spansOf(part.laneOf(lane), row).map((span) => part.spanIn(span));
    },
    ticksOf(lane, row) {
      const part = parts.of(lane);
      return pictures[part.at]!.ticksOf(part.laneOf(lane), row);
    },
    stepsOf(lane, counter) {
      const part = parts.of(lane);
      return pictures[part.at]!.stepsOf(part.laneOf(lane), counter);
    },
  };
}
