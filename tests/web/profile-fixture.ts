// Profiles made by hand for the timeline's tests: as the page has them once all tiles of level 0 are there.
import { kUnknown, type TileRow, type Tiles } from "../../web/src/lib/timeline/tile-codec";
import { NameHues } from "../../web/src/lib/timeline/name-hues";
import { stripAnsi } from "../../web/src/lib/ansi";
import { TileCache } from "../../web/src/lib/timeline/tile-cache";
import type { EventItem } from "../../web/src/lib/timeline/events";
import type { LaneInfo, MemoryInfo, Timeline } from "../../web/src/lib/timeline/timeline";

export interface MadeEvent {
  start: number;
  end: number;
  name: string;
  row?: number;
}

export interface MadeProfile {
  timeline: Timeline;
  /** All of it, at level 0. */
  tiles: Tiles;
  cache: TileCache;
  /** By lane and index, as the server numbers them: row by row. */
  itemOf(lane: number, event: number): EventItem;
}

export function makeLane(name: string, more: Partial<LaneInfo> = {}): LaneInfo {
  const tree = { path: name, title: name, kind: "", above: [], place: 0 };
  const none = { rowCount: 0, eventCount: 0, relaned: 0, busy_ns: 0, hz: null, memory: null, sampleCount: 0 };
  const work = { work: null, launches: 0 };
  const lists = { counters: [], arguments: [] };
  return { ...lists, ...tree, ...none, ...work, name, ...more };
}

/** Rows are as given; events of one do not overlap. */
export function makeProfile(lanes: Record<string, MadeEvent[]>, memory: Record<string, MemoryInfo> = {}): MadeProfile {
  const strings: string[] = [];
  const numberOf = (text: string) => {
    if (!strings.includes(text)) strings.push(text);
    return strings.indexOf(text);
  };
  const items: EventItem[][] = [];
  const rows: Tiles["rows"] = [];
  const infos = Object.entries(lanes).map(([name, events], lane) => {
    const rowCount = Math.max(0, ...events.map((e) => (e.row ?? 0) + 1));
    const ofLane: EventItem[] = (items[lane] = []);
    for (let row = 0; row < rowCount; row++) {
      const first = ofLane.length;
      const inRow = events.filter((e) => (e.row ?? 0) === row).sort((a, b) => a.start - b.start);
      for (const { start, end, name: label } of inRow) {
        const event = ofLane.length;
        ofLane.push({
          lane,
          event,
          row,
          name: numberOf(label),
          label,
          start,
          dur: end - start,
          dur_ps: 0,
          kind: "span",
          isError: false,
        });
      }
      rows.push({ lane, row, tiles: [makeRow(ofLane.slice(first))] });
    }
    return makeLane(name, { rowCount, eventCount: ofLane.length, memory: memory[name] ?? null });
  });
  const plain = strings.map(stripAnsi);
  const cache = new TileCache(new NameHues(plain));
  const tiles: Tiles = { level: 0, from: 0, to: 0, rows, counters: [] };
  cache.addWhole([tiles], "");
  const dur_ns = Math.max(0, ...Object.values(lanes).flatMap((events) => events.map((e) => e.end)));
  const eventCount = items.reduce((sum, list) => sum + list.length, 0);
  return {
    timeline: { dur_ns, strings, plain, nameClasses: [], lanes: infos, markers: [], runs: [], eventCount },
    tiles,
    cache,
    itemOf: (lane, event) => items[lane]![event]!,
  };
}

/** A tile of level 0 in which each event is a span. */
export function makeRow(items: readonly EventItem[]): TileRow {
  const n = items.length;
  return {
    first: items[0]?.event ?? 0,
    isCarriedOver: false,
    count: n,
    busy_ns: items.reduce((sum, item) => sum + item.dur, 0),
    start: Float64Array.from(items, (item) => item.start),
    width: Float64Array.from(items, (item) => Math.max(item.dur, 1)),
    events: new Uint32Array(n).fill(1),
    event: Uint32Array.from(items, (item) => item.event),
    name: Uint32Array.from(items, (item) => item.name),
    traits: new Uint8Array(n),
    busy: new Uint8Array(n).fill(255),
    share: new Uint8Array(n).fill(255),
    ticks: new Float64Array(0),
    picked: new Uint32Array(0),
  };
}

/** The same of aggregates: [start and width in units, number of events]. */
export function makeAggregates(spans: readonly [start: number, width: number, events: number][]): TileRow {
  const n = spans.length;
  return {
    ...makeRow([]),
    count: spans.reduce((sum, [, , events]) => sum + events, 0),
    start: Float64Array.from(spans, ([start]) => start),
    width: Float64Array.from(spans, ([, width]) => width),
    events: Uint32Array.from(spans, ([, , events]) => events),
    event: new Uint32Array(n).fill(kUnknown),
    name: new Uint32Array(n),
    traits: new Uint8Array(n),
    busy: new Uint8Array(n).fill(128),
    share: new Uint8Array(n).fill(200),
  };
}

/** Numbers that look random and are the same in every run (a linear congruential generator). */
export function makeRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** Disjoint events of one row in bursts, from far shorter to far longer than a pixel. */
export function makeBursts(count: number, seed: number): MadeEvent[] {
  const random = makeRandom(seed);
  const events: MadeEvent[] = [];
  let at = 0;
  for (let i = 0; i < count; i++) {
    at += random(20) === 0 ? random(50_000) : random(4) * random(40);
    const length = 1 + (random(50) === 0 ? random(40_000) : random(200));
    events.push({ start: at, end: at + length, name: `kernel_${random(7)}` });
    at += length;
  }
  return events;
}
