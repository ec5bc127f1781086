// Tiles as they come from the server, and what is drawn from those that are there.
import assert from "node:assert/strict";
import { test } from "node:test";
import { makeAggregates, makeProfile } from "./profile-fixture";
import { NameHues } from "../../web/src/lib/timeline/name-hues";
import { TileCache } from "../../web/src/lib/timeline/tile-cache";
import { ColumnReader, kTileUnits, kUnknown, readTiles, readWholeTiles } from "../../web/src/lib/timeline/tile-codec";
import { levelOf, tilesOf } from "../../web/src/lib/timeline/tile-store";
import { composeQuery, composeWholeQuery } from "../../web/src/views/timeline/profile/tile-fetcher";

interface MadeSpan {
  /** The fields of one event. */
  traits?: number;
  start: number;
  width: number;
  events?: number;
  name?: number;
  share?: number;
}

interface MadeTile {
  first?: number;
  isCarriedOver?: boolean;
  spans: MadeSpan[];
  ticks?: number[];
}

/** The server's encoding of row 0 of lane 0, written again from server/http/API.md. */
function encode(level: number, from: number, tiles: MadeTile[], hasTicks = false): ArrayBuffer {
  const out: number[] = [];
  const put = (value: number) => {
    for (; value >= 128; value = Math.floor(value / 128)) out.push((value % 128) + 128);
    out.push(value);
  };
  [5, level, from, from + tiles.length - 1, 1, 0, 0, 0].forEach(put);
  tiles.forEach((tile) => put(tile.spans.length));
  tiles.forEach((tile) => put((tile.first ?? 0) * 2 + (tile.isCarriedOver ? 1 : 0)));
  tiles.forEach((tile) => put(tile.spans.reduce((sum, span) => sum + (span.events ?? 1), 0)));
  tiles.forEach((tile) => put(tile.spans.reduce((sum, span) => sum + span.width * 2 ** level, 0)));
  tiles.forEach(({ spans }) =>
    spans.forEach(({ start }, i) => put(start - (i === 0 ? 0 : spans[i - 1]!.start + spans[i - 1]!.width))),
  );
  const all = tiles.flatMap((tile) => tile.spans);
  all.forEach((span) => put(span.width - 1));
  all.forEach((span) => put(classOf((span.events ?? 1) - 1)));
  tiles.forEach(({ spans }) => {
    let skipped = 0;
    for (const { events = 1 } of spans) {
      if (events === 1) put(skipped);
      skipped = events === 1 ? 0 : skipped + events;
    }
  });
  all.forEach(({ events = 1, traits = 0 }) => events === 1 && out.push(traits));
  const aggregates = all.filter((span) => (span.events ?? 1) > 1);
  aggregates.forEach(() => out.push(128));
  aggregates.forEach((span) => out.push(span.share ?? 200));
  all.forEach((span) => ((span.events ?? 1) === 1 || (span.share ?? 200) > 0) && put(span.name ?? 0));
  if (hasTicks) {
    tiles.forEach((tile) => put(tile.ticks?.length ?? 0));
    tiles.forEach(({ ticks = [] }) => ticks.forEach((at, i) => put(at - (i === 0 ? 0 : ticks[i - 1]!))));
    tiles.forEach(({ ticks = [] }) => ticks.forEach(() => put(0)));
  }
  return Uint8Array.from(out).buffer;
}

function classOf(count: number): number {
  return count === 0 ? 0 : Math.floor(Math.log2(count)) + 1;
}

function makeCache(): TileCache {
  return new TileCache(new NameHues(["gemm", "copy kernel", "reduce"]));
}

