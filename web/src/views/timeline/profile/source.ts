// A profile on the server, as the view knows it: tiles for what is drawn (a small profile comes whole, in one request),
// and an answer of the server's to every question.
import { signal } from "@preact/signals";
import type { Api } from "../../../lib/api";
import type { Problem } from "../../../lib/result";
import { readLanes, readRuns } from "../../../lib/timeline/answers";
import { pickOf } from "../../../lib/timeline/event-search";
import { kindOfModule, NameHues } from "../../../lib/timeline/name-hues";
import type { Picture, TimelineSource } from "../../../lib/timeline/source";
import type { Scale } from "../../../lib/timeline/spans";
import { TileCache } from "../../../lib/timeline/tile-cache";
import type { Timeline, TraceInfo } from "../../../lib/timeline/timeline";
import type { WireLanes, WireTrace } from "../../../lib/timeline/wire";
import { connectProfile } from "./connection";
import { answerFigures } from "./figures";
import { createMemory } from "./memory";
import { createNames, type ProfileNames } from "./names";
import { answerKeys, answerNeighbours, answerSearches } from "./search";
import { createTileFetcher } from "./tile-fetcher";

/** A profile with no more events, samples and allocations together comes at once (server/http/API.md). */
const kMostOfSmall = 20_000;

export function createTimelineSource(api: Api, wire: WireLanes, onProblem: (problem: Problem) => void): TimelineSource {
  const connection = connectProfile(api, wire, onProblem);
  const { isBeginning } = connection;
  // A report has the whole as finely as it has room for.
  const isInReport = api.report?.has(`/api/v1/tiles/${wire.key}/all`) ?? false;
  const isSmall = !isBeginning && (isInReport || countItems(wire) <= kMostOfSmall);
  const start_ns = wire.start === undefined ? null : BigInt(wire.start);
  const arrived = signal(0);
  const onArrival = () => void arrived.value++;
  const names = createNames(connection, onArrival);
  const timeline = readTimeline(wire, names);
  const cache = new TileCache(new NameHues(names.plain, wire.over === undefined ? undefined : kindOfModule));
  const memory = createMemory(connection, onArrival);
  const lookAtTiles = createTileFetcher({
    api,
    pathOf: (query) => connection.pathOf(`tiles/${wire.key}${query}`),
    cache,
    isSmall,
    onTiles(tiles) {
      names.fetchFor(tiles);
      onArrival();
    },
    onWhole({ levels, memories }) {
      levels.forEach(names.fetchFor);
      memory.keepExact(memories);
      onArrival();
    },
    onProblem,
  });
  const figures = answerFigures(connection, timeline);
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
      lookAtTiles(view);
      if (!isSmall || isInReport) memory.look(view);
    },
    captureOf: () => null,
    picture: (scale, find) => pictureOf(cache, scale, pickOf(find)),
    ...figures,
    ...memory.answers,
    ...answerSearches(connection),
    ...answerNeighbours(connection, timeline, figures.detail),
    ...answerKeys(connection, timeline, figures.detail),
  };
}

function readTrace({ clock_cycle, clock_ns, ...about }: WireTrace): TraceInfo {
  return { ...about, clockCycle: Float64Array.from(clock_cycle), clock_ns: Float64Array.from(clock_ns) };
}

function readTimeline(wire: WireLanes, { strings, plain }: ProfileNames): Timeline {
  return {
    dur_ns: wire.dur_ns,
    strings,
    nameCount: wire.name_count,
    plain,
    nameClasses: [...(wire.name_classes ?? "")],
    lanes: readLanes(wire),
    markers: [...wire.markers].sort((a, b) => a.at - b.at),
    runs: readRuns(wire.runs),
    eventCount: wire.events,
    ...(wire.trace === undefined ? {} : { trace: readTrace(wire.trace) }),
    ...(wire.traced_runs === undefined ? {} : { tracedRuns: wire.traced_runs }),
  };
}

function pictureOf(cache: TileCache, scale: Scale, pick: string): Picture {
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
}

function countItems({ events, lanes = [] }: WireLanes): number {
  const others = lanes.map(({ counters = [], memory }) =>
    counters.reduce((sum, { samples }) => sum + samples, memory?.allocations ?? 0),
  );
  return others.reduce((sum, count) => sum + count, events);
}
