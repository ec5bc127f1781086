import assert from "node:assert/strict";
import { test } from "node:test";
import { listRuns, readProfile } from "../../web/src/lib/timeline/lanes";
import { nameFamily } from "../../web/src/lib/timeline/lanes-families";
import { busyInRow, findEventAt, findInRow, sumUnion } from "../../web/src/lib/timeline/lanes-rows";
import {
  findNeighbour,
  formatAllocationKey,
  formatEventKey,
  parseAllocationKey,
  parseEventKey,
} from "../../web/src/lib/timeline/lanes-find";
import { listMarked, markEvents } from "../../web/src/lib/timeline/lanes-marked";
import { kAsCaptured } from "../../web/src/lib/timeline/lanes-arrange";
import { findBoxAt, findBoxes, heightOfLanes, layOutLanes, rowAt } from "../../web/src/lib/timeline/lanes-layout";
import { nsOfPixel, takeSpans, type Scale } from "../../web/src/lib/timeline/lanes-spans";
import { makeHistogram, quantile, sortStats, sumArea, sumName } from "../../web/src/lib/timeline/lanes-stats";
import { makeBursts, makeWireProfile } from "./profile-fixture";

const nested = readProfile(
  makeWireProfile({
    TINY: [
      { start: 0, end: 1000, name: "Schedule 1 Kernel n1", context: 0 },
      { start: 100, end: 400, name: "merge_views", row: 1, context: 0, pass: 0 },
      { start: 400, end: 500, name: "\u001b[33mE_4\u001b[0mn2", row: 1, context: 1 },
      { start: 410, end: 420, name: "lower", row: 2, context: 1, pass: 3 },
      { start: 2000, end: 2100, name: "E_4", context: 1 },
    ],
    CPU: [{ start: 500, end: 600, name: "E_4n2", context: 1 }],
  }),
);

test("an event's colour family is its outermost event's first word", () => {
  const [tiny, cpu] = nested.lanes;
  const names = (lane: typeof tiny) => Array.from(lane!.family, (f) => nested.families[f]);
  assert.deepEqual(names(tiny), ["Schedule", "Schedule", "Schedule", "Schedule", "E_4"]);
  assert.deepEqual(names(cpu), ["E_4"], "the same kernel has the same colour on every lane");
  assert.equal(nameFamily("r_32_16n1"), "r_32_16");
  assert.equal(nameFamily("TINY -> CPU"), "TINY");
  assert.equal(nameFamily(""), "");
});

test("a context knows its events, not its passes, and its runs are those of its name", () => {
  assert.deepEqual(nested.eventsOfContext.get(1), [
    { lane: 0, event: 2 },
    { lane: 1, event: 0 },
    { lane: 0, event: 4 },
  ]);
  assert.deepEqual(nested.eventsOfContext.get(0), [{ lane: 0, event: 0 }]);
  assert.deepEqual(listRuns(nested, 1, "\u001b[33mE_4\u001b[0m"), [{ lane: 0, event: 4 }]);
  assert.deepEqual(listRuns(nested, 1, "none has this name"), nested.eventsOfContext.get(1));
  assert.deepEqual(listRuns(nested, 9, "E_4"), []);
});

test("busy time is of the union of events, in a lane and in a range", () => {
  assert.equal(nested.lanes[0]!.busy_ns, 1100);
  const start = Float64Array.of(0, 5, 20);
  const dur = Float64Array.of(10, 10, 5);
  assert.equal(sumUnion(start, dur), 20);
  assert.equal(sumUnion(start, dur, { from: 3, to: 22 }), 14);
  assert.equal(sumUnion(start, dur, { from: 16, to: 19 }), 0);
});

test("an event is found at its ends, between them, and within reach", () => {
  const row = nested.lanes[0]!.rows[0]!;
  assert.equal(findEventAt(row, 0), 0);
  assert.equal(findEventAt(row, 1000), 0);
  assert.equal(findEventAt(row, 1400), -1);
  assert.equal(findEventAt(row, 1400, 500), 0);
  assert.equal(findEventAt(row, 1600, 500), 4);
  assert.equal(findEventAt(row, -1), -1);
});

