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
import { makeItem, readProfile, type Profile } from "../../web/src/lib/timeline/lanes";
import { kAsCaptured } from "../../web/src/lib/timeline/lanes-arrange";
import { layOutLanes } from "../../web/src/lib/timeline/lanes-layout";
import { createWholeSource } from "../../web/src/lib/timeline/whole-source";
import type { TimeRange } from "../../web/src/lib/time";
import { followRange, formatSight, parseSight, type Sight } from "../../web/src/lib/timeline/sight";
import { hoverAt } from "../../web/src/views/timeline/hover";
import { makeBursts, makeWireProfile } from "./profile-fixture";

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
  mono: "monospace",
  font: "sans-serif",
  tune: (colour) => colour,
} as Palette;

const kMemory = {
  peak_bytes: 30,
  peak_ns: 100,
  end_bytes: 20,
  height_bytes: 30,
  key: [1, 2],
  birth: [0, 100],
  death: [400, -1],
  count: [10, 20],
  size_bytes: [10, 20],
  dtype: [0, 0],
  offset: [0, 10],
  at_peak: [0, 1],
  live: { at: [0, 100, 400], bytes: [10, 30, 20] },
};

const profile = readProfile(
  makeWireProfile(
    {
      CPU: [
        { start: 0, end: 400, name: "\u001b[33mlong\u001b[0m_kernel_name" },
        { start: 100, end: 200, name: "inner", row: 1 },
        { start: 500, end: 1000, name: "x" },
      ],
    },
    { CPU: kMemory },
  ),
);

function makeScene(shown: Profile, range: TimeRange, width_px: number, find = ""): TimelineScene {
  return {
    timeline: shown,
    boxes: layOutLanes(shown.lanes, kAsCaptured).boxes,
    scale: { range, width_px },
    clock: null,
    axisEnd_px: width_px,
    height_px: 400,
    top_px: topOfLanes(shown),
    scroll_px: 0,
    palette: kPalette,
    colours: makeLaneColours(kPalette),
    letter_px: 7,
    stuck_px: 0,
    memory: { shown: "blocks", order: "time" },
    memoryOf: (lane) => shown.lanes[lane]!.memory,
    memoryPictureOf: () => null,
    changesOf: (_, changes) => changes,
    picture: createWholeSource(shown).picture({ range, width_px }, find),
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
  drawTimeline(ctx, makeScene(profile, { from: 0, to: 1000 }, 250), new RectLayer());
  assert.equal(calls.filter((call) => call.name === "measureText").length, 0);
  const y = boxOfEvent(makeScene(profile, { from: 0, to: 1000 }, 250), makeItem(profile, { lane: 0, event: 0 }))!.y;
  const texts = calls.filter((call) => call.name === "fillText" && Math.abs((call.args[2] as number) - y - 8) < 2);
  // The first bar has 100 pixels: room for thirteen letters of seven pixels, the last one dots.
  assert.deepEqual(
    texts.map((call) => call.args[0]),
    ["long", "_kernel_", "…", "x"],
  );
  assert.notEqual(texts[0]!.fill, texts[1]!.fill);
});

test("a hundred thousand events take few calls", () => {
  const many = readProfile(makeWireProfile({ GPU: makeBursts(100_000, 4) }));
  const { ctx, calls } = recordCalls();
  drawTimeline(ctx, makeScene(many, { from: 0, to: many.dur_ns }, 1400), new RectLayer());
  assert.ok(calls.length > 100);
  assert.ok(calls.length < 8000, `${calls.length} calls`);
});

