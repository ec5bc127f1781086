// The timeline without a page: what is drawn with which calls, what lies under the pointer, what stands in the URL.
import assert from "node:assert/strict";
import { changeKeys } from "../../web/src/lib/place";
import { test } from "node:test";
import type { Bars } from "../../web/src/draw/timeline/bar-layer";
import { drawTimeline } from "../../web/src/draw/timeline/lanes";
import { makeLaneColours } from "../../web/src/draw/timeline/colours";
import { drawMarks } from "../../web/src/draw/timeline/marks";
import { boxOfAllocation, boxOfEvent, topOfLanes, type TimelineScene } from "../../web/src/draw/timeline/scene";
import type { Palette } from "../../web/src/draw/palette";
import { RectBatch } from "../../web/src/draw/rect-batch";
import { contrastOf, parseColour } from "../../web/src/lib/colour";
import type { AllocationItem } from "../../web/src/lib/timeline/events";
import type { MemoryPicture } from "../../web/src/lib/timeline/memory-picture";
import { kAsCaptured } from "../../web/src/lib/timeline/lanes-arrange";
import { layOutLanes } from "../../web/src/lib/timeline/lanes-layout";
import type { TimeRange } from "../../web/src/lib/time";
import { formatSight, parseSight, type Sight } from "../../web/src/lib/timeline/sight";
import { hoverAt } from "../../web/src/views/timeline/hover";
import { makeAggregates, makeBursts, makeProfile, type MadeProfile } from "./profile-fixture";

const kPalette: Palette = {
  background: "#0e1116",
  panel: "#141820",
  raised: "#1b202b",
  line: "#262d3a",
  text: "#d6dbe6",
  dim: "#8a93a6",
  faint: "#5a6375",
  accent: "#6ea8fe",
  made: "#4cc38a",
  removed: "#e5646e",
  marker: "#e0b04c",
  ansi: Array.from({ length: 16 }, () => "#6ea8fe"),
  classes: {
    compute: "#5b87e6",
    communication: "#dd9448",
    memory: "#3fa7a0",
    host: "#7d8aa6",
    other: "#5a6375",
  },
  idle: { host: "#e5646e", kernel: "#e0c04c", other: "#5a6375" },
  mono: "monospace",
  font: "sans-serif",
  tune: (colour) => colour,
} as Palette;

const kMemory = {
  peak_bytes: 30,
  peak_ns: 100,
  end_bytes: 20,
  height_bytes: 30,
  isAddressed: false,
  unlisted_bytes: null,
};

/** 10 bytes from 0 to 400, and on them 20 bytes from 100 on. */
const kPicture: MemoryPicture = {
  from: 0,
  to: 1000,
  width: 1000,
  height: 30,
  blocks: {
    x: Float64Array.of(0, 100),
    w: Float64Array.of(400, 900),
    y: Float64Array.of(0, 10),
    h: Float64Array.of(10, 20),
    category: Float64Array.of(0, 0),
    index: Float64Array.of(0, 1),
  },
  cellsWide: 0,
  cellsHigh: 0,
  coverage: new Uint8Array(0),
  live: {
    column: Float64Array.of(0, 100, 400),
    low: Float64Array.of(0, 30, 20),
    high: Float64Array.of(10, 30, 20),
    last: Float64Array.of(10, 30, 20),
  },
  categoryCount: 1,
  categoryBytes: Float64Array.of(10, 30, 20),
};

const made = makeProfile(
  {
    CPU: [
      { start: 0, end: 400, name: "\u001b[33mlong\u001b[0m_kernel_name" },
      { start: 100, end: 200, name: "inner", row: 1 },
      { start: 500, end: 1000, name: "x" },
    ],
  },
  { CPU: kMemory },
);
const profile = made.timeline;

function makeScene({ timeline, cache }: MadeProfile, range: TimeRange, width_px: number, pick = ""): TimelineScene {
  const scale = { range, width_px };
  return {
    timeline,
    boxes: layOutLanes(timeline.lanes, kAsCaptured).boxes,
    scale,
    clock: null,
    axisEnd_px: width_px,
    height_px: 400,
    top_px: topOfLanes(timeline),
    scroll_px: 0,
    palette: kPalette,
    colours: makeLaneColours(kPalette),
    letter_px: 7,
    stuck_px: 0,
    colourBy: "name",
    gaps: [],
    memory: { shown: "blocks", order: "time" },
    memoryOf: () => kPicture,
    changesOf: (_, changes) => changes,
    picture: {
      spansOf: (lane, row) => cache.spansOf(scale, lane, row),
      ticksOf: (lane, row) => (pick === "" ? [] : cache.ticksOf(scale, lane, row, pick)),
      stepsOf: () => [],
    },
  };
}