test("busy time of any range of a row is exact", () => {
  const lane = readProfile(makeWireProfile({ GPU: makeBursts(500, 3) })).lanes[0]!;
  const row = lane.rows[0]!;
  for (let from = -10; from < row.end[499]!; from += 1234) {
    for (const length of [0, 1, 77, 5_000, 1_000_000]) {
      const range = { from, to: from + length };
      let sum = 0;
      for (let i = 0; i < 500; i++) {
        sum += Math.max(Math.min(row.end[i]!, range.to) - Math.max(row.start[i]!, range.from), 0);
      }
      assert.equal(busyInRow(row, range), sum);
    }
  }
});

test("at every zoom each event is drawn once, and counts and busy time add up", () => {
  const lane = readProfile(makeWireProfile({ GPU: makeBursts(3000, 1) })).lanes[0]!;
  const row = lane.rows[0]!;
  const whole = { from: 0, to: row.end[2999]! + 1 };
  for (const width_px of [1, 7, 200, 1400, 50_000]) {
    const scale: Scale = { range: whole, width_px };
    const pixel_ns = nsOfPixel(scale);
    let next = 0;
    for (const span of takeSpans(lane, row, scale)) {
      const first = next;
      assert.equal(span.event, row.event[first], "no event is left out or drawn twice");
      next += span.count;
      assert.ok(span.x1 > span.x0);
      const longest = Math.max(...row.end.slice(first, next).map((end, i) => end - row.start[first + i]!));
      assert.equal(span.longest_ns, longest);
      if (span.count > 1) {
        assert.ok(longest < pixel_ns, "a long event is never part of an aggregate");
        const busy_ns = row.busyBefore[next]! - row.busyBefore[first]!;
        assert.ok(Math.abs(span.busy - Math.min(busy_ns / pixel_ns, 1)) < 1e-9);
      }
    }
    assert.equal(next, 3000);
  }
});

test("an aggregate has a family's colour only where that family has half of it", () => {
  const spansOf = (names: [string, number][]) => {
    let at = 0;
    const events = names.map(([name, length]) => ({ start: at, end: (at += length), name }));
    const profile = readProfile(makeWireProfile({ GPU: events }));
    const lane = profile.lanes[0]!;
    const scale: Scale = { range: { from: 0, to: 1000 }, width_px: 1 };
    const span = takeSpans(lane, lane.rows[0]!, scale)[0]!;
    return { family: profile.families[span.family], profile, span };
  };
  assert.equal(
    spansOf([
      ["a", 30],
      ["b", 10],
      ["a", 30],
      ["c", 50],
    ]).family,
    "a",
  );
  assert.equal(
    spansOf([
      ["a", 30],
      ["b", 30],
      ["c", 30],
    ]).family,
    undefined,
    "mixed",
  );
  assert.equal(
    spansOf([
      ["a", 10],
      ["b", 10],
      ["c", 20],
    ]).family,
    "c",
    "exactly half",
  );

  const { profile, span } = spansOf([
    ["a 1", 10],
    ["a 2", 60],
    ["b", 30],
    ["a 1", 20],
  ]);
  assert.equal(span.busy, 0.12);
  assert.equal(span.count, 4);
  assert.equal(profile.plain[span.name], "a 2");
  assert.equal(span.share, 0.5);
  assert.equal(span.longest_ns, 60);
});

test("panning by pixels moves spans and changes none", () => {
  const lane = readProfile(makeWireProfile({ GPU: makeBursts(2000, 9) })).lanes[0]!;
  const row = lane.rows[0]!;
  const width_px = 800;
  const pixel_ns = 256; // a power of two, so that no rounding comes between
  const at = (from: number): Scale => ({ range: { from, to: from + width_px * pixel_ns }, width_px });
  const before = takeSpans(lane, row, at(1000 * pixel_ns));
  const after = takeSpans(lane, row, at(1000 * pixel_ns + 13.25 * pixel_ns));
  const inBoth = after.filter((span) => span.x1 < width_px - 14);
  assert.ok(inBoth.length > 20);
  for (const span of inBoth) {
    const same = before.find((s) => s.event === span.event);
    if (same === undefined) continue; // it was cut by the left edge
    assert.deepEqual({ ...span, x0: span.x0 + 13, x1: span.x1 + 13 }, same);
  }
});

