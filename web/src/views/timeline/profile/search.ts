// Finding events of a profile: by text, by name, and one after another.
import { stripAnsi } from "../../../lib/ansi";
import { formatEventKey, parseEventKey } from "../../../lib/links";
import { fail, succeed, type Result } from "../../../lib/result";
import { readEvent } from "../../../lib/timeline/answers";
import { formatOrder } from "../../../lib/timeline/event-order";
import { pickOf, quoteName } from "../../../lib/timeline/event-search";
import type { EventDetail, EventItem, EventRef } from "../../../lib/timeline/events";
import { listLanes } from "../../../lib/timeline/stats";
import type { EventPlace, Hits, TimelineSource } from "../../../lib/timeline/source";
import { findLane, type Timeline } from "../../../lib/timeline/timeline";
import type { WireEvent, WireHits } from "../../../lib/timeline/wire";
import type { ProfileConnection } from "./connection";

/** The most rows that a list of events or allocations has. */
export const kMostListed = 1000;
/** Events of one name that may start together. */
const kMostAtOnce = 16;

/** Asks about one event. */
export type AskDetail = (ref: EventRef) => Promise<Result<EventDetail>>;

/** A report says that it has no answer where a person asks; these two questions the page asks by itself. */
const kNobodyAsked = fail("not_found", "This is not in this report.");

const cursorOf = ({ start, lane, event }: EventItem) => `${start}.${lane}.${event}`;
const queryOfText = (text: string) => `pick=${encodeURIComponent(pickOf(text))}`;

/** The part of a source that finds events by what they are called. */
export function answerSearches({
  wire,
  get,
  api: { report },
}: ProfileConnection): Pick<TimelineSource, "search" | "stepHit" | "stepName" | "placeInHits" | "placeInName"> {
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
    search: (text, order) =>
      get<WireHits, { total: number; items: EventItem[] }>(
        `events/search?${queryOfText(text)}&limit=${kMostListed}&arguments=1&sort=${encodeURIComponent(formatOrder(order))}`,
        ({ total, items }) => ({ total, items: items.map(readEvent) }),
      ),
    async stepHit(text, from, by) {
      const query = queryOfText(text);
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
    placeInHits: (text, item) => placeOf(queryOfText(text), item),
    placeInName: (item) => (report === undefined ? placeOf(`name=${item.name}`, item) : Promise.resolve(kNobodyAsked)),
  };
}

/** The part of a source that finds events by where they are. */
export function answerNeighbours(
  { get, api: { report } }: ProfileConnection,
  timeline: Timeline,
  detail: AskDetail,
): Pick<TimelineSource, "stepInRow" | "firstAfter" | "nearest"> {
  return {
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
      if (report !== undefined) return kNobodyAsked;
      const near = async (beside: string) =>
        get<WireHits, EventItem | null>(
          `events/search?q=${encodeURIComponent("dur>=0")}&lanes=${listLanes(lanes, timeline.lanes).join(",")}&${beside}=${Math.floor(from)}&limit=1`,
          ({ items }) => (items[0] === undefined ? null : readEvent(items[0])),
        );
      const [before, after] = await Promise.all([near("before"), near("after")]);
      if (!before.ok) return before;
      return after.ok ? succeed({ before: before.value, after: after.value }) : after;
    },
  };
}

/** The part of a source that writes an event into a URL, and finds it again. */
export function answerKeys(
  { get }: ProfileConnection,
  timeline: Timeline,
  detail: AskDetail,
): Pick<TimelineSource, "formatEvent" | "findEvent"> {
  return {
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
      // It has another number where more of the lane was read since. In a capture made anew, times are others too:
      // there it is the event of that number, or else the next of the name.
      const near = `q=${encodeURIComponent(quoteName(wanted.name))}&lanes=${lane}&after=${wanted.start_ns - 1}&limit=${kMostAtOnce}`;
      return get<WireHits, EventItem | null>(`events/search?${near}`, ({ items }) => {
        const found = items.map(readEvent);
        const again = item !== undefined && isNamed(item) ? item : found.find(isNamed);
        return found.find(isIt) ?? again ?? null;
      });
    },
  };
}
