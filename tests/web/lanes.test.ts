// Lanes without a page: where they stand, how their figures are sorted, how what is on them is named.
import assert from "node:assert/strict";
import { test } from "node:test";
import { kAsCaptured } from "../../web/src/lib/timeline/lanes-arrange";
import { findBoxAt, findBoxes, heightOfLanes, layOutLanes, rowAt } from "../../web/src/lib/timeline/lanes-layout";
import { hueOfName, NameHues } from "../../web/src/lib/timeline/name-hues";
import { formatAllocationKey, parseAllocationKey } from "../../web/src/lib/timeline/sight";
import { binOf, sortStats, type NameStats } from "../../web/src/lib/timeline/stats";
import { makeLane, makeProfile } from "./profile-fixture";

test("lanes stand one under another and are found by height", () => {
  const memory = { peak_bytes: 8, peak_ns: 0, end_bytes: 8, height_bytes: 8, isAddressed: false, unlisted_bytes: null };
  const lanes = [makeLane("CPU", { rowCount: 2, eventCount: 2, memory }), makeLane("PYTHON", { memory, place: 1 })];
  const { boxes } = layOutLanes(lanes, kAsCaptured);
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
  const { boxes: turned } = layOutLanes(lanes, {
    ...kAsCaptured,
    turned: new Set(["CPU", "CPU Memory"]),
  });
  assert.ok(turned[0]!.pitch < boxes[0]!.pitch);
  assert.ok(turned[1]!.height > boxes[1]!.height);
  assert.equal(turned[2]!.height, boxes[2]!.height);
});

test("lanes of one name are told apart by the tracks above, and one with events holds others too", () => {
  const memory = { peak_bytes: 8, peak_ns: 0, end_bytes: 8, height_bytes: 8, isAddressed: false, unlisted_bytes: null };
  const lanes = [
    makeLane("stream 7", { path: "r1/gpu/stream 7", above: [3, 4], place: 5, rowCount: 1, eventCount: 9 }),
    makeLane("stream 7", { path: "r0/gpu/stream 7", above: [2, 5], place: 2, rowCount: 1, eventCount: 9 }),
    makeLane("r0", { path: "r0", place: 0 }),
    makeLane("r1", { path: "r1", place: 3 }),
    makeLane("gpu", { path: "r1/gpu", above: [3], place: 4, rowCount: 1, eventCount: 9, memory }),
    makeLane("gpu", { path: "r0/gpu", above: [2], place: 1 }),
  ];
  const list = (folded: string[]) =>
    layOutLanes(lanes, { ...kAsCaptured, folded: new Set(folded) }).boxes.map((b) => `${b.depth} ${b.key}`);
  const all = ["0 r0/", "1 r0/gpu/", "2 r0/gpu/stream 7", "0 r1/", "1 r1/gpu/", "2 r1/gpu", "2 r1/gpu/stream 7"];
  assert.deepEqual(list([]), [...all, "2 r1/gpu Memory"], "as listed, whatever their numbers, memory last");
  assert.deepEqual(list(["r1/gpu"]), all.slice(0, 5));
  assert.deepEqual(list(["r0", "r1"]), ["0 r0/", "0 r1/"]);
  const { boxes } = layOutLanes(lanes, { ...kAsCaptured, folded: new Set(["r0", "r1"]) });
  assert.deepEqual(
    boxes.map((b) => b.boxCount),
    [1, 3],
  );
  assert.ok(heightOfLanes(boxes) < heightOfLanes(layOutLanes(lanes, kAsCaptured).boxes) / 3);
});

test("a name's colour is its own, whatever came before it", () => {
  const hues = new NameHues(["gemm", "copy"]);
  assert.equal(hues.of(1), hueOfName("copy"));
  assert.equal(new NameHues(["copy"]).of(0), hues.of(1));
  assert.notEqual(hueOfName("gemm"), hueOfName("copy"));
  const late: string[] = [];
  const waiting = new NameHues(late);
  assert.equal(waiting.of(5), 0, "not there yet");
  late[5] = "copy";
  assert.equal(waiting.of(5), hueOfName("copy"));
});

test("names are sorted by any column, colours aside", () => {
  const make = (label: string, total_ns: number): NameStats => ({
    name: 0,
    label,
    count: 1,
    total_ns,
    lane: null,
    share: 0,
    wall_share: 0,
    self_ns: 0,
    covered_ns: 0,
    mean_ns: 0,
    median_ns: 0,
    p90_ns: 0,
    max_ns: 0,
    worst: { lane: 0, event: 0 },
  });
  const names = [make("\u001b[31mb\u001b[0m", 100), make("a", 150)];
  const sort = (...by: [Parameters<typeof sortStats>[1], boolean]) => sortStats(names, ...by).map((n) => n.total_ns);
  assert.deepEqual(sort("name", false), [150, 100]);
  assert.deepEqual(sort("total_ns", false), [100, 150]);
  assert.deepEqual(sort("total_ns", true), [150, 100]);
});

test("a duration lies in one bin, the longest in the last", () => {
  const bins = [10, 20, 40].map((from_ns) => ({ from_ns, to_ns: from_ns * 2, count: 1 }));
  assert.deepEqual(
    [10, 19, 20, 79, 80].map((dur) => binOf(bins, dur)),
    [0, 0, 1, 2, 2],
  );
});

test("allocations survive the URL by lane and number", () => {
  const memory = { peak_bytes: 8, peak_ns: 0, end_bytes: 8, height_bytes: 8, isAddressed: false, unlisted_bytes: null };
  const { timeline } = makeProfile({ CPU: [], "GPU|0": [] }, { "GPU|0": memory });
  const ref = { lane: 1, allocation: 3 };
  assert.deepEqual(parseAllocationKey(timeline, formatAllocationKey(timeline, ref)), ref);
  const ranks = ["r0/GPU", "r1/GPU"].map((path) => makeLane("GPU", { path, memory }));
  assert.deepEqual(parseAllocationKey({ ...timeline, lanes: ranks }, "r1/GPU|3"), ref, "by path, not by name");
  for (const key of [undefined, "", "CPU|3", "GPU|0|x"]) assert.equal(parseAllocationKey(timeline, key), null);
});
