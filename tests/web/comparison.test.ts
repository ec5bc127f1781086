// Two captures compared: which is before and which after, what they are called, and the verdict in words.
import assert from "node:assert/strict";
import { test } from "node:test";
import { labelCaptures } from "../../web/src/lib/capture-names";
import { choosePair, formatChange, formatRatio, sayVerdict, stateOf, toneOf } from "../../web/src/lib/comparison";
import type { WireComparison, WireVerdict } from "../../web/src/lib/devices";

const captures = ["one", "two", "three"].map((name, at) => ({ id: `c${at}`, name }));
const pairOf = (shown: string | null, before?: string, after?: string) => {
  const pair = choosePair(captures, shown, { before, after });
  return pair === null ? null : [pair.before.name, pair.after.name];
};

test("before and after stand in the order of the command line", () => {
  assert.deepEqual(pairOf("c0"), ["one", "two"]);
  assert.deepEqual(pairOf("c1"), ["one", "two"]);
  assert.deepEqual(pairOf("c2"), ["one", "three"]);
});

test("either side can be asked for, and turned round; a link of before names the one before alone", () => {
  assert.deepEqual(pairOf("c0", "two", "one"), ["two", "one"]);
  assert.deepEqual(pairOf("c0", "two"), ["two", "one"]);
  assert.deepEqual(pairOf("c1", undefined, "one"), ["two", "one"]);
  assert.deepEqual(pairOf("c1", "gone", "gone"), ["one", "two"]);
  assert.deepEqual(pairOf("c0", "one", "one"), ["one", "two"]);
  assert.equal(choosePair(captures.slice(0, 1), "c0", { before: undefined, after: undefined }), null);
});

const capture = (id: string, name: string, path: string) => ({ id, name, files: [{ path }] });

test("captures of one name are told apart by their folders, as few of them as do", () => {
  const labels = labelCaptures([
    capture("c0", "trace", "/runs/before/rank0/trace.json"),
    capture("c1", "trace (2)", "/runs/after/rank0/trace.json"),
    capture("c2", "other", "/runs/after/rank0/other.json"),
    capture("c3", "notes (2)", "/runs/notes (2).json"),
  ]);
  assert.equal(labels.get("c0"), "trace · before/rank0");
  assert.equal(labels.get("c1"), "trace · after/rank0");
  assert.equal(labels.get("c2"), "other");
  assert.equal(labels.get("c3"), "notes (2)");
});

test("captures that lie in one folder keep the names that the server gives them", () => {
  const labels = labelCaptures([capture("c0", "trace", "a/trace.json"), capture("c1", "trace (2)", "a/trace.bin")]);
  assert.deepEqual([...labels.values()], ["trace", "trace (2)"]);
});

const verdict: WireVerdict = {
  word: "slower",
  of: "step",
  a: { dur_ns: 4_000_000, count: 8 },
  b: { dur_ns: 4_200_000, count: 8 },
  range_ns: [160_000, 240_000],
  classes: [
    { class: "compute", a_ns: 3_000_000, b_ns: 3_210_000, is_main: true },
    { class: "idle", a_ns: 1_000_000, b_ns: 990_000, is_main: false },
  ],
  causes: [],
};

test("a verdict says by how much, of what, how surely, and in which class of work", () => {
  const words = sayVerdict(verdict);
  assert.equal(words.head, "Slower by 5.0 %");
  assert.equal(words.tone, "slower");
  assert.equal(words.measure, "median step of 8 steps each · 95 % interval +4.0 % to +6.0 %");
  assert.equal(words.mainly, "mostly compute, +210 µs");
});

test("a verdict without an interval says why, and one of no change blames no class", () => {
  const few = sayVerdict({ ...verdict, a: { dur_ns: 4e6, count: 1 }, range_ns: null });
  assert.equal(few.measure, "median step of 1 and 8 steps · too few steps for an interval");
  const one = { dur_ns: 4e6, count: 1 };
  assert.match(sayVerdict({ ...verdict, a: one, b: one, range_ns: null }).measure, /^the only step of each/);
  const same = sayVerdict({ ...verdict, word: "same", b: { dur_ns: 4_010_000, count: 8 } });
  assert.equal(same.head, "No clear change (+0.3 %)");
  assert.deepEqual([same.tone, same.mainly], ["", ""]);
  const devices = sayVerdict({ ...verdict, of: "device", range_ns: null, a: { dur_ns: 4e6, count: 1 } });
  assert.match(devices.measure, /average of 1 and 8 devices · no steps, so no interval/);
});

test("rows are not blamed where the change is of idle time", () => {
  assert.equal(sayVerdict(verdict).because, "Because of");
  const classes = verdict.classes.map((each) => ({ ...each, is_main: each.class === "idle" }));
  assert.match(sayVerdict({ ...verdict, classes }).because, /Rows that got slower/);
  assert.deepEqual([formatRatio(1.5), formatRatio(0.5), formatRatio(288)], ["+50.0 %", "−50.0 %", "×288"]);
});

test("rows are added, removed, changed or the same, and more time is slower", () => {
  const row = (state: string, delta_total_ns: number) =>
    ({ state, delta_total_ns, delta_launches: 0 }) as WireComparison["rows"][number];
  assert.deepEqual([row("added", 5), row("removed", -5), row("both", 1), row("both", 0)].map(stateOf), [
    "added",
    "removed",
    "changed",
    "same",
  ]);
  assert.deepEqual([toneOf(1), toneOf(-1), toneOf(0)], ["slower", "faster", ""]);
  assert.deepEqual([formatChange(1500), formatChange(-1500), formatChange(0)], ["+1.50 µs", "−1.50 µs", "±0"]);
});
