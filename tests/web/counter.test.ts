// Counters: tiles as they come, the steps drawn from them, the value under the pointer, and how values read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { formatValue, formatValues, valueAt, type CounterStep } from "../../web/src/lib/timeline/counter";
import { kAsCaptured } from "../../web/src/lib/timeline/lanes-arrange";
import { NameHues } from "../../web/src/lib/timeline/name-hues";
import { layOutLanes } from "../../web/src/lib/timeline/lanes-layout";
import { TileCache } from "../../web/src/lib/timeline/tile-cache";
import { readTiles, type Tiles } from "../../web/src/lib/timeline/tile-codec";
import { StepLine } from "../../web/src/draw/step-line";
import { makeLane } from "./profile-fixture";
import { composeQuery } from "../../web/src/views/timeline/profile/tile-fetcher";

interface Point {
  column: number;
  min: number;
  max: number;
  last: number;
}

/**
 * An answer without rows, with counter 1 of lane 2, written again from server/http/API.md. Values are of 0 to 65535.
 */
function encode(level: number, from: number, tiles: Point[][]): ArrayBuffer {
  const out: number[] = [];
  const put = (value: number) => {
    for (; value >= 128; value = Math.floor(value / 128)) out.push((value % 128) + 128);
    out.push(value);
  };
  const bytesOf = (values: Float64Array | Uint16Array) => out.push(...new Uint8Array(values.buffer));
  [5, level, from, from + tiles.length - 1, 0, 1, 2, 1].forEach(put);
  tiles.forEach((points) => put(points.length));
  bytesOf(Float64Array.from(tiles, () => 0));
  bytesOf(Float64Array.from(tiles, () => 65535));
  tiles.forEach((points) => points.forEach(({ column }, i) => put(column - (points[i - 1]?.column ?? 0))));
  const all = tiles.flat();
  for (const part of ["min", "max", "last"] as const) bytesOf(Uint16Array.from(all, (point) => point[part]));
  return Uint8Array.from(out).buffer;
}

function makeCache(...answers: Tiles[]): TileCache {
  const cache = new TileCache(new NameHues([]));
  for (const tiles of answers) cache.add(tiles, "");
  return cache;
}

const one = (column: number, value: number): Point => ({ column, min: value, max: value, last: value });
const read = (level: number, from: number, tiles: Point[][]) => readTiles(encode(level, from, tiles), false);
const partsOf = (steps: readonly CounterStep[]) => steps.map(({ x0, x1, min, max, last }) => [x0, x1, min, max, last]);

// Level 2: sixteen nanoseconds a column, one a pixel; tiles of 256 pixels.
const kScale = { range: { from: 0, to: 8192 }, width_px: 512 };

test("a counter's steps lie where its samples are, over the edges of tiles", () => {
  const cache = makeCache(
    read(2, 0, [
      [one(3, 10), { column: 9, min: 5, max: 90, last: 40 }],
      [one(0, 40), one(8, 7)],
    ]),
  );
  assert.deepEqual(partsOf(cache.stepsOf(kScale, 2, 1)), [
    [3, 4, 10, 10, 10],
    [9, 10, 5, 90, 40],
    [256, 257, 40, 40, 40],
    [264, 265, 7, 7, 7],
  ]);
  assert.deepEqual(cache.stepsOf(kScale, 2, 0), [], "another counter has none");
});

test("what held before the view holds at its beginning", () => {
  const cache = makeCache(read(2, 0, [[one(3, 10), one(200, 20)]]));
  const late = { range: { from: 1600, to: 1600 + 1024 }, width_px: 64 };
  const steps = cache.stepsOf(late, 2, 1);
  assert.deepEqual(partsOf(steps), [[0, 0, 10, 10, 10]]);
  assert.deepEqual(valueAt(steps, 50), { min: 10, max: 10 });
  const over = { range: { from: 1600, to: 1600 + 4096 }, width_px: 256 };
  assert.deepEqual(partsOf(cache.stepsOf(over, 2, 1)), [
    [0, 0, 10, 10, 10],
    [100, 101, 20, 20, 20],
  ]);
});

