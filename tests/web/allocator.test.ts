// An allocator's answers in words, and where its owners and blocks lie.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  isLifeQuery,
  nextMoment,
  parseAllocatorMoment,
  sayLacking,
  sayLine,
  sayOom,
  sayOwner,
  sayShape,
  treeOfWays,
  type WireAllocator,
  type WireOom,
  type WireSegment,
} from "../../web/src/lib/allocator";
import { blockAt, layOutSegments, listFreePieces } from "../../web/src/lib/allocator-segments";
import {
  ownerAt,
  readCurve,
  sampleAt,
  samplesByColumn,
  type Curve,
  type WireCurve,
} from "../../web/src/lib/allocator-curve";
import {
  alignAtRange,
  commonRanges,
  formatChoice,
  parseChoice,
  zeroOf,
} from "../../web/src/views/compared-memory/state";
import type { ComparedSide } from "../../web/src/views/compared-memory/wire";

const kShape = {
  segments: 3,
  segments_wholly_free: 1,
  free_blocks: 4,
  inactive_bytes: 197_000_000,
  largest_free_bytes: 60_000_000,
  stuck_bytes: 137_000_000,
  releasable_bytes: 60_000_000,
  internal_bytes: 0,
  pending_bytes: 0,
};
const kBytes = { reserved: 1_000_000_000, allocated: 803_000_000, active: 803_000_000, requested: 800_000_000 };
const oomOf = (more: Partial<WireOom>): WireOom => ({
  entry: 7,
  at_ns: 70,
  asked_bytes: 61_000_000,
  device_free_bytes: null,
  bytes: kBytes,
  shape: kShape,
  is_fragmented: true,
  is_limited: false,
  reason: "fragmented",
  between: null,
  ...more,
});

test("an out of memory says in a sentence whether it was too much or fragmented", () => {
  assert.match(
    sayOom(oomOf({})),
    /^61\.0 MB were asked for: fragmented\. 197 MB were free in segments, but at most 60\.0 MB in one piece\.$/,
  );
  assert.match(
    sayOom(oomOf({ is_fragmented: false, reason: "too much", device_free_bytes: 5_000_000 })),
    /5\.00 MB were free on the device: too much: 803 MB were allocated/,
  );
  assert.match(
    sayOom(oomOf({ is_fragmented: false, is_limited: true, reason: "the process may have no more" })),
    /the process may have no more: 803 MB were allocated/,
  );
  assert.match(sayOom(oomOf({ is_limited: true })), /fragmented.*The device could have given more/);
  const between = { address: "0x0", size_bytes: 62_000_000, alive_bytes: 512, lives: [{}] as never[] };
  assert.match(sayOom(oomOf({ between })), /1 allocation of 512 B lies in the stretch/);
});

test("a moment's words leave out what is nothing", () => {
  assert.deepEqual(sayShape({ shape: { ...kShape, inactive_bytes: 0 }, bytes: kBytes }), [
    "803 MB allocated of 1.00 GB reserved",
  ]);
  assert.match(
    sayShape({ shape: kShape, bytes: kBytes }).join("; "),
    /in 4 pieces, the largest 60\.0 MB; .*137 MB stuck/,
  );
});

test("owners are named as people read them, and what was not recorded is said so", () => {
  assert.equal(sayLine("/home/me/nn_utils.py:6:softmax"), "softmax nn_utils.py:6");
  assert.equal(sayLine("C:\\me\\train.py:12:step"), "step train.py:12");
  assert.equal(sayOwner("aten::mm, no line of the user's", "line"), "aten::mm, no line of the user's");
  assert.equal(sayOwner(null, "pool"), "pool not recorded");
  assert.equal(sayOwner([0, 0], "pool"), "the usual pool");
  assert.equal(sayOwner([1, 0], "pool"), "pool (1, 0)");
  assert.equal(sayOwner(["a.py:1:main", "b.py:2:step"], "way"), "main a.py:1 › step b.py:2");
});

