// A timeline whose profile is in the page as a whole: every answer is at hand.
import { signal } from "@preact/signals";
import { listRuns, makeItem, type EventRef, type Profile } from "./lanes";
import { findNeighbour, formatEventKey, isSameEvent, parseEventKey } from "./lanes-find";
import { findInRow } from "./lanes-rows";
import { columnOf, keepSpans, type Scale } from "./lanes-spans";
import { selfOf, sumArea, sumDurations, sumName } from "./lanes-stats";
import { listSet, measureHoles } from "./memory-sets";
import { parseEventKey as parseLinkedKey } from "../links";
import { succeed, fail, type Result } from "../result";
import { listMarked, markEvents, type Marked } from "./lanes-marked";
import {
  addTick,
  type AllocationItem,
  type EventItem,
  type EventDetail,
  type Picture,
  type Tick,
  type TimelineSource,
} from "./source";

/** The last search. */
interface Found {
  text: string;
  marked: Marked | null;
  hits: readonly EventItem[];
}

export function createWholeSource(profile: Profile): TimelineSource {
  const itemOf = (ref: EventRef | null) => (ref === null ? null : makeItem(profile, ref));
  const answer = <T>(value: T): Promise<Result<T>> => Promise.resolve(succeed(value));
  let found: Found = { text: "", marked: null, hits: [] };

  function find(text: string): Found {
    if (found.text !== text) {
      const marked = markEvents(profile, text);
      found = { text, marked, hits: listMarked(profile, marked).map((ref) => makeItem(profile, ref)) };
    }
    return found;
  }

  /** Links number events otherwise than this source does: by start and name. */
  function findLinked(key: string): EventRef | null {
    const wanted = parseLinkedKey(key);
    const lane = profile.lanes.findIndex(({ name }) => name === wanted?.lane);
    const event = profile.lanes[lane]?.label.findIndex(
      (label, e) => profile.lanes[lane]!.start[e] === wanted!.start_ns && profile.plain[label] === wanted!.name,
    );
    return event === undefined || event < 0 ? null : { lane, event };
  }

  function detail(ref: EventRef): EventDetail {
    const lane = profile.lanes[ref.lane]!;
    const holder = lane.holder[ref.event]!;
    return {
      item: makeItem(profile, ref),
      self_ns: selfOf(lane, ref.event),
      category: "",
      context: lane.context[ref.event]!,
      pass: lane.pass[ref.event]!,
      arguments: [],
      previous: itemOf(findNeighbour(profile, ref, -1)),
      next: itemOf(findNeighbour(profile, ref, 1)),
      parent: holder < 0 ? null : makeItem(profile, { lane: ref.lane, event: holder }),
      incoming: [],
      outgoing: [],
      allocations: [],
    };
  }

  function allocationOf(l: number, i: number, whole_bytes: number): AllocationItem {
    const memory = profile.lanes[l]!.memory!;
    return {
      lane: l,
      allocation: i,
      key: memory.key[i]!,
      size_bytes: memory.size_bytes[i]!,
      share: memory.size_bytes[i]! / Math.max(whole_bytes, 1),
      count: memory.count[i]!,
      dtype: profile.plain[memory.dtype[i]!] ?? "",
      category: "",
      birth: memory.birth[i]!,
      death: memory.death[i]!,
      offset: memory.offset[i]!,
      uses: null,
    };
  }

  return {
    timeline: profile,
    whole: profile,
    isBeginning: false,
    start_ns: null,
    arrived: signal(0),
    look: () => {},
    picture: (scale, text) => makePicture(profile, scale, find(text).marked),
    memoryPicture: () => null,
    changesOf: (_, range) => range,
    detail: (ref) => answer(detail(ref)),
    sumSpan: () => Promise.resolve(fail("not_found", "All spans are exact.")),
    longestIn(l, r, range) {
      const lane = profile.lanes[l]!;
      const row = lane.rows[r]!;
      const [from, to] = findInRow(row, range);
      const events = [...row.event.subarray(from, to)];
      const longest = events.reduce((best, event) => (lane.dur[event]! > lane.dur[best]! ? event : best), events[0]!);
      return longest === undefined
        ? Promise.resolve(fail("not_found", "There is no event."))
        : answer(makeItem(profile, { lane: l, event: longest }));
    },
    search: (text) => answer({ total: find(text).hits.length, items: find(text).hits }),
    stepHit(text, from, by) {
      const { hits } = find(text);
      return answer(stepAround(hits, from, by));
    },
    stepName(from, by) {
      const events = sumName(profile, from.name)?.events ?? [];
      const at = events.findIndex((ref) => isSameEvent(ref, from));
      const to = Math.min(Math.max(at + by, 0), events.length - 1);
      return answer(to === at ? null : itemOf(events[to] ?? null));
    },
    stepInRow(from, by) {
      let found: EventRef | null = null;
      for (let left = Math.abs(by); left > 0; left--) {
        const next = findNeighbour(profile, found ?? from, by > 0 ? 1 : -1);
        if (next === null) break;
        found = next;
      }
      return answer(itemOf(found));
    },
    firstAfter(at) {
      const firsts = profile.lanes.flatMap(({ start }, lane) => {
        const event = start.findIndex((time) => time >= at);
        return event < 0 ? [] : [{ lane, event }];
      });
      return answer(itemOf(firsts[0] ?? null));
    },
    placeInHits(text, item) {
      const { hits } = find(text);
      return answer({ at: hits.findIndex((hit) => isSameEvent(hit, item)), count: hits.length });
    },
    placeInName(item) {
      const events = sumName(profile, item.name)?.events ?? [];
      return answer({ at: events.findIndex((ref) => isSameEvent(ref, item)), count: events.length });
    },
    sumDurations(item) {
      const sums = sumDurations(profile, item.name);
      return sums === null ? Promise.resolve(fail("not_found", "There is no event.")) : answer(sums);
    },
    sumArea: (area) => answer(sumArea(profile, area)),
    listRuns(context, name) {
      const runs = listRuns(profile, context, name).map((ref) => makeItem(profile, ref));
      return answer({
        count: runs.length,
        total_ns: runs.reduce((sum, run) => sum + run.dur, 0),
        longest: runs.reduce<EventItem | null>((best, run) => (best === null || run.dur > best.dur ? run : best), null),
      });
    },
    memorySummary(l) {
      const memory = profile.lanes[l]!.memory!;
      const { free_bytes, largest_bytes } = measureHoles(memory, memory.atPeak);
      return answer({
        categories: memory.categories.names.map((name) => (name < 0 ? "all others" : (profile.plain[name] ?? ""))),
        fragmentation: memory.isAddressed
          ? { share: free_bytes / Math.max(free_bytes + memory.peak_bytes, 1), largest_bytes }
          : null,
      });
    },
    listSet(l, set) {
      const memory = profile.lanes[l]!.memory!;
      const bytes = set === "peak" ? memory.peak_bytes : memory.end_bytes;
      const items = Array.from(listSet(memory, set), (i) => allocationOf(l, i, bytes));
      return answer({ bytes, count: items.length, items });
    },
    allocation(l, i) {
      const memory = profile.lanes[l]?.memory;
      if (memory == null || i >= memory.birth.length) return Promise.resolve(fail("not_found", "There is no buffer."));
      return answer({ item: allocationOf(l, i, memory.peak_bytes), kernels: [] });
    },
    formatEvent: (item) => formatEventKey(profile, item),
    findEvent: (key) => answer(itemOf(parseEventKey(profile, key) ?? findLinked(key))),
  };
}

