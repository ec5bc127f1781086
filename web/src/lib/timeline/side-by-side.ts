// Several captures on one time axis: a source made of theirs. Each capture's lanes stand under its name, its times are
// shifted, and every question goes to the capture that it is about. Numbers of lanes count on from one capture to the
// next; numbers of names are dealt out in turn, so that a capture's may still grow.
import { computed } from "@preact/signals";
import { succeed, type Result } from "../result";
import type { TimeRange } from "../time";
import { compareEvents, kByStart, type EventOrder } from "./event-order";
import type { AllocationItem, EventDetail, EventItem, EventRef } from "./events";
import { mergeStats } from "./merge-stats";
import type { Scale, Span } from "./spans";
import type { Hits, NearestEvents, Picture, TimelineSource, View } from "./source";
import { mergeStacks, type StackTable } from "./stacks";
import type { LaneInfo, Timeline } from "./timeline";

/** A capture among others. */
export interface Part {
  /** As the session has it: no two parts share one. */
  name: string;
  source: TimelineSource;
  /** What to add to its times; the least shift of all parts counts as 0. */
  shift_ns: number;
}

interface Placed extends Part {
  /** Its number, and where its lanes begin. */
  at: number;
  firstLane: number;
}

/** The first part is the capture on screen: contexts that events lead to are its own. There are at least two. */
export function layParts(given: readonly Part[]): TimelineSource {
  const least = Math.min(...given.map(({ shift_ns }) => shift_ns));
  let firstLane = 0;
  const parts = given.map((part, at): Placed => {
    const placed = { ...part, at, firstLane, shift_ns: part.shift_ns - least };
    firstLane += part.source.timeline.lanes.length;
    return placed;
  });
  const main = parts[0]!;
  const strings: string[] = [];
  const plain: string[] = [];
  const timeline: Timeline = {
    dur_ns: Math.max(...parts.map(({ source, shift_ns }) => source.timeline.dur_ns + shift_ns)),
    strings,
    plain,
    lanes: layTracks(parts),
    markers: parts
      .flatMap(({ source, shift_ns }) =>
        source.timeline.markers.map((marker) => ({ ...marker, at: marker.at + shift_ns })),
      )
      .sort((a, b) => a.at - b.at),
    // Those of the capture on screen: two captures' steps would hide each other.
    runs: main.source.timeline.runs.map((run) => ({
      ...run,
      from: run.from + main.shift_ns,
      to: run.to + main.shift_ns,
    })),
    eventCount: parts.reduce((sum, { source }) => sum + source.timeline.eventCount, 0),
  };

  const nameIn = (part: Placed, name: number) => name * parts.length + part.at;
  const partOf = (lane: number) => parts.findLast((part) => part.firstLane <= lane)!;
  const inside = <T extends { lane: number }>(part: Placed, item: T): T => ({
    ...item,
    lane: item.lane - part.firstLane,
  });

  /** Takes over names that have come since. */
  function takeNames(): void {
    for (const part of parts) {
      const { strings: texts, plain: plains } = part.source.timeline;
      texts.forEach((text, i) => {
        strings[nameIn(part, i)] = text;
        plain[nameIn(part, i)] = plains[i] ?? "";
      });
    }
  }
  takeNames();

  const eventIn = (part: Placed, event: EventItem): EventItem => ({
    ...event,
    lane: event.lane + part.firstLane,
    name: nameIn(part, event.name),
    start: event.start + part.shift_ns,
  });
  const eventOf = (part: Placed, event: EventItem): EventItem => ({
    ...inside(part, event),
    name: (event.name - part.at) / parts.length,
    start: event.start - part.shift_ns,
  });
  const allocationIn = (part: Placed, item: AllocationItem): AllocationItem => ({
    ...item,
    lane: item.lane + part.firstLane,
    birth: item.birth + part.shift_ns,
    death: item.death + part.shift_ns,
    bornIn: item.bornIn === null ? null : eventIn(part, item.bornIn),
  });
  const rangeOf = (part: Placed, { from, to }: TimeRange): TimeRange => ({
    from: from - part.shift_ns,
    to: to - part.shift_ns,
  });
  const scaleOf = (part: Placed, scale: Scale): Scale => ({ ...scale, range: rangeOf(part, scale.range) });
  const spanIn = (part: Placed, span: Span): Span => ({ ...span, name: nameIn(part, span.name) });

  function detailIn(part: Placed, detail: EventDetail): EventDetail {
    const read = (event: EventItem | null) => (event === null ? null : eventIn(part, event));
    return {
      ...detail,
      item: eventIn(part, detail.item),
      context: part === main ? detail.context : -1,
      pass: part === main ? detail.pass : -1,
      previous: read(detail.previous),
      next: read(detail.next),
      parent: read(detail.parent),
      incoming: detail.incoming.map((event) => eventIn(part, event)),
      outgoing: detail.outgoing.map((event) => eventIn(part, event)),
      allocations: detail.allocations.map(({ lane, allocation }) => ({ lane: lane + part.firstLane, allocation })),
    };
  }

  function viewOf(part: Placed, view: View): View {
    const isIts = ({ lane }: { lane: number }) => partOf(lane) === part;
    return {
      ...view,
      scale: scaleOf(part, view.scale),
      rows: view.rows.filter(isIts).map((rows) => inside(part, rows)),
      counters: view.counters.filter(isIts).map((counter) => inside(part, counter)),
      memories: view.memories.filter(isIts).map((memory) => inside(part, memory)),
    };
  }

  /** What is answered, with its numbers and times as they are here. */
  async function ask<T, U>(answer: Promise<Result<T>>, read: (value: T) => U): Promise<Result<U>> {
    const found = await answer;
    return found.ok ? succeed(read(found.value)) : found;
  }
  const askEvent = (part: Placed, answer: Promise<Result<EventItem | null>>) =>
    ask(answer, (event) => (event === null ? null : eventIn(part, event)));

  /** All parts' answers, or the first that is none. */
  async function askAll<T>(question: (part: Placed) => Promise<Result<T>>): Promise<Result<[Placed, T][]>> {
    const answers = await Promise.all(parts.map(question));
    const found: [Placed, T][] = [];
    for (const [i, answer] of answers.entries()) {
      if (!answer.ok) return answer;
      found.push([parts[i]!, answer.value]);
    }
    return succeed(found);
  }

  async function search(text: string, order: EventOrder = kByStart): Promise<Result<Hits>> {
    const answers = await askAll((part) => part.source.search(text, order));
    if (!answers.ok) return answers;
    const items = answers.value.flatMap(([part, hits]) => hits.items.map((event) => eventIn(part, event)));
    items.sort(compareEvents(order));
    return succeed({ total: answers.value.reduce((sum, [, hits]) => sum + hits.total, 0), items });
  }

  const isSameEvent = (a: EventRef, b: EventRef) => a.lane === b.lane && a.event === b.event;

  return {
    timeline,
    isBeginning: parts.some(({ source }) => source.isBeginning),
    start_ns: main.source.start_ns === null ? null : main.source.start_ns - BigInt(Math.round(main.shift_ns)),
    clock: main.source.clock,
    arrived: computed(() => {
      const sum = parts.reduce((count, { source }) => count + source.arrived.value, 0);
      takeNames();
      return sum;
    }),
    look(view) {
      for (const part of parts) part.source.look(viewOf(part, view));
    },
    picture(scale, find): Picture {
      const pictures = parts.map((part) => part.source.picture(scaleOf(part, scale), find));
      return {
        spansOf(lane, row) {
          const part = partOf(lane);
          return pictures[part.at]!.spansOf(lane - part.firstLane, row).map((span) => spanIn(part, span));
        },
        ticksOf(lane, row) {
          const part = partOf(lane);
          return pictures[part.at]!.ticksOf(lane - part.firstLane, row);
        },
        stepsOf(lane, counter) {
          const part = partOf(lane);
          return pictures[part.at]!.stepsOf(lane - part.firstLane, counter);
        },
      };
    },
    memoryPicture(lane, range, order) {
      const part = partOf(lane);
      return part.source.memoryPicture(lane - part.firstLane, rangeOf(part, range), order);
    },
    changesOf(lane, range, order) {
      const part = partOf(lane);
      return part.source.changesOf(lane - part.firstLane, rangeOf(part, range), order);
    },
    detail(ref) {
      const part = partOf(ref.lane);
      return ask(part.source.detail(inside(part, ref)), (detail) => detailIn(part, detail));
    },
    sumSpan(lane, row, place) {
      const part = partOf(lane);
      const answer = part.source.sumSpan(lane - part.firstLane, row, place);
      return ask(answer, (sums) => ({ ...sums, longest: eventIn(part, sums.longest) }));
    },
    longestIn(lane, row, range) {
      const part = partOf(lane);
      const answer = part.source.longestIn(lane - part.firstLane, row, rangeOf(part, range));
      return ask(answer, (event) => eventIn(part, event));
    },
    search,
    async stepHit(text, from, by) {
      const hits = await search(text);
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
    stepName(from, by) {
      const part = partOf(from.lane);
      return askEvent(part, part.source.stepName(eventOf(part, from), by));
    },
    stepInRow(from, by) {
      const part = partOf(from.lane);
      return askEvent(part, part.source.stepInRow(eventOf(part, from), by));
    },
    async firstAfter(at) {
      const answers = await askAll((part) => part.source.firstAfter(Math.max(at - part.shift_ns, 0)));
      if (!answers.ok) return answers;
      const events = answers.value.flatMap(([part, event]) => (event === null ? [] : [eventIn(part, event)]));
      return succeed(events.find((event) => event.start + event.dur >= at) ?? events[0] ?? null);
    },
    async nearest(range, lanes) {
      const answers = await askAll((part) => {
        const own = lanes.filter((lane) => partOf(lane) === part).map((lane) => lane - part.firstLane);
        if (own.length === 0) return Promise.resolve(succeed<NearestEvents>({ before: null, after: null }));
        return part.source.nearest(rangeOf(part, range), own);
      });
      if (!answers.ok) return answers;
      const list = (side: keyof NearestEvents) =>
        answers.value
          .flatMap(([part, found]) => (found[side] === null ? [] : [eventIn(part, found[side])]))
          .sort((a, b) => a.start - b.start);
      return succeed({ before: list("before").at(-1) ?? null, after: list("after")[0] ?? null });
    },
    async placeInHits(text, item) {
      const hits = await search(text);
      if (!hits.ok) return hits;
      const at = hits.value.items.findIndex((hit) => isSameEvent(hit, item));
      return succeed({ at: Math.max(at, 0), count: hits.value.total });
    },
    placeInName(item) {
      const part = partOf(item.lane);
      return part.source.placeInName(eventOf(part, item));
    },
    sumDurations(item) {
      const part = partOf(item.lane);
      return ask(part.source.sumDurations(eventOf(part, item)), (sums) => ({
        ...sums,
        worst: { ...sums.worst, lane: sums.worst.lane + part.firstLane },
      }));
    },
    async sumArea(area, lines) {
      const asked = parts.filter((part) => area.lanes.some((lane) => partOf(lane) === part));
      const answers = await Promise.all(
        asked.map(async (part) => {
          const lanes = area.lanes.filter((lane) => partOf(lane) === part).map((lane) => lane - part.firstLane);
          const answer = part.source.sumArea({ range: rangeOf(part, area.range), lanes }, lines);
          return ask(answer, (stats) => ({
            ...stats,
            names: stats.names.map((name) => ({
              ...name,
              name: nameIn(part, name.name),
              label: `${name.label} · ${part.name}`,
              lane: name.lane === null ? null : name.lane + part.firstLane,
              worst: { ...name.worst, lane: name.worst.lane + part.firstLane },
            })),
          }));
        }),
      );
      const failed = answers.find((answer) => !answer.ok);
      if (failed !== undefined && !failed.ok) return failed;
      return succeed(mergeStats(answers.flatMap((answer) => (answer.ok ? [answer.value] : []))));
    },
    async listStacks(area) {
      const answers = await askAll((part) => {
        const lanes = area.lanes.filter((lane) => partOf(lane) === part).map((lane) => lane - part.firstLane);
        if (lanes.length === 0) return Promise.resolve(succeed<StackTable>(mergeStacks([])));
        return part.source.listStacks({ range: rangeOf(part, area.range), lanes });
      });
      return answers.ok ? succeed(mergeStacks(answers.value.map(([, table]) => table))) : answers;
    },
    memorySummary(lane) {
      const part = partOf(lane);
      return part.source.memorySummary(lane - part.firstLane);
    },
    listSet(lane, set) {
      const part = partOf(lane);
      return ask(part.source.listSet(lane - part.firstLane, set), (found) => ({
        ...found,
        items: found.items.map((item) => allocationIn(part, item)),
      }));
    },
    allocation(lane, allocation) {
      const part = partOf(lane);
      return ask(part.source.allocation(lane - part.firstLane, allocation), ({ item, madeBy, kernels }) => ({
        item: allocationIn(part, item),
        madeBy: madeBy === null ? null : eventIn(part, madeBy),
        kernels: kernels.map((event) => eventIn(part, event)),
      }));
    },
    formatEvent(item) {
      const part = partOf(item.lane);
      return `${encodeURIComponent(part.name)}!${part.source.formatEvent(eventOf(part, item))}`;
    },
    findEvent(key) {
      const cut = key.indexOf("!");
      const name = decodeURIComponent(key.slice(0, Math.max(cut, 0)));
      const part = parts.find((each) => each.name === name);
      // A link from when the capture stood alone.
      if (part === undefined) return askEvent(main, main.source.findEvent(key));
      return askEvent(part, part.source.findEvent(key.slice(cut + 1)));
    },
  };
}

/** All tracks, each capture's under one of its own; those follow all others, so that numbers only move by a part's first. */
function layTracks(parts: readonly Placed[]): LaneInfo[] {
  const count = parts.reduce((sum, { source }) => sum + source.timeline.lanes.length, 0);
  const tracks = parts.flatMap((part) => {
    const top = trackOf(part);
    return part.source.timeline.lanes.map((lane) => ({
      ...lane,
      path: `${top.path}/${lane.path}`,
      title: `${top.title} › ${lane.title}`,
      above: [count + part.at, ...lane.above.map((track) => track + part.firstLane)],
      place: top.place + 1 + lane.place,
    }));
  });
  return [...tracks, ...parts.map(trackOf)];
}

/** Of the capture itself. */
function trackOf({ name, at, firstLane }: Placed): LaneInfo {
  const tree = { name, path: name.replace(/[\\/]/g, "\\$&"), title: name, kind: "capture", above: [] };
  const none = {
    rowCount: 0,
    eventCount: 0,
    relaned: 0,
    busy_ns: 0,
    hz: null,
    counters: [],
    arguments: [],
    sampleCount: 0,
    memory: null,
  };
  return { ...tree, ...none, place: firstLane + at };
}
