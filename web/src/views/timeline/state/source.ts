// A profile on the server, as the view knows it: tiles for what is drawn (of a small profile all of them at once), and an
// answer of the server's to every question.
import { signal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../../lib/api";
import { stripAnsi } from "../../../lib/ansi";
import { formatEventKey, parseEventKey } from "../../../lib/links";
import { formatOrder } from "../../../lib/timeline/event-order";
import { pickOf, quoteName } from "../../../lib/timeline/event-search";
import type { AllocationItem, EventDetail, EventItem, EventRef } from "../../../lib/timeline/events";
import { kDurationBins, type Area, type AreaStats, type DurationSums } from "../../../lib/timeline/stats";
import { kMostStacks, type StackTable } from "../../../lib/timeline/stacks";
import { readMemoryPicture, type MemoryOrder } from "../../../lib/timeline/memory-picture";
import { NameHues } from "../../../lib/timeline/name-hues";
import { fail, succeed, type Problem, type Result } from "../../../lib/result";
import { TileCache } from "../../../lib/timeline/tile-cache";
import type { Tiles } from "../../../lib/timeline/tile-codec";
import type { TimeRange } from "../../../lib/time";
import {
  readAllocation,
  readDetail,
  readDurations,
  readEvent,
  readLanes,
  readStacks,
  readStats,
} from "../../../lib/timeline/answers";
import type {
  AllocationUses,
  EventPlace,
  Hits,
  MemorySummary,
  SpanSums,
  TimelineSource,
} from "../../../lib/timeline/source";
import type {
  WireAllocation,
  WireAllocationSet,
  WireDurations,
  WireEvent,
  WireEventDetail,
  WireHits,
  WireLanes,
  WireMemorySummary,
  WireRange,
  WireSpan,
  WireStacks,
} from "../../../lib/timeline/wire";
import { findLane } from "../../../lib/timeline/timeline";
import { createMemoryFetcher } from "./memory-fetcher";
import { createTileFetcher } from "./tile-fetcher";

const kNamesPage = 1024;
const kMostListed = 1000;
/** Events of one name that may start together. */
const kMostAtOnce = 16;

/** Of a profile that comes at once: events, samples and allocations together (server/http/API.md). */
const kMostOfSmall = 20_000;

export function createTimelineSource(api: Api, wire: WireLanes, onProblem: (problem: Problem) => void): TimelineSource {
  const { capture, key } = wire;
  const strings: string[] = [...wire.names];
  const plain: string[] = wire.names.map(stripAnsi);
  const timeline = {
    dur_ns: wire.dur_ns,
    strings,
    plain,
    lanes: readLanes(wire.lanes ?? [], wire.order),
    markers: [...wire.markers].sort((a, b) => a.at - b.at),
    runs: (wire.runs ?? []).map(({ from_ns, to_ns, ...run }) => ({ ...run, from: from_ns, to: to_ns })),
    eventCount: wire.events,
  };
  const start_ns = wire.start === undefined ? null : BigInt(wire.start);
  const cache = new TileCache(new NameHues(plain));
  const arrived = signal(0);
  const pagesAsked = new Set<number>([0]);

  const isBeginning = wire.status === "opening";

  const isSmall = !isBeginning && countItems(wire) <= kMostOfSmall;

  const get = async <T, U>(path: string, read: (wire: T) => U): Promise<Result<U>> => {
    // Who names no key waits for the whole, whose numbers are others.
    const keyed = isBeginning ? `${path}${path.includes("?") ? "&" : "?"}key=${key}` : path;
    const answer = await api.getJson<T>(pathOfCapture(`/api/v1/${keyed}`, capture));
    return answer.ok ? succeed(read(answer.value)) : answer;
  };

  /** Names beyond the first page, once a tile has one of them. */
  function fetchNames(tiles: Tiles): void {
    for (const { tiles: list } of tiles.rows) {
      for (const { name } of list) for (const number of name) void fetchPage(Math.floor(number / kNamesPage));
    }
  }

  async function fetchPage(page: number): Promise<void> {
    if (pagesAsked.has(page)) return;
    pagesAsked.add(page);
    const answer = await get<{ names: string[] }, string[]>(`names/${key}/${page}`, ({ names }) => names);
    if (!answer.ok) return onProblem(answer.error);
    answer.value.forEach((name, i) => {
      strings[page * kNamesPage + i] = name;
      plain[page * kNamesPage + i] = stripAnsi(name);
    });
    arrived.value++;
  }

  const look = createTileFetcher({
    api,
    pathOf: (query) => pathOfCapture(`/api/v1/tiles/${key}${query}`, capture),
    cache,
    isSmall,
    onTiles(tiles) {
      fetchNames(tiles);
      arrived.value++;
    },
    onWhole({ levels, memories }) {
      levels.forEach(fetchNames);
      for (const { lane, byTime, byOrder } of memories) {
        const inOrder = readMemoryPicture(byOrder);
        memory.keepExact(lane, readMemoryPicture(byTime), inOrder);
        orders.set(lane, inOrder.to);
      }
      arrived.value++;
    },
    onProblem,
  });

  const orders = new Map<number, number>();
  const summaryOf = (lane: number) =>
    get<WireMemorySummary, WireMemorySummary>(`memory/${key}/${lane}/summary`, (answer) => answer);

  /** How many allocations and frees there are. */
  async function fetchOrders(lane: number): Promise<void> {
    if (orders.has(lane)) return;
    orders.set(lane, 2 * (wire.lanes?.[lane]?.memory?.allocations ?? 0)); // until it is known
    const answer = await summaryOf(lane);
    if (!answer.ok) return onProblem(answer.error);
    orders.set(lane, answer.value.orders);
    arrived.value++;
  }

  const endOf = (lane: number, order: MemoryOrder) =>
    order === "time" ? wire.dur_ns : Math.max(orders.get(lane) ?? 0, 1);

  /** In order, the view is the same share of all changes as it is of all time. */
  function spanOfOrder(lane: number, range: TimeRange, order: MemoryOrder): TimeRange {
    if (order === "time") return range;
    const scale = endOf(lane, order) / Math.max(wire.dur_ns, 1);
    return { from: range.from * scale, to: range.to * scale };
  }

  const memory = createMemoryFetcher({
    api,
    pathOf: (lane, query) => pathOfCapture(`/api/v1/memory/${key}/${lane}?${query}`, capture),
    spanOf: spanOfOrder,
    endOf,
    onPicture: () => arrived.value++,
    onProblem,
  });

  const detail = ({ lane, event }: EventRef) => get<WireEventDetail, EventDetail>(`event/${lane}/${event}`, readDetail);
  const sumSpan: TimelineSource["sumSpan"] = (lane, row, place) =>
    get<WireSpan, SpanSums>(
      `span/${key}?level=${place.level}&tile=${place.tile}&rows=${lane}:${row}-${row}&span=${place.span}`,
      ({ events, busy_ns, name_ns, longest }) => ({
        place,
        count: events,
        longest: readEvent(longest),
        share: busy_ns > 0 ? name_ns / busy_ns : 0,
      }),
    );
  const cursorOf = ({ start, lane, event }: EventItem) => `${start}.${lane}.${event}`;

  /** Up to so many of what a query finds after an event, or before it, the nearest first; without one, from the end. */
  async function searchFrom(query: string, from: EventItem | null, by: number): Promise<Result<Hits>> {
    const start = from === null ? `${by > 0 ? -1 : wire.dur_ns + 1}` : cursorOf(from);
    const limit = Math.min(Math.abs(by), kMostListed);
    const beside = `${by > 0 ? "after" : "before"}=${start}`;
    return get<WireHits, Hits>(`events/search?${query}&${beside}&limit=${limit}`, ({ total, items }) => {
      const found = items.map(readEvent);
      return { total, items: by > 0 ? found : found.reverse() };
    });
  }

  /** By how many of what a query finds come before. */
  async function placeOf(query: string, item: EventItem): Promise<Result<EventPlace>> {
    const before = `events/search?${query}&before=${cursorOf(item)}&limit=1`;
    return get<WireHits, EventPlace>(before, ({ total, rank }) => ({ at: rank === null ? 0 : rank + 1, count: total }));
  }

  return {
    timeline,
    isBeginning,
    start_ns,
    clock: {
      name: wire.clock?.name ?? "",
      start_ns,
      unix_start_ns: wire.clock?.unix_start == null ? null : BigInt(wire.clock.unix_start),
    },
    arrived,
    look(view) {
      look(view);
      if (isSmall) return;
      memory.look(view);
      if (view.order === "events") for (const { lane } of view.memories) void fetchOrders(lane);
    },
    picture(scale, find) {
      const pick = pickOf(find);
      const spans = new Map<number, ReturnType<TileCache["spansOf"]>>();
      return {
        spansOf(lane, row) {
          const place = lane * 65536 + row;
          let list = spans.get(place);
          if (list === undefined) spans.set(place, (list = cache.spansOf(scale, lane, row)));
          return list;
        },
        ticksOf: (lane, row) => (pick === "" ? [] : cache.ticksOf(scale, lane, row, pick)),
        stepsOf: (lane, counter) => cache.stepsOf(scale, lane, counter),
      };
    },
    memoryPicture: memory.pictureOf,
    changesOf: spanOfOrder,
    detail,
    sumSpan,
    async longestIn(lane, row, { from, to }) {
      const answer = await get<WireRange, WireRange>(
        `range?from=${Math.floor(from)}&to=${Math.ceil(to)}&rows=${lane}:${row}-${row}`,
        (range) => range,
      );
      if (!answer.ok) return answer;
      const [first, ...rest] = answer.value.names;
      if (first === undefined) return fail("not_found", "There is no event.");
      const { worst } = rest.reduce((best, name) => (name.max_ns > best.max_ns ? name : best), first);
      const found = await detail({ lane: worst.lane, event: worst.index });
      return found.ok ? succeed(found.value.item) : found;
    },
    search: (text, order) =>
      get<WireHits, { total: number; items: EventItem[] }>(
        `events/search?pick=${encodeURIComponent(pickOf(text))}&limit=${kMostListed}&arguments=1&sort=${encodeURIComponent(formatOrder(order))}`,
        ({ total, items }) => ({ total, items: items.map(readEvent) }),
      ),
    async stepHit(text, from, by) {
      const query = `pick=${encodeURIComponent(pickOf(text))}`;
      const hits = await searchFrom(query, from, by);
      if (!hits.ok) return hits;
      const { total, items } = hits.value;
      const left = Math.abs(by) - items.length;
      if (left <= 0 || total === 0) return succeed(items.at(-1) ?? null);
      const around = await searchFrom(query, null, Math.sign(by) * (((left - 1) % total) + 1));
      return around.ok ? succeed(around.value.items.at(-1) ?? null) : around;
    },
    async stepName(from, by) {
      const hits = await searchFrom(`name=${from.name}`, from, by);
      return hits.ok ? succeed(hits.value.items.at(-1) ?? null) : hits;
    },
    async stepInRow(from, by) {
      // Events of a row have consecutive numbers; where the row ends shows only beyond its end.
      const { lane, row } = from;
      let found: EventItem | null = null;
      let [event, step] = [from.event, by];
      while (step !== 0 && event !== from.event + by) {
        const isThere = event + step >= 0 && event + step < timeline.lanes[lane]!.eventCount;
        const answer = isThere ? await detail({ lane, event: event + step }) : null;
        if (answer !== null && !answer.ok) return answer;
        if (answer?.value.item.row === row) {
          found = answer.value.item;
          event += step;
        } else step = Math.trunc(step / 2);
      }
      return succeed(found);
    },
    async firstAfter(at) {
      for (const [lane, { rowCount }] of timeline.lanes.entries()) {
        if (rowCount === 0) continue;
        const query = `at?lane=${lane}&row=0&at=${Math.ceil(at)}&next=1`;
        const found = await get<WireEvent | { index: null }, EventItem | null>(query, (event) =>
          event.index === null ? null : readEvent(event),
        );
        if (!found.ok || found.value !== null) return found;
      }
      return succeed(null);
    },
    async nearest({ from }, lanes) {
      const near = async (beside: string) =>
        get<WireHits, EventItem | null>(
          `events/search?q=${encodeURIComponent("dur>=0")}&lanes=${lanes.join(",")}&${beside}=${Math.floor(from)}&limit=1`,
          ({ items }) => (items[0] === undefined ? null : readEvent(items[0])),
        );
      const [before, after] = await Promise.all([near("before"), near("after")]);
      if (!before.ok) return before;
      return after.ok ? succeed({ before: before.value, after: after.value }) : after;
    },
    placeInHits: (text, item) => placeOf(`pick=${encodeURIComponent(pickOf(text))}`, item),
    placeInName: (item) => placeOf(`name=${item.name}`, item),
    sumDurations: (item) =>
      get<WireDurations, DurationSums>(
        `durations/${key}/${item.name}?bins=${kDurationBins}&lanes=${item.lane}`,
        readDurations,
      ),
    sumArea: (chosen, lines) => {
      // Chosen in a timeline that may have had more lanes.
      const area = { ...chosen, lanes: chosen.lanes.filter((lane) => lane < timeline.lanes.length) };
      return get<WireRange, AreaStats>(`${composeArea(area)}${lines === "lanes" ? "&by=lane" : ""}`, readStats);
    },
    listStacks: ({ range, lanes }) => {
      const asked = `from=${Math.floor(range.from)}&to=${Math.ceil(range.to)}&lanes=${lanes.join(",")}`;
      return get<WireStacks, StackTable>(`stacks?${asked}&limit=${kMostStacks}`, readStacks);
    },
    memorySummary: (lane) =>
      get<WireMemorySummary, MemorySummary>(`memory/${key}/${lane}/summary`, ({ categories, fragmentation }) => ({
        categories: categories.map(({ name }) => name),
        fragmentation:
          fragmentation === null
            ? null
            : { share: fragmentation.at_peak, largest_bytes: fragmentation.largest_hole_bytes },
      })),
    listSet: (lane, set) =>
      get<WireAllocationSet, { bytes: number; count: number; items: AllocationItem[] }>(
        `memory/${key}/${lane}/set?at=${set}&limit=${kMostListed}`,
        ({ bytes, count, items }) => ({ bytes, count, items: items.map((item) => readAllocation(lane, item)) }),
      ),
    allocation: (lane, index) =>
      get<WireAllocation & { made_by: WireEvent | null; kernels: WireEvent[] }, AllocationUses>(
        `allocation/${lane}/${index}`,
        (answer) => ({
          item: readAllocation(lane, answer),
          madeBy: answer.made_by === null ? null : readEvent(answer.made_by),
          kernels: answer.kernels.map(readEvent),
        }),
      ),
    formatEvent: ({ lane, event, start, label }) =>
      formatEventKey({
        lane: timeline.lanes[lane]?.path ?? "",
        index: event,
        start_ns: start,
        name: stripAnsi(label),
      }),
    async findEvent(key) {
      const wanted = parseEventKey(key);
      const lane = findLane(timeline, wanted?.lane);
      if (wanted === null || lane < 0) return succeed(null);
      const isNamed = ({ label }: EventItem) => stripAnsi(label) === wanted.name;
      const isIt = (item: EventItem) => item.start === wanted.start_ns && isNamed(item);
      const isThere = wanted.index < timeline.lanes[lane]!.eventCount;
      const there = isThere ? await detail({ lane, event: wanted.index }) : null;
      if (there !== null && !there.ok) return there;
      const item = there?.value.item;
      if (item !== undefined && isIt(item)) return succeed(item);
      // Numbered otherwise, where more of the lane was read since; or of a capture made anew, where times are others:
      // then the event of that number, else the next of the name.
      const near = `q=${encodeURIComponent(quoteName(wanted.name))}&lanes=${lane}&after=${wanted.start_ns - 1}&limit=${kMostAtOnce}`;
      return get<WireHits, EventItem | null>(`events/search?${near}`, ({ items }) => {
        const found = items.map(readEvent);
        const again = item !== undefined && isNamed(item) ? item : found.find(isNamed);
        return found.find(isIt) ?? again ?? null;
      });
    },
  };
}

function countItems({ events, lanes = [] }: WireLanes): number {
  const others = lanes.map(({ counters = [], memory }) =>
    counters.reduce((sum, { samples }) => sum + samples, memory?.allocations ?? 0),
  );
  return others.reduce((sum, count) => sum + count, events);
}

function composeArea({ range, lanes }: Area): string {
  return `range?from=${Math.floor(range.from)}&to=${Math.ceil(range.to)}&lanes=${lanes.join(",")}`;
}
