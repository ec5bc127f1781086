// The lanes of a capture with those of its graphs' replays laid among them: each over the lane of the work that it is of.
// They are a profile by themselves, whose spans say what the work is: searches, idleness and figures are of the
// capture's own events alone; only an area that holds nothing else is of them.
import { computed } from "@preact/signals";
import { succeed, type Result } from "../../result";
import type { TimelineSource } from "../source";
import type { LaneInfo, Timeline } from "../timeline";
import { joinClasses, takeNames } from "./joined-timeline";
import { answerOfEvents, answerOfMemory, joinPictures } from "./one-part";
import { PlacedParts, type PlacedPart } from "./parts";

/** Begins the key of an event of theirs. */
const kKey = "replays!";
/** How far before a lane those over it stand: the first listed is the outermost. */
const kStep = 1e-3;

/** over: by lane of the replays the capture's lane that it stands over; -1: none. */
export function layReplays(capture: TimelineSource, replays: TimelineSource, over: readonly number[]): TimelineSource {
  // Numbers of the capture's lanes and names stay what they were: it was on screen already.
  const parts = new PlacedParts(
    [
      { name: "", source: capture, shift_ns: 0 },
      { name: "", source: replays, shift_ns: 0 },
    ],
    [0, capture.timeline.nameCount ?? capture.timeline.strings.length],
  );
  const [own, added] = [parts.list[0]!, parts.list[1]!];
  const timeline = {
    ...capture.timeline,
    strings: [] as string[],
    plain: [] as string[],
    nameClasses: joinClasses(parts.list),
    lanes: placeLanes(parts, over),
  } satisfies Timeline;
  takeNames(parts, timeline);
  const arrived = computed(() => {
    const sum = capture.arrived.value + replays.arrived.value;
    takeNames(parts, timeline);
    return sum;
  });
  return {
    timeline,
    isBeginning: capture.isBeginning,
    start_ns: capture.start_ns,
    clock: capture.clock,
    arrived,
    look(view) {
      for (const part of parts.list) part.source.look(parts.viewOf(part, view));
    },
    picture: (scale, find) => joinPictures(parts, [capture.picture(scale, find), replays.picture(scale, "")]),
    ...answerOfEvents(parts),
    ...answerOfMemory(parts),
    ...answerOfCapture(parts, own, added),
    // What replays are told of by is in no snapshot.
    captureOf: (lane) => (parts.of(lane) === own ? null : ""),
    formatEvent: (item) =>
      parts.of(item.lane) === own
        ? capture.formatEvent(own.eventOf(item))
        : kKey + replays.formatEvent(added.eventOf(item)),
    async findEvent(key) {
      const part = key.startsWith(kKey) ? added : own;
      const found = await part.source.findEvent(part === added ? key.slice(kKey.length) : key);
      return mapResult(found, (event) => part.maybeEventIn(event));
    },
  };
}

function placeLanes(parts: PlacedParts, over: readonly number[]): LaneInfo[] {
  const [own, added] = [parts.list[0]!, parts.list[1]!];
  const { lanes } = own.source.timeline;
  const known = new Map(lanes.map(({ path }, lane) => [path, lane]));
  const extra = added.source.timeline.lanes.map((lane, at): LaneInfo => {
    const below = lanes[over[at] ?? -1];
    return {
      ...lane,
      // The same tracks as the capture's.
      above: lane.above.map((track) => known.get(added.source.timeline.lanes[track]!.path) ?? added.laneIn(track)),
      place: below === undefined ? lane.place : below.place - 1 + (at + 1) * kStep,
      isOfReplays: true,
    };
  });
  return [...lanes, ...extra];
}

type OfCapture = Pick<
  TimelineSource,
  | "gapAt"
  | "gapsIn"
  | "naming"
  | "search"
  | "stepHit"
  | "placeInHits"
  | "firstAfter"
  | "nearest"
  | "sumArea"
  | "listStacks"
>;

/** Questions about events in general are about the capture's own. */
function answerOfCapture(parts: PlacedParts, own: PlacedPart, added: PlacedPart): OfCapture {
  const { source } = own;
  const isOwn = ({ lane }: { lane: number }) => parts.of(lane) === own;
  /** The part that an area is of, and its lanes there. */
  const partOf = (lanes: readonly number[]): [PlacedPart, number[]] => {
    const ofOwn = parts.lanesOf(own, lanes);
    return ofOwn.length > 0 || lanes.length === 0 ? [own, ofOwn] : [added, parts.lanesOf(added, lanes)];
  };
  return {
    gapAt: async (lane, at) =>
      parts.of(lane) === own ? answerOfEvents(parts).gapAt(lane, at) : Promise.resolve(succeed(null)),
    gapsIn: (range, least_ns) => source.gapsIn(range, least_ns),
    naming: async (ref) => (isOwn(ref) ? source.naming(ref) : succeed(null)),
    search: async (text, order) =>
      mapResult(await source.search(text, order), ({ total, items }) => ({
        total,
        items: items.map((event) => own.eventIn(event)),
      })),
    stepHit: async (text, from, by) =>
      mapResult(await source.stepHit(text, from !== null && isOwn(from) ? own.eventOf(from) : null, by), (event) =>
        own.maybeEventIn(event),
      ),
    placeInHits: async (text, item) =>
      isOwn(item) ? source.placeInHits(text, own.eventOf(item)) : succeed({ at: 0, count: 0 }),
    firstAfter: async (at) => mapResult(await source.firstAfter(at), (event) => own.maybeEventIn(event)),
    async nearest(range, lanes) {
      const [part, its] = partOf(lanes);
      return mapResult(await part.source.nearest(range, its), ({ before, after }) => ({
        before: part.maybeEventIn(before),
        after: part.maybeEventIn(after),
      }));
    },
    async sumArea({ range, lanes }, lines) {
      const [part, its] = partOf(lanes);
      return mapResult(await part.source.sumArea({ range, lanes: its }, lines), (stats) => ({
        ...stats,
        names: stats.names.map((line) => ({
          ...line,
          name: part.nameIn(line.name),
          lane: line.lane === null ? null : part.laneIn(line.lane),
          worst: part.itemIn(line.worst),
        })),
      }));
    },
    listStacks({ range, lanes }) {
      const [part, its] = partOf(lanes);
      return part.source.listStacks({ range, lanes: its });
    },
  };
}

function mapResult<T, U>(found: Result<T>, read: (value: T) => U): Result<U> {
  return found.ok ? succeed(read(found.value)) : found;
}