/** A layer that fills rectangles, where there is no canvas in memory. */
class RectLayer extends RectBatch implements Bars {
  clip(): void {}
  drawOn(ctx: CanvasRenderingContext2D): void {
    this.fill(ctx);
  }
}

interface Call {
  name: string;
  args: unknown[];
  fill: string;
}

/** A drawing context that writes down what it is told. */
function recordCalls(): { ctx: CanvasRenderingContext2D; calls: Call[] } {
  const calls: Call[] = [];
  const state: Record<string, unknown> = {};
  const ctx = new Proxy(state, {
    get: (_, name) =>
      name in state
        ? state[name as string]
        : (...args: unknown[]) => calls.push({ name: String(name), args, fill: String(state.fillStyle) }),
    set: (_, name, value) => {
      state[name as string] = value;
      return true;
    },
  });
  return { ctx: ctx as unknown as CanvasRenderingContext2D, calls };
}

test("labels keep their colours, are cut to their bar, and nothing is measured", () => {
  const { ctx, calls } = recordCalls();
  drawTimeline(ctx, makeScene(made, { from: 0, to: 1000 }, 250), new RectLayer());
  assert.equal(calls.filter((call) => call.name === "measureText").length, 0);
  const y = boxOfEvent(makeScene(made, { from: 0, to: 1000 }, 250), made.itemOf(0, 0))!.y;
  const texts = calls.filter((call) => call.name === "fillText" && Math.abs((call.args[2] as number) - y - 8) < 2);
  // The first bar has 100 pixels: room for thirteen letters of seven pixels, the middle one dots.
  assert.deepEqual(
    texts.map((call) => call.args[0]),
    ["long", "_ker", "…", "name", "x"],
  );
  assert.notEqual(texts[0]!.fill, texts[1]!.fill);
});

test("as many events as a view can hold take few calls", () => {
  const many = makeProfile({ GPU: makeBursts(5000, 4) });
  const { ctx, calls } = recordCalls();
  drawTimeline(ctx, makeScene(many, { from: 0, to: many.timeline.dur_ns }, 1400), new RectLayer());
  assert.ok(calls.length > 100);
  assert.ok(calls.length < 8000, `${calls.length} calls`);
});

test("what the search finds is ticked at any zoom", () => {
  const many = makeProfile({ GPU: makeBursts(500, 4) });
  const [row] = many.tiles.rows;
  const ticked = { ...row!.tiles[0]!, ticks: Float64Array.of(1000), picked: Uint32Array.of(1) };
  many.cache.addWhole([{ ...many.tiles, rows: [{ ...row!, tiles: [ticked] }] }], "search:needle");
  const isTicked = (pick: string, to: number) => {
    const { ctx, calls } = recordCalls();
    drawTimeline(ctx, makeScene(many, { from: 0, to }, 1000, pick), new RectLayer());
    return calls.some((call) => call.name === "fillRect" && call.fill === kPalette.marker);
  };
  for (const to of [5000, 1e6, 1e10]) assert.ok(isTicked("search:needle", to));
  assert.ok(!isTicked("search:other", 1e6));
});

test("text on every family's fill can be read", () => {
  for (const background of ["#0e1116", "#f7f8fa"]) {
    const colours = makeLaneColours({ ...kPalette, background });
    for (let family = 0; family < 40; family++) {
      for (let row = 0; row < 6; row++) {
        const { fill, text, ansi } = colours.ofEvent(family, row);
        for (const ink of [text, ...ansi]) {
          assert.ok(contrastOf(parseColour(ink)!, parseColour(fill)!) >= 4.5, `${ink} on ${fill}`);
        }
      }
    }
  }
});

function allocation(index: number): AllocationItem {
  const [birth, death, size_bytes, offset] = index === 0 ? [0, 400, 10, 0] : [100, Infinity, 20, 10];
  const none = { key: 0, share: 0, count: 0, dtype: "", category: "", uses: null, madeIn: null };
  return { ...none, lane: 0, allocation: index, birth, death, size_bytes, offset };
}

test("what lies under the pointer is what is drawn there", () => {
  const scene = makeScene(made, { from: 0, to: 1000 }, 500);
  for (let event = 0; event < 3; event++) {
    const box = boxOfEvent(scene, made.itemOf(0, event))!;
    const hovered = hoverAt(scene, box.x + box.w / 2, box.y + box.h / 2);
    assert.deepEqual(hovered?.kind === "span" && [hovered.span.event, hovered.span.count, hovered.box], [
      event,
      1,
      box,
    ]);
  }
  for (let index = 0; index < 2; index++) {
    const box = boxOfAllocation(scene, allocation(index))!;
    const hovered = hoverAt(scene, box.x + box.w / 2, box.y + box.h / 2);
    assert.equal(hovered?.kind === "allocation" && hovered.allocation, index);
    assert.ok(
      hovered?.kind === "allocation" && Math.abs(hovered.box.y - box.y) + Math.abs(hovered.box.w - box.w) < 1e-6,
    );
  }
  const first = boxOfEvent(scene, made.itemOf(0, 0))!;
  assert.equal(hoverAt(scene, 225, first.y + 5), null, "between events");
  assert.deepEqual(hoverAt(scene, 100, 10), { kind: "axis" });
  assert.equal(hoverAt(scene, 100, 399), null, "below the lanes");
  const memory = boxOfAllocation(scene, allocation(0))!;
  assert.deepEqual(hoverAt(scene, 400, memory.y + memory.h - 1), { kind: "memory", lane: 0, live_bytes: 20 });
});