test("numbers of any size come back, and an answer cut short is told", () => {
  const bytes = Uint8Array.of(0, 127, 128, 1, 255, 255, 255, 255, 255, 255, 255, 15, 1, 2, 3).buffer;
  const reader = new ColumnReader(bytes);
  assert.deepEqual([...reader.many(4)], [0, 127, 128, 2 ** 53 - 1]);
  assert.deepEqual([...reader.zigzag(3)], [-1, 1, -2]);
  assert.throws(() => reader.one(), RangeError);
  assert.throws(() => new ColumnReader(bytes).many(2 ** 40), RangeError);
  assert.throws(() => new ColumnReader(bytes).doubles(2), RangeError);
});

test("spans come back as they were sent, tile by tile", () => {
  const sent: MadeTile[] = [
    {
      first: 7,
      spans: [
        { start: 0, width: 4, events: 300 },
        { start: 9, width: 2039, name: 1 },
      ],
    },
    { first: 307, isCarriedOver: true, spans: [{ start: 0, width: 12, name: 1 }], ticks: [] },
  ];
  const tiles = readTiles(encode(20, 3, sent), false);
  assert.deepEqual([tiles.level, tiles.from, tiles.to], [20, 3, 4]);
  const [a, b] = tiles.rows[0]!.tiles;
  assert.deepEqual([a!.first, a!.isCarriedOver, b!.first, b!.isCarriedOver], [7, false, 307, true]);
  assert.deepEqual([...a!.start, ...a!.width, ...a!.name], [0, 9, 4, 2039, 0, 1]);
  assert.deepEqual([...a!.event, ...b!.event], [kUnknown, 307, 307]);
  assert.equal(a!.events[1], 1);
  assert.ok(Math.abs(a!.events[0]! - 300) <= 300 * 0.4);
  assert.deepEqual([...a!.busy], [128, 255]);
});

test("a number of events is exact up to 2, and within two fifths above", () => {
  for (let n = 1; n < 5000; n++) {
    const tiles = readTiles(encode(0, 0, [{ spans: [{ start: 0, width: 4, events: n }] }]), false);
    const told = tiles.rows[0]!.tiles[0]!.events[0]!;
    assert.ok(n <= 2 ? told === n : Math.abs(told - n) <= n * 0.4, `${told} for ${n}`);
  }
});

test("no answer cut anywhere is taken for a whole one", () => {
  const whole = encode(
    3,
    0,
    [
      {
        spans: [
          { start: 1, width: 4, events: 9 },
          { start: 5, width: 400 },
        ],
        ticks: [0, 5],
      },
    ],
    true,
  );
  readTiles(whole, true);
  for (let length = 0; length < whole.byteLength; length++) {
    assert.throws(() => readTiles(whole.slice(0, length), true), RangeError, `${length} bytes`);
  }
});

test("the level's columns are at least a pixel and less than two", () => {
  for (const span of [1, 2000, 123_456, 7e9, 3e15]) {
    const scale = { range: { from: 0, to: span }, width_px: 1000 };
    const column_ns = 4 * 2 ** levelOf(scale);
    assert.ok(column_ns >= span / 1000);
    assert.ok(column_ns < (2 * span) / 1000 || levelOf(scale) === 0);
  }
  assert.deepEqual(tilesOf(0, -500, 2 * kTileUnits), [0, 2]);
});

// Level 2: four nanoseconds a unit, sixteen a pixel.
const kScale = { range: { from: 0, to: 8192 }, width_px: 512 };

test("an event over several tiles is one span, and an aggregate keeps its height and colour", () => {
  const cache = makeCache();
  const sent: MadeTile[] = [
    {
      spans: [
        { start: 0, width: 4, events: 2, name: 2 },
        { start: 40, width: 984, name: 1 },
      ],
    },
    {
      first: 2,
      isCarriedOver: true,
      spans: [
        { start: 0, width: 400, name: 1 },
        { start: 400, width: 4, events: 2, share: 100 },
      ],
    },
  ];
  cache.add(readTiles(encode(2, 0, sent), false), "");
  const spans = cache.spansOf(kScale, 0, 0);
  assert.deepEqual(
    spans.map(({ x0, x1, event, count }) => [x0, x1, event, count]),
    [
      [0, 1, kUnknown, 2],
      [10, 356, 2, 1],
      [356, 357, kUnknown, 2],
    ],
  );
  assert.deepEqual(spans[2]!.place, { level: 2, tile: 1, span: 1 });
  assert.equal(spans[0]!.busy, 128 / 255);
  assert.equal(spans[2]!.hue, -1, "no name has half of it");
  assert.notEqual(spans[0]!.hue, -1);
});