const kCurve: Curve = {
  owner_count: 3,
  entries: 6,
  entry: [-1, 0, 5],
  at_ns: [0, 10, 50],
  reserved: [100, 100, 100],
  allocated: [10, 60, 40],
  owners: [
    { id: 0, owner: "a", bytes: [10, 30, 0] },
    { id: 1, owner: "b", bytes: [0, 20, 40] },
  ],
};

test("a curve comes as differences, in units of bytes", () => {
  const wire: WireCurve = {
    ...kCurve,
    unit_bytes: 512,
    entry: [-1, 1, 5],
    at_ns: [0, 10, 40],
    reserved: [4, 0, 0],
    allocated: [1, 2, -1],
    owners: [{ id: 7, owner: "a", bytes: [1, 2, -1] }],
  };
  const { entry, at_ns, reserved, allocated, owners } = readCurve(wire);
  assert.deepEqual(
    [entry, at_ns, reserved],
    [
      [-1, 0, 5],
      [0, 10, 50],
      [2048, 2048, 2048],
    ],
  );
  assert.deepEqual(allocated, [512, 1536, 1024]);
  assert.deepEqual(owners, [{ id: 7, owner: "a", bytes: [512, 1536, 1024] }]);
});

test("a point of the stack has the owner whose band it lies in", () => {
  assert.deepEqual(
    [-5, 0, 9, 10, 49, 50, 99].map((at) => sampleAt(kCurve.at_ns, at)),
    [0, 0, 0, 1, 1, 2, 2],
  );
  assert.deepEqual(
    [0, 29, 30, 49, 50, 59, 60].map((bytes) => ownerAt(kCurve, 1, bytes)),
    [0, 0, 1, 1, -1, -1, null],
  );
});

test("a column of pixels shows the sample in it with the most, and what lasts fills its columns", () => {
  const curve = { ...kCurve, at_ns: [-20, 12, 14, 16, 30], allocated: [1, 5, 9, 2, 4] };
  const samples = samplesByColumn(curve, 5, (at_ns) => at_ns / 10);
  assert.deepEqual([...samples], [0, 2, 3, 4, 4]);
  assert.deepEqual([...samplesByColumn({ ...curve, at_ns: [], allocated: [] }, 2, (at_ns) => at_ns)], [-1, -1]);
});

test("out of memory leads from one to the next, and round", () => {
  const ooms = [
    { entry: 3, at_ns: 1 },
    { entry: 9, at_ns: 2 },
  ];
  assert.deepEqual(
    [-1, 3, 5, 9].map((entry) => nextMoment(ooms, entry)),
    [3, 9, 9, 3],
  );
  assert.equal(nextMoment([], 1), null);
  assert.deepEqual(["end", "12", "-1", "x", undefined].map(parseAllocatorMoment), ["end", 12, -1, "peak", "peak"]);
});

const segmentOf = (
  address: string,
  size_bytes: number,
  stream: string,
  pool: readonly [number, number] | null,
): WireSegment => ({
  address,
  size_bytes,
  pool,
  stream,
  is_expandable: false,
  offset: [0, 512, 1024],
  bytes: [512, 512, size_bytes - 1024],
  owner: [0, -1, 1],
  life: [4, -1, 5],
  is_pending: [0, 0, 0],
});

test("segments stand by pool and stream, the most memory first, each group under its heading", () => {
  const { rows, height } = layOutSegments([
    segmentOf("0x1", 2048, "0", [0, 0]),
    segmentOf("0x2", 9000, "7", null),
    segmentOf("0x3", 2048, "0", [0, 0]),
  ]);
  assert.deepEqual(
    rows.map(({ segment }) => segment.address),
    ["0x2", "0x1", "0x3"],
  );
  assert.deepEqual(
    rows.map(({ heading }) => heading !== null),
    [true, true, false],
  );
  assert.match(rows[0]!.heading!, /pool not recorded, stream 7 · 1 segment/);
  assert.equal(height, 2 * 24 + 3 * 20);
  assert.deepEqual(
    [0, 511, 512, 2047, 2048].map((offset) => blockAt(rows[1]!.segment, offset)),
    [0, 0, 1, 2, -1],
  );
});