test("events drawn together are told together", () => {
  const far = makeProfile({
    CPU: [
      { start: 0, end: 400, name: "a" },
      { start: 500, end: 1000, name: "b" },
    ],
  });
  const rows = [{ lane: 0, row: 0, tiles: [makeAggregates([[0, 4, 2]])] }];
  far.cache.addWhole([far.tiles, { ...far.tiles, level: 10, rows }], "");
  const scene = makeScene(far, { from: 0, to: 1_000_000 }, 100);
  const y = scene.top_px + scene.boxes[0]!.content + 4;
  const hovered = hoverAt(scene, 0.5, y);
  assert.equal(hovered?.kind === "span" && hovered.span.count, 2);
});

test("rectangles of a colour are filled together, and neighbours become one", () => {
  const { ctx, calls } = recordCalls();
  const batch = new RectBatch();
  batch.add("red", 0, 0, 1, 5);
  batch.add("blue", 1, 0, 1, 5);
  batch.add("red", 1, 0, 2, 5);
  batch.add("red", 3, 0, 1, 4);
  batch.fill(ctx);
  assert.deepEqual(
    calls.map((call) => [call.fill, ...call.args]),
    [
      ["red", 0, 0, 3, 5],
      ["red", 3, 0, 1, 4],
      ["blue", 1, 0, 1, 5],
    ],
  );
});

test("a sight survives the URL beside other views' fields", () => {
  const sight: Sight = {
    range: { from: 100, to: 900 },
    event: "CPU|0|x",
    allocation: "CPU|1",
    area: { range: { from: 5, to: 50 }, lanes: [0] },
    marks: [
      { from: 1, to: 2 },
      { from: 3, to: 4 },
    ],
    lanes: { ...kAsCaptured, turned: new Set(["CPU Memory"]), pinned: ["CPU"], hidden: new Set(["x"]), only: "cpu" },
    top: { key: "CPU|Memory", above_px: 12 },
    memory: { shown: "categories", order: "events" },
    clock: 940e6,
    find: "a&b|c",
    colourBy: "name",
    idle: "CPU|30",
    tab: "search",
    table: { lines: "lanes", column: "share", descending: false },
  };
  const clocked = { ...profile, lanes: profile.lanes.map((lane) => ({ ...lane, hz: 940e6 })) };
  const fields = changeKeys({ tab: "node", event: "stale" }, formatSight(clocked, sight));
  assert.equal(fields.tab, "node");
  assert.deepEqual(parseSight(clocked, fields), sight);
  assert.equal(parseSight(profile, fields).clock, null, "of a clock that is not there");
});

test("the first sight needs no fields, and nonsense leads there", () => {
  const first = parseSight(profile, {});
  assert.deepEqual(changeKeys({ event: "stale" }, formatSight(profile, first)), {});
  const nonsense = {
    time: "9..1",
    area: "1..2|gone",
    marks: "a|b",
    lanes: "",
    "lanes.top": "CPU|-3",
    find: "",
  };
  assert.deepEqual(parseSight(profile, nonsense), first);
  assert.deepEqual(
    parseSight(profile, { time: "-5000..99999999" }).range,
    first.range,
    "a range beyond the profile is the whole of it",
  );
});

test("an arrow leads from the end of a launch to the start of its kernel", () => {
  const { ctx, calls } = recordCalls();
  const scene = makeScene(made, { from: 0, to: 1000 }, 500);
  const [from, to] = [1, 2].map((event) => made.itemOf(0, event));
  drawMarks(Object.assign(ctx, { measureText: () => ({ width: 0 }) }), scene, {
    hovered: null,
    selected: null,
    flows: [[from!, to!]],
    name: null,
    area: null,
    scope: null,
    marks: [],
    gap: null,
    path: null,
    cursor_ns: null,
  });
  const [source, target] = [boxOfEvent(scene, from!)!, boxOfEvent(scene, to!)!];
  const begins = calls.find((call) => call.name === "moveTo")!.args;
  assert.deepEqual(begins, [source.x + source.w, source.y + source.h / 2]);
  assert.equal(calls.find((call) => call.name === "bezierCurveTo")!.args[5], target.y + target.h / 2);
});