test("a span knows the kind of its one event, and whether it is an error", () => {
  const cache = makeCache();
  const spans = [0, 1, 2 + 4, 3].map((traits, i) => ({ start: 200 * i, width: 150, traits }));
  cache.add(readTiles(encode(0, 0, [{ spans: [...spans, { start: 1010, width: 4, events: 2 }] }]), false), "");
  assert.deepEqual(
    cache.spansOf({ range: { from: 0, to: 1024 }, width_px: 1024 }, 0, 0).map(({ kind, isError }) => [kind, isError]),
    [
      ["span", false],
      ["instant", false],
      ["unfinished", true],
      ["asynchronous", false],
      ["span", false],
    ],
  );
});

test("until finer tiles come the coarser one is stretched, and finer ones stand in for a coarser", () => {
  const cache = makeCache();
  cache.add(
    readTiles(
      encode(4, 0, [
        {
          spans: [
            { start: 0, width: 4, events: 9 },
            { start: 300, width: 40 },
          ],
        },
      ]),
      false,
    ),
    "",
  );
  const stretched = cache.spansOf(kScale, 0, 0);
  assert.deepEqual(
    stretched.map(({ x0, x1 }) => [x0, x1]),
    [
      [0, 4],
      [300, 340],
    ],
  );
  const finer: MadeTile[] = [{ spans: [{ start: 8, width: 4 }] }, { first: 1, spans: [{ start: 0, width: 8 }] }];
  cache.add(readTiles(encode(2, 0, finer), false), "");
  assert.deepEqual(
    cache.spansOf(kScale, 0, 0).map(({ x0, x1 }) => [x0, x1]),
    [
      [2, 3],
      [256, 258],
    ],
  );

  const other = makeCache();
  other.add(readTiles(encode(2, 0, finer), false), "");
  const out = { range: { from: 0, to: 16_384 }, width_px: 512 };
  assert.equal(levelOf(out), 3);
  assert.deepEqual(
    other.spansOf(out, 0, 0).map(({ x0, x1 }) => [x0, x1]),
    [
      [1, 2],
      [128, 129],
    ],
  );
});

test("panning by pixels moves spans and changes none", () => {
  const cache = makeCache();
  const spans = Array.from({ length: 200 }, (_, i) => ({ start: i * 5, width: 3 + (i % 3) }));
  cache.add(readTiles(encode(2, 0, [{ spans }]), false), "");
  const at = (from: number) => cache.spansOf({ range: { from, to: from + 8192 }, width_px: 512 }, 0, 0);
  const moved = at(16 * 13).filter(({ x0 }) => x0 > 0);
  const before = new Map(at(0).map((span) => [span.event, span]));
  assert.ok(moved.length > 100);
  for (const span of moved) {
    const same = before.get(span.event);
    if (same !== undefined) assert.deepEqual([span.x0 + 13, span.x1 + 13], [same.x0, same.x1]);
  }
});

test("ticks of a search are drawn only where the tiles were asked for with it", () => {
  const cache = makeCache();
  cache.add(readTiles(encode(2, 0, [{ spans: [], ticks: [3, 4, 100] }], true), true), "gemm");
  assert.deepEqual(cache.ticksOf(kScale, 0, 0, "gemm"), [
    { x0: 3, x1: 6, count: 2 },
    { x0: 100, x1: 102, count: 1 },
  ]);
  assert.deepEqual(cache.ticksOf(kScale, 0, 0, "other"), []);
  assert.ok(cache.has(2, 0, 0, 0, "gemm") && !cache.has(2, 0, 0, 0, ""));
});