test("what the search finds is ticked at any zoom", () => {
  const many = readProfile(
    makeWireProfile({ GPU: [...makeBursts(5000, 4), { start: 9_000_000, end: 9_000_001, name: "needle" }] }),
  );
  const { ctx, calls } = recordCalls();
  drawTimeline(ctx, makeScene(many, { from: 0, to: 1e10 }, 1000, "NEEDLE"), new RectLayer());
  assert.ok(calls.some((call) => call.name === "fillRect" && call.fill === kPalette.marker));
  const without = recordCalls();
  drawTimeline(without.ctx, makeScene(many, { from: 0, to: 1e10 }, 1000, "nothing"), new RectLayer());
  assert.ok(!without.calls.some((call) => call.name === "fillRect" && call.fill === kPalette.marker));
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

function placeOf(allocation: number) {
  const { birth, death, offset, size_bytes } = profile.lanes[0]!.memory!;
  const at = allocation;
  return { lane: 0, birth: birth[at]!, death: death[at]!, offset: offset[at]!, size_bytes: size_bytes[at]! };
}

test("what lies under the pointer is what is drawn there", () => {
  const scene = makeScene(profile, { from: 0, to: 1000 }, 500);
  for (let event = 0; event < 3; event++) {
    const box = boxOfEvent(scene, makeItem(profile, { lane: 0, event }))!;
    const hovered = hoverAt(scene, box.x + box.w / 2, box.y + box.h / 2);
    assert.deepEqual(hovered?.kind === "span" && [hovered.span.event, hovered.span.count, hovered.box], [
      event,
      1,
      box,
    ]);
  }
  for (let allocation = 0; allocation < 2; allocation++) {
    const box = boxOfAllocation(scene, placeOf(allocation))!;
    const hovered = hoverAt(scene, box.x + box.w / 2, box.y + box.h / 2);
    assert.deepEqual(hovered, { kind: "allocation", lane: 0, allocation });
  }
  const first = boxOfEvent(scene, makeItem(profile, { lane: 0, event: 0 }))!;
  assert.equal(hoverAt(scene, 225, first.y + 5), null, "between events");
  assert.equal(hoverAt(scene, 100, 10), null, "in the axis");
  assert.equal(hoverAt(scene, 100, 399), null, "below the lanes");
  const memory = boxOfAllocation(scene, placeOf(0))!;
  assert.deepEqual(hoverAt(scene, 400, memory.y + memory.h - 1), { kind: "memory", lane: 0, live_bytes: 20 });
});

test("events drawn together are told together", () => {
  const scene = makeScene(profile, { from: 0, to: 1_000_000 }, 100);
  const y = scene.top_px + scene.boxes[0]!.content + 4;
  const hovered = hoverAt(scene, 0.5, y);
  assert.deepEqual(hovered?.kind === "span" && [hovered.span.count, hovered.span.longest_ns], [2, 500]);
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

test("a capture made anew keeps the events in view, though their times are others", () => {
  const make = (late: number) =>
    readProfile(
      makeWireProfile({
        CPU: [
          { start: 0, end: 400, name: "a" },
          { start: 500 + late, end: 900 + late, name: "b" },
          { start: 1000 + late, end: 2000 + late, name: "a" },
          { start: 5000, end: 9000, name: "end" },
        ],
      }),
    );
  const [old, next] = [make(0), make(70)];
  const range = { from: 450, to: 950 };
  assert.deepEqual(followRange(old, next, range, null), { from: 520, to: 1020 });
  assert.deepEqual(followRange(old, next, range, { lane: 0, event: 1 }), { from: 520, to: 1020 });
  assert.deepEqual(
    followRange(old, next, { from: 20, to: 90 }, { lane: 0, event: 2 }),
    { from: 20, to: 90 },
    "out of view",
  );
  const first = parseSight(old, {}).range;
  assert.deepEqual(followRange(old, next, first, null), parseSight(next, {}).range, "the whole stays the whole");
  const empty = readProfile(makeWireProfile({ GPU: [{ start: 0, end: 9000, name: "x" }] }));
  assert.deepEqual(followRange(old, empty, range, null), range, "nothing of it is left");
});

test("an arrow leads from the end of a launch to the start of its kernel", () => {
  const { ctx, calls } = recordCalls();
  const scene = makeScene(profile, { from: 0, to: 1000 }, 500);
  const [from, to] = [1, 2].map((event) => makeItem(profile, { lane: 0, event }));
  drawMarks(Object.assign(ctx, { measureText: () => ({ width: 0 }) }), scene, {
    hovered: null,
    selected: null,
    flows: [[from!, to!]],
    name: null,
    area: null,
    marks: [],
    cursor_ns: null,
  });
  const [source, target] = [boxOfEvent(scene, from!)!, boxOfEvent(scene, to!)!];
  const begins = calls.find((call) => call.name === "moveTo")!.args;
  assert.deepEqual(begins, [source.x + source.w, source.y + source.h / 2]);
  assert.equal(calls.find((call) => call.name === "bezierCurveTo")!.args[5], target.y + target.h / 2);
});