test("a coarser tile stands for a counter until its own are there", () => {
  const coarse = read(4, 0, [[one(50, 10), one(100, 20)]]);
  const cache = makeCache(coarse);
  assert.deepEqual(partsOf(cache.stepsOf(kScale, 2, 1)), [
    [200, 204, 10, 10, 10],
    [256, 256, 10, 10, 10],
    [400, 404, 20, 20, 20],
  ]);
  cache.add(read(2, 0, [[one(202, 10)], [one(0, 10), one(145, 20)]]), "");
  assert.deepEqual(
    cache.stepsOf(kScale, 2, 1).map(({ x0 }) => x0),
    [202, 256, 401],
  );
});

test("the value at a pixel is the range of its samples, else what holds there; nothing before the first", () => {
  const steps = [
    { x0: 10, x1: 12, min: 1, max: 9, last: 4 },
    { x0: 20, x1: 21, min: 2, max: 2, last: 2 },
  ];
  assert.equal(valueAt(steps, 9), null);
  assert.deepEqual(valueAt(steps, 11), { min: 1, max: 9 });
  assert.deepEqual(valueAt(steps, 15), { min: 4, max: 4 });
  assert.deepEqual(valueAt(steps, 4000), { min: 2, max: 2 });
});

test("values read with as many digits as they need, and their unit", () => {
  assert.equal(formatValue(1980, "MHz"), "1,980 MHz");
  assert.equal(formatValue(64.21789, "%"), "64.22 %");
  assert.equal(formatValue(0, ""), "0");
  assert.equal(formatValue(-0.00002, "V"), "-2.00e-5 V");
  assert.equal(formatValue(1.5e9, "bytes"), "1.50 GB");
  assert.equal(formatValues({ min: 1200, max: 1980 }, "MHz"), "1,200 to 1,980 MHz");
  assert.equal(formatValues({ min: 5, max: 5 }, "W"), "5 W");
  assert.equal(formatValues({ min: 800_000_000, max: 2_499_400_000 }, "Hz"), "800 MHz to 2.499 GHz");
  assert.equal(formatValue(1200, "Hz"), "1,200 Hz");
});

test("counters on screen come with the rows in one request, until they are there", () => {
  const cache = makeCache();
  const rows = [{ lane: 0, from: 0, to: 1 }];
  const counters = [{ lane: 2, counter: 1 }];
  const view = { scale: kScale, rows, counters, find: "", memories: [], order: "time" as const };
  assert.equal(composeQuery(cache, view), "?level=2&from=0&to=3&rows=0:0-0&counters=2:1");
  assert.equal(composeQuery(cache, { ...view, rows: [] }), "?level=2&from=0&to=3&rows=&counters=2:1");
  cache.add(read(2, 0, [[], [], [], []]), "");
  assert.equal(composeQuery(cache, view), "?level=2&from=0&to=3&rows=0:0-0");
  assert.equal(composeQuery(cache, { ...view, rows: [] }), null);
});

test("each counter has a box under its lane's events", () => {
  const counter = (name: string) => ({ name, unit: "MHz", min: 0, max: 1 });
  const counters = [counter("clock"), counter("memory clock")];
  const lanes = [
    makeLane("GPU 0", { rowCount: 1, eventCount: 1, counters }),
    makeLane("GPU 1", { place: 1, eventCount: 1, counters }),
  ];
  const { boxes } = layOutLanes(lanes, kAsCaptured);
  assert.deepEqual(
    boxes.map(({ key, lane: l, counter: c, kind }) => [key, l, c, kind]),
    [
      ["GPU 0", 0, -1, "events"],
      ["GPU 0 clock", 0, 0, "counter"],
      ["GPU 0 memory clock", 0, 1, "counter"],
      ["GPU 1 clock", 1, 0, "counter"],
      ["GPU 1 memory clock", 1, 1, "counter"],
    ],
  );
});

test("a line of steps is drawn as level and upright pieces that meet, from where it begins", () => {
  const rects: number[][] = [];
  const ctx = { fillRect: (...rect: number[]) => rects.push(rect) } as unknown as CanvasRenderingContext2D;
  const line = new StepLine(ctx);
  line.to(2.5, 8.5);
  line.to(5, 8.5);
  line.to(5, 3.5);
  line.to(9.5, 6);
  assert.deepEqual(rects, [
    [2, 8, 3, 1],
    [5, 3, 1, 6],
    [5, 3, 4, 1],
    [9, 3, 1, 4],
  ]);
});