test("one request asks for what the screen lacks, and half a screen beside it", () => {
  const cache = makeCache();
  const rows = [
    { lane: 0, from: 0, to: 1 },
    { lane: 3, from: 2, to: 6 },
  ];
  const view = { scale: kScale, rows, counters: [], find: "", memories: [], order: "time" as const };
  assert.equal(composeQuery(cache, view), "?level=2&from=0&to=3&rows=0:0-0,3:2-5");
  cache.add(readTiles(encode(2, 0, [{ spans: [] }, { spans: [] }, { spans: [] }, { spans: [] }]), false), "");
  assert.equal(composeQuery(cache, view), "?level=2&from=0&to=3&rows=3:2-5");
  assert.equal(composeQuery(cache, { ...view, rows: rows.slice(0, 1) }), null, "nothing is missing");
  assert.match(
    composeQuery(cache, { ...view, rows: rows.slice(0, 1), find: " a&b " })!,
    /rows=0:0-0&pick=search%3Aa%26b$/,
  );
});

test("of a small profile every zoom is drawn from what came at once", () => {
  const { cache, timeline, tiles } = makeProfile({
    CPU: [
      { start: 0, end: 100, name: "a" },
      { start: 110, end: 130, name: "b" },
      { start: 5_000_000_000, end: 6_000_000_001, name: "a" },
    ],
  });
  const at = (from: number, to: number) =>
    cache.spansOf({ range: { from, to }, width_px: 1000 }, 0, 0).map(({ x0, x1, event, count, place }) => {
      return [x0, x1, event, count, place.level];
    });
  assert.deepEqual(at(105, 115), [[500, 2500, 1, 1, 0]], "to the nanosecond");
  const [level, from, to] = [20, 0, 0];
  const aggregates = {
    level,
    from,
    to,
    rows: [{ lane: 0, row: 0, tiles: [makeAggregates([[0, 4, 2]])] }],
    counters: [],
  };
  cache.addWhole([tiles, aggregates], "");
  assert.deepEqual(at(0, 10), [[0, 10_000, 0, 1, 0]], "finer than that the events are drawn");
  assert.deepEqual(at(0, timeline.dur_ns)[0]?.slice(3), [2, 20]);
  assert.equal(cache.spansOf({ range: { from: 0, to: 1e10 }, width_px: 500 }, 0, 0)[0]!.place.tile, "all");
});

test("a small profile is asked for once, and once for each search", () => {
  const find = (whole: string | null, text: string) => composeWholeQuery({ whole }, { find: text });
  assert.equal(find(null, "gemm"), "/all?", "first what is drawn");
  assert.equal(find("", ""), null);
  assert.equal(find("", "gemm"), "/all?pick=search%3Agemm");
  assert.equal(find("search:gemm", "gemm"), null);
  assert.equal(find("search:gemm", ""), null, "ticks that nobody asks for do no harm");
  assert.equal(find("search:gemm", ":slowest"), "/all?pick=slowest");
});

test("all of a small profile is read part by part", () => {
  const level = new Uint8Array(encode(0, 0, [{ spans: [{ start: 5, width: 7 }] }]));
  const memory = Uint8Array.from([1, 2, 3]);
  const parts = [1, 1, level.length, ...level, 1, 9, memory.length, ...memory, 0];
  const { levels, memories } = readWholeTiles(Uint8Array.from(parts).buffer, false);
  assert.deepEqual([...levels[0]!.rows[0]!.tiles[0]!.start], [5]);
  assert.deepEqual(
    memories.map(({ lane, byTime, byOrder }) => [lane, byTime.byteLength, byOrder.byteLength]),
    [[9, 3, 0]],
  );
  for (let length = 0; length < parts.length; length++) {
    assert.throws(() => readWholeTiles(Uint8Array.from(parts.slice(0, length)).buffer, false), RangeError);
  }
});