test("what lies free in segments is listed by size, with where it lies", () => {
  const segment = { ...segmentOf("0x1", 4000, "0", [0, 0]), offset: [0, 100, 3000], bytes: [100, 2900, 1000] };
  const { rows } = layOutSegments([segment, { ...segment, life: [-1, -1, 4] }]);
  const pieces = listFreePieces(rows);
  assert.deepEqual(
    pieces.map(({ row, offset, bytes }) => [rows.indexOf(row), offset, bytes]),
    [
      [0, 100, 2900],
      [1, 100, 2900],
      [1, 0, 100],
    ],
  );
});

test("the tree adds up what lies below a line, and is folded where it is not open", () => {
  const row = (owner: string[], block_bytes: number) => ({ id: 0, owner, count: 1, requested_bytes: 0, block_bytes });
  const rows = [row(["main", "a"], 10), row(["main", "b"], 30), row(["other"], 5)];
  const all = treeOfWays(rows, () => true);
  assert.deepEqual(
    all.map(({ line, depth, bytes }) => [line, depth, bytes]),
    [
      ["main", 0, 40],
      ["b", 1, 30],
      ["a", 1, 10],
      ["other", 0, 5],
    ],
  );
  assert.equal(treeOfWays(rows, () => false).length, 2);
  const ways = treeOfWays(
    [
      { ...row(["main"], 1), id: 7 },
      { ...row(["main", "a"], 2), id: 8 },
    ],
    () => true,
  );
  assert.deepEqual(
    ways.map(({ id, hasMore }) => [id, hasMore]),
    [
      [7, true],
      [8, false],
    ],
  );
});

test("births that a file does not tell are named beside what else it lacks", () => {
  const whole = { lacking: ["times"], before: 0, allocations: 1432 } as WireAllocator;
  assert.deepEqual(sayLacking(whole), ["times"]);
  assert.deepEqual(sayLacking({ ...whole, before: 664 }), [
    "times",
    "the birth of 664 of 1,432 allocations, there before the first entry",
  ]);
  assert.equal(sayOwner("N/A", "compile"), "not compiled");
});

test("the palette knows words that pick allocations from names", () => {
  const queries = ["size>1e9", "frame:softmax", "loss size<20MB", "address:0x7f00", "0x7F00", "metadata:step"];
  assert.deepEqual(
    queries.filter((text) => !isLifeQuery(text)),
    [],
  );
  assert.deepEqual(["softmax", "size", "frame:", "0xyz", "a.py:12", "10x20"].filter(isLifeQuery), []);
});

test("what of a memory is compared stands in the URL, whatever its range is called", () => {
  for (const choice of [
    { device: null, range: "" },
    { device: 3, range: "" },
    { device: null, range: "ProfilerStep#3" },
    { device: 0, range: "a~b\nc" },
  ])
    assert.deepEqual(parseChoice(formatChoice(choice) ?? undefined), choice);
  assert.deepEqual(parseChoice("x"), { device: null, range: "" });
});

test("two memories compared meet at their begins, their peaks or a range that both have", () => {
  const side = (from_ns: number, names: readonly string[]): ComparedSide => ({
    key: "",
    lane: 0,
    device: 0,
    peak_bytes: 1,
    end_bytes: 1,
    reserved_bytes: 1,
    peak: { entry: 3, at_ns: from_ns + 7 },
    range: null,
    devices: [0],
    named: [],
    ranges: names.map((name, i) => ({ name, from_ns: from_ns + 100 * (i + 1) })),
    from_ns,
    to_ns: from_ns + 1000,
  });
  const [a, b] = [side(5, ["load", "step#"]), side(50, ["step#", "eval"])];
  assert.deepEqual(commonRanges({ a, b, peak: [], end: [] }), ["step#"]);
  const align = alignAtRange("step#");
  assert.deepEqual([zeroOf(a, "begin"), zeroOf(a, "peak"), zeroOf(a, align), zeroOf(b, align)], [5, 12, 205, 150]);
  assert.equal(zeroOf(a, alignAtRange("eval")), 5);
});
