// Questions that several captures answer together: each is asked, and their answers become one.
import { succeed, type Result } from "../../result";
import { compareEvents, kByStart, type EventOrder } from "../event-order";
import type { EventRef } from "../events";
import { mergeStats } from "../merge-stats";
import type { Hits, NearestEvents, TimelineSource } from "../source";
import { mergeStacks } from "../stacks";
import type { AreaStats } from "../stats";
import type { PlacedPart, PlacedParts } from "./parts";

/** The answers of parts, or the first problem that one has instead. */
async function askAll<T>(
  parts: readonly PlacedPart[],
  question: (part: PlacedPart) => Promise<Result<T>>,
): Promise<Result<[PlacedPart, T][]>> {
  const answers = await Promise.all(parts.map(question));
  const found: [PlacedPart, T][] = [];
  for (const [i, answer] of answers.entries()) {
    if (!answer.ok) return answer;
    found.push([parts[i]!, answer.value]);
  }
  return succeed(found);
}

async function searchAll({ list }: PlacedParts, text: string, order: EventOrder): Promise<Result<Hits>> {
  const answers = await askAll(list, (part) => part.source.search(text, order));
  if (!answers.ok) return answers;
  const items = answers.value.flatMap(([part, hits]) => hits.items.map((event) => part.eventIn(event)));
  items.sort(compareEvents(order));
  return succeed({ total: answers.value.reduce((sum, [, hits]) => sum + hits.total, 0), items });
}

const isSameEvent = (a: EventRef, b: EventRef) => a.lane === b.lane && a.event === b.event;

export function answerSearches(parts: PlacedParts): Pick<TimelineSource, "search" | "stepHit" | "placeInHits"> {
  return {
    search: (text, order) => searchAll(parts, text, order),
    async stepHit(text, from, by) {
      const hits = await searchAll(parts, text, kByStart);
      if (!hits.ok) return hits;
      const { items } = hits.value;
      if (items.length === 0) return succeed(null);
      const found = from === null ? -1 : items.findIndex((item) => isSameEvent(item, from));
      // An event that is no hit itself lies before the first that starts after it.
      const after = from === null ? 0 : items.findIndex(({ start }) => start > from.start);
      const beside = after < 0 ? items.length : after;
      const start = found >= 0 ? found : by > 0 ? beside - 1 : beside;
      const wanted = from === null && by < 0 ? items.length + by : start + by;
      return succeed(items[((wanted % items.length) + items.length) % items.length]!);
    },
    async placeInHits(text, item) {
      const hits = await searchAll(parts, text, kByStart);
      if (!hits.ok) return hits;
      const at = hits.value.items.findIndex((hit) => isSameEvent(hit, item));
      return succeed({ at: Math.max(at, 0), count: hits.value.total });
    },
  };
}

export function answerNeighbours(parts: PlacedParts): Pick<TimelineSource, "firstAfter" | "nearest"> {
  return {
    async firstAfter(at) {
      const answers = await askAll(parts.list, (part) => part.source.firstAfter(Math.max(at - part.shift_ns, 0)));
      if (!answers.ok) return answers;
      const events = answers.value.flatMap(([part, event]) => (event === null ? [] : [part.eventIn(event)]));
      return succeed(events.find((event) => event.start + event.dur >= at) ?? events[0] ?? null);
    },
    async nearest(range, lanes) {
      const answers = await askAll(parts.list, (part) => {
        const own = parts.lanesOf(part, lanes);
        if (own.length === 0) return Promise.resolve(succeed<NearestEvents>({ before: null, after: null }));
        return part.source.nearest(part.rangeOf(range), own);
      });
      if (!answers.ok) return answers;
      const list = (side: keyof NearestEvents) =>
        answers.value
          .flatMap(([part, found]) => (found[side] === null ? [] : [part.eventIn(found[side])]))
          .sort((a, b) => a.start - b.start);
      return succeed({ before: list("before").at(-1) ?? null, after: list("after")[0] ?? null });
    },
  };
}

export function answerAreas(parts: PlacedParts): Pick<TimelineSource, "sumArea" | "listStacks" | "gapsIn"> {
  /** The parts that have lanes of an area. */
  const partsWith = (lanes: readonly number[]) => {
    const asked = new Set(lanes.map((lane) => parts.of(lane)));
    return parts.list.filter((part) => asked.has(part));
  };
  return {
    async sumArea({ range, lanes }, lines) {
      const answers = await askAll(partsWith(lanes), (part) =>
        part.source.sumArea({ range: part.rangeOf(range), lanes: parts.lanesOf(part, lanes) }, lines),
      );
      return answers.ok ? succeed(mergeStats(answers.value.map(([part, stats]) => statsIn(part, stats)))) : answers;
    },
    async gapsIn(range, least_ns) {
      const answers = await askAll(parts.list, (part) => part.source.gapsIn(part.rangeOf(range), least_ns));
      return answers.ok
        ? succeed(answers.value.flatMap(([part, gaps]) => gaps.map((gap) => part.gapIn(gap))))
        : answers;
    },
    async listStacks({ range, lanes }) {
      const answers = await askAll(partsWith(lanes), (part) =>
        part.source.listStacks({ range: part.rangeOf(range), lanes: parts.lanesOf(part, lanes) }),
      );
      return answers.ok ? succeed(mergeStacks(answers.value.map(([, table]) => table))) : answers;
    },
  };
}

function statsIn(part: PlacedPart, stats: AreaStats): AreaStats {
  const names = stats.names.map((name) => ({
    ...name,
    name: part.nameIn(name.name),
    label: `${name.label} · ${part.name}`,
    lane: name.lane === null ? null : part.laneIn(name.lane),
    worst: part.itemIn(name.worst),
  }));
  return { ...stats, names };
}