test("lanes stand one under another and are found by height", () => {
  const memory = {
    peak_bytes: 8,
    peak_ns: 0,
    end_bytes: 8,
    height_bytes: 8,
    key: [1],
    birth: [0],
    death: [-1],
    count: [2],
    size_bytes: [8],
    dtype: [0],
    offset: [0],
    at_peak: [0],
    live: { at: [0], bytes: [8] },
  };
  const wire = makeWireProfile(
    {
      CPU: [
        { start: 0, end: 10, name: "a" },
        { start: 1, end: 2, name: "b", row: 1 },
      ],
      PYTHON: [],
    },
    { CPU: memory, PYTHON: memory },
  );
  const profile = readProfile(wire);
  const { boxes } = layOutLanes(profile.lanes, kAsCaptured);
  assert.deepEqual(
    boxes.map((b) => [b.lane, b.kind]),
    [
      [0, "events"],
      [0, "memory"],
      [1, "memory"],
    ],
    "no box for no events",
  );
  let top = 0;
  for (const box of boxes) {
    assert.equal(box.top, top);
    top += box.height;
    assert.equal(findBoxAt(boxes, box.top), box);
    assert.equal(findBoxAt(boxes, top - 1), box);
  }
  assert.equal(heightOfLanes(boxes), top);
  assert.equal(findBoxAt(boxes, top), null);
  assert.deepEqual(findBoxes(boxes, boxes[1]!.top, boxes[1]!.top + 1), [1, 2]);
  assert.equal(rowAt(boxes[0]!, boxes[0]!.content), 0);
  assert.equal(rowAt(boxes[0]!, boxes[0]!.content + boxes[0]!.pitch), 1);
  assert.equal(rowAt(boxes[0]!, boxes[0]!.content - 1), -1);
  const { boxes: turned } = layOutLanes(profile.lanes, {
    ...kAsCaptured,
    turned: new Set(["CPU", "CPU Memory"]),
  });
  assert.ok(turned[0]!.pitch < boxes[0]!.pitch);
  assert.ok(turned[1]!.height > boxes[1]!.height);
  assert.equal(turned[2]!.height, boxes[2]!.height);
});

test("a range's table: what is inside counts, whole events give the averages", () => {
  const profile = readProfile(
    makeWireProfile({
      CPU: [
        { start: 0, end: 100, name: "a" },
        { start: 100, end: 200, name: "b" },
        { start: 250, end: 650, name: "a" },
      ],
      GPU: [{ start: 0, end: 1000, name: "c" }],
    }),
  );
  const stats = sumArea(profile, { range: { from: 50, to: 350 }, lanes: [0] });
  assert.equal(stats.count, 3);
  assert.equal(stats.busy, 250 / 300);
  assert.deepEqual(
    stats.names.map((n) => [n.label, n.count, n.total_ns, n.mean_ns, n.max_ns]),
    [
      ["a", 2, 150, 250, 400],
      ["b", 1, 100, 100, 100],
    ],
  );
  assert.equal(stats.names[0]!.share, 0.5);
  assert.deepEqual(stats.names[0]!.worst, { lane: 0, event: 2 });
  assert.deepEqual(sumArea(profile, { range: { from: 5000, to: 6000 }, lanes: [0, 1] }).names, []);
  const byName = sortStats(stats.names, "name", true);
  assert.deepEqual(
    byName.map((n) => n.label),
    ["b", "a"],
  );
  assert.deepEqual(
    sortStats(stats.names, "total_ns", false).map((n) => n.total_ns),
    [100, 150],
  );
});

test("the table's totals are the sums of the rows, whatever the range", () => {
  const profile = readProfile(makeWireProfile({ GPU: makeBursts(800, 5) }));
  const row = profile.lanes[0]!.rows[0]!;
  for (let from = 0; from < row.end[799]!; from += 9_999) {
    const range = { from, to: from + 31_000 };
    const stats = sumArea(profile, { range, lanes: [0] });
    assert.equal(
      stats.names.reduce((sum, n) => sum + n.total_ns, 0),
      busyInRow(row, range),
    );
    assert.equal(
      stats.names.reduce((sum, n) => sum + n.count, 0),
      stats.count,
    );
    const [first, end] = findInRow(row, range);
    assert.ok(stats.count <= end - first);
  }
});

test("self time is what inner events leave, of whole events whatever the range", () => {
  const profile = readProfile(
    makeWireProfile({
      CPU: [
        { start: 0, end: 1000, name: "outer" },
        { start: 100, end: 400, name: "inner", row: 1 },
        { start: 300, end: 600, name: "overlaps inner", row: 2 },
        { start: 150, end: 200, name: "innermost", row: 2 },
        { start: 900, end: 1000, name: "inner", row: 1 },
      ],
    }),
  );
  const selfIn = (from: number, to: number) =>
    Object.fromEntries(sumArea(profile, { range: { from, to }, lanes: [0] }).names.map((n) => [n.label, n.self_ns]));
  assert.deepEqual(selfIn(0, 1000), { outer: 400, inner: 350, "overlaps inner": 300, innermost: 50 });
  assert.deepEqual(selfIn(350, 950), { outer: 400, inner: 350, "overlaps inner": 300 });
  assert.deepEqual(selfIn(650, 700), { outer: 400 });
});