function stepAround(hits: readonly EventItem[], from: EventItem | null, by: number): EventItem | null {
  const at = from === null ? -1 : hits.findIndex((hit) => isSameEvent(hit, from));
  if (at >= 0) return hits.at((at + by) % hits.length)!;
  // Beside the hits: counted from the nearest that way.
  const later = from === null ? 0 : hits.findIndex((hit) => hit.start >= from.start);
  const gap = later < 0 ? hits.length : later;
  return hits.at((by > 0 ? gap + by - 1 : gap + by) % hits.length) ?? null;
}

function makePicture(profile: Profile, scale: Scale, marked: Marked | null): Picture {
  const spansOf = keepSpans(profile.lanes, scale);
  const ticks = new Map<number, Tick[]>();
  return {
    spansOf,
    stepsOf: () => [], // a profile with counters comes in tiles
    ticksOf(l, r) {
      if (marked === null) return [];
      const key = l * 65536 + r;
      let list = ticks.get(key);
      if (list === undefined) ticks.set(key, (list = listTicks(profile, l, r, scale, marked)));
      return list;
    },
  };
}

function listTicks(profile: Profile, l: number, r: number, scale: Scale, marked: Marked): Tick[] {
  const row = profile.lanes[l]?.rows[r];
  if (row === undefined) return [];
  const [from, to] = findInRow(row, scale.range);
  const ticks: Tick[] = [];
  for (let i = from; i < to; i++) {
    if (marked[l]![row.event[i]!] === 0) continue;
    const x0 = columnOf(scale, row.start[i]!);
    addTick(ticks, { x0, x1: Math.max(columnOf(scale, row.end[i]!), x0 + 2), count: 1 });
  }
  return ticks;
}
