// Figures of a profile's events: of one, of an aggregate of the drawing, of a row, of a name and of an area.
import type { WireEventMemory } from "../../../lib/allocator";
import type { WireNaming } from "../../../lib/replays";
import { fail, succeed } from "../../../lib/result";
import {
  readDetail,
  readDurations,
  readEvent,
  readGap,
  readGaps,
  readStacks,
  readStats,
} from "../../../lib/timeline/answers";
import type { EventDetail } from "../../../lib/timeline/events";
import type { DrawnGap, IdleGap } from "../../../lib/timeline/idle";
import type { SpanSums, TimelineSource } from "../../../lib/timeline/source";
import { kMostStacks, type StackTable } from "../../../lib/timeline/stacks";
import { kDurationBins, listLanes, type Area, type AreaStats, type DurationSums } from "../../../lib/timeline/stats";
import type { Timeline } from "../../../lib/timeline/timeline";
import type {
  WireDurations,
  WireEventDetail,
  WireGap,
  WireGaps,
  WireRange,
  WireSpan,
  WireStacks,
} from "../../../lib/timeline/wire";
import type { ProfileConnection } from "./connection";

/** The part of a source that answers about events by their numbers, names and areas. */
export function answerFigures(
  { wire: { key }, get, api: { report } }: ProfileConnection,
  timeline: Timeline,
): Pick<
  TimelineSource,
  | "detail"
  | "gapAt"
  | "gapsIn"
  | "sumSpan"
  | "longestIn"
  | "sumDurations"
  | "sumArea"
  | "listStacks"
  | "naming"
  | "memoryOf"
> {
  const detail: TimelineSource["detail"] = ({ lane, event }) =>
    get<WireEventDetail, EventDetail>(`event/${lane}/${event}`, readDetail);
  /** A report holds the answers under their lanes one by one, however many. */
  const queryOfArea = ({ range, lanes }: Area): string => {
    const listed = report !== undefined ? lanes : listLanes(lanes, timeline.lanes);
    return `from=${Math.floor(range.from)}&to=${Math.ceil(range.to)}&lanes=${listed.join(",")}`;
  };
  return {
    detail,
    gapAt: (lane, at) =>
      get<{ gap: WireGap | null }, IdleGap | null>(`idle/${lane}?at=${Math.floor(at)}`, ({ gap }) =>
        gap === null ? null : readGap(gap),
      ),
    gapsIn: ({ from, to }, least_ns) =>
      get<WireGaps, readonly DrawnGap[]>(
        `idle?from=${Math.floor(from)}&to=${Math.ceil(to)}&least_ns=${Math.ceil(least_ns)}`,
        readGaps,
      ),
    sumSpan: (lane, row, place) =>
      get<WireSpan, SpanSums>(
        `span/${key}?level=${place.level}&tile=${place.tile}&rows=${lane}:${row}-${row}&span=${place.span}`,
        ({ events, busy_ns, name_ns, longest }) => ({
          place,
          count: events,
          longest: readEvent(longest),
          share: busy_ns > 0 ? name_ns / busy_ns : 0,
        }),
      ),
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
    sumDurations: (item) =>
      get<WireDurations, DurationSums>(
        `durations/${key}/${item.name}?bins=${kDurationBins}&lanes=${item.lane}`,
        readDurations,
      ),
    // A report has none, and nobody asked for it by hand.
    naming: ({ lane, event }) =>
      report !== undefined
        ? Promise.resolve(succeed(null))
        : get<WireNaming | { replay: null }, WireNaming | null>(`kernel-naming/${lane}/${event}`, (naming) =>
            naming.replay === null ? null : naming,
          ),
    memoryOf: ({ lane, event }, snapshot) =>
      get<WireEventMemory, WireEventMemory>(`event/${lane}/${event}/memory?with=${snapshot}`, (memory) => memory),
    sumArea: (chosen, lines) => {
      // The area may have been chosen in a timeline that had more lanes.
      const area = { ...chosen, lanes: chosen.lanes.filter((lane) => lane < timeline.lanes.length) };
      return get<WireRange, AreaStats>(`range?${queryOfArea(area)}${lines === "lanes" ? "&by=lane" : ""}`, readStats);
    },
    listStacks: (area) => get<WireStacks, StackTable>(`stacks?${queryOfArea(area)}&limit=${kMostStacks}`, readStacks),
  };
}