test("sums of a name are over every lane, colours aside", () => {
  const sums = sumName(nested, nested.plain.indexOf("E_4n2"))!;
  assert.equal(sums.stats.count, 2);
  assert.equal(sums.stats.total_ns, 200);
  assert.deepEqual(sums.events, [
    { lane: 0, event: 2 },
    { lane: 1, event: 0 },
  ]);
  assert.equal(sumName(nested, 0), null, "no event has the empty name");
});

test("a histogram has every duration in one bin, the longest and the shortest included", () => {
  const durations = Float64Array.of(0, 1, 10, 10, 99, 100, 10_000).sort();
  const bins = makeHistogram(durations, 8);
  assert.equal(
    bins.reduce((sum, bin) => sum + bin.count, 0),
    durations.length,
  );
  assert.equal(bins[0]!.count, 2);
  assert.equal(bins[7]!.count, 1);
  for (let i = 1; i < 8; i++) assert.equal(bins[i]!.from_ns, bins[i - 1]!.to_ns);
  const same = makeHistogram(Float64Array.of(5, 5, 5), 4);
  assert.equal(
    same.reduce((sum, bin) => sum + bin.count, 0),
    3,
  );
});

test("quantiles lie between neighbours", () => {
  assert.equal(quantile(Float64Array.of(7), 0.9), 7);
  assert.equal(quantile(Float64Array.of(0, 10), 0.5), 5);
  assert.equal(quantile(Float64Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10), 0.9), 9);
});

test("search finds names in any case, colours aside, by time", () => {
  const find = (text: string) => listMarked(nested, markEvents(nested, text));
  assert.deepEqual(find("e_4N2"), [
    { lane: 0, event: 2 },
    { lane: 1, event: 0 },
  ]);
  assert.deepEqual(find("  "), []);
});

test("the slowest of each name are found, at least the longest, of equal ones the first", () => {
  const events = [5, 9, 9, 3].map((dur, i) => ({ start: 100 * i, end: 100 * i + dur, name: "gemm" }));
  const many = Array.from({ length: 2500 }, (_, i) => ({
    start: 10 * i,
    end: 10 * i + (i % 100 === 7 ? 9 : 5),
    name: "copy",
  }));
  const profile = readProfile(makeWireProfile({ A: events, B: many }));
  assert.deepEqual(listMarked(profile, markEvents(profile, ":slowest")), [
    { lane: 1, event: 7 },
    { lane: 0, event: 1 },
    { lane: 1, event: 107 },
  ]);
});

test("neighbours are of the same row", () => {
  assert.deepEqual(findNeighbour(nested, { lane: 0, event: 0 }, 1), { lane: 0, event: 4 });
  assert.deepEqual(findNeighbour(nested, { lane: 0, event: 2 }, -1), { lane: 0, event: 1 });
  assert.equal(findNeighbour(nested, { lane: 0, event: 4 }, 1), null);
  const instants = readProfile(makeWireProfile({ A: ["a", "b", "c"].map((name) => ({ start: 5, end: 5, name })) }));
  assert.deepEqual(findNeighbour(instants, { lane: 0, event: 0 }, 1), { lane: 0, event: 1 });
  assert.equal(findNeighbour(instants, { lane: 0, event: 0 }, -1), null);
});

test("events and allocations survive the URL by name and number", () => {
  for (const [l, lane] of nested.lanes.entries()) {
    for (let event = 0; event < lane.start.length; event++) {
      const ref = { lane: l, event };
      assert.deepEqual(parseEventKey(nested, formatEventKey(nested, ref)), ref);
    }
  }
  for (const key of [undefined, "", "CPU", "CPU|0|gone", "CPU|5|E_4n2", "GPU|0|E_4n2"])
    assert.equal(parseEventKey(nested, key), null);
  assert.equal(formatAllocationKey(nested, { lane: 1, allocation: 3 }), "CPU|3");
  assert.equal(parseAllocationKey(nested, "CPU|3"), null, "the lane has no memory");
});
