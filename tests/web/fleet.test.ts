// The store's answers in the ranks' view, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { heatOfBusy, heatOfSteps, medianOf, namedRows, rowsOfRanks, type Rank } from "../../web/src/views/fleet/model";

const rankOf = (rank: number, end_ns: number): Rank => ({
  rank,
  capture: `r${rank}`,
  format: "vizd",
  start_ns: 0,
  end_ns,
  slices: 10,
  is_whole: 1,
});

test("rows are read by the names of their columns", () => {
  const rows = namedRows<{ a: number; b: string | null }>({
    columns: ["b", "a"],
    rows: [
      ["x", 1],
      [null, 2],
    ],
  });
  assert.deepEqual(rows, [
    { a: 1, b: "x" },
    { a: 2, b: null },
  ]);
});

test("a median is of the middle, or between the middle two", () => {
  assert.equal(medianOf([]), 0);
  assert.equal(medianOf([3, 1, 2]), 2);
  assert.equal(medianOf([4, 1, 2, 3]), 2.5);
});

test("a step is held against its own median, and one that a rank lacks is nothing", () => {
  const heat = heatOfSteps([
    { rank: 0, numbers: [7, 8], starts_ns: [0, 10], durs_ns: [10, 20] },
    { rank: 3, numbers: [7, 8], starts_ns: [0, 10], durs_ns: [10, 40] },
    { rank: 5, numbers: [8], starts_ns: [10], durs_ns: [20] },
  ]);
  assert.deepEqual(heat.numbers, [7, 8]);
  assert.deepEqual(heat.median_ns, [10, 20]);
  assert.deepEqual(heat.values, [
    [0, 0],
    [0, 1],
    [null, 0],
  ]);
});

test("a piece of time that is not told was idle, and one after the end is none", () => {
  const heat = heatOfBusy(
    [
      { rank: 0, dur: 100, places: [0, 2], busy_ns: [50, 100] },
      { rank: 1, dur: 100, places: [1], busy_ns: [25] },
    ],
    [rankOf(0, 300), rankOf(1, 200)],
  );
  assert.equal(heat.columns, 3);
  assert.deepEqual(heat.values, [
    [0.5, 0, 1],
    [0, 0.25, null],
  ]);
});

test("a rank's row tells how slow it is, its worst step and how long it made others wait", () => {
  const heat = heatOfSteps([
    { rank: 0, numbers: [1, 2], starts_ns: [0, 1], durs_ns: [10, 10] },
    { rank: 1, numbers: [1, 2], starts_ns: [0, 1], durs_ns: [10, 10] },
    { rank: 2, numbers: [1, 2], starts_ns: [0, 1], durs_ns: [15, 20] },
  ]);
  const busy = [{ rank: 2, dur: 10, places: [0, 1], busy_ns: [5, 5] }];
  const rows = rowsOfRanks([rankOf(0, 20), rankOf(2, 40)], busy, heat, [{ rank: 2, wait_ns: 7, collectives: 4 }]);
  assert.deepEqual([rows[0]!.slowness, rows[0]!.busy_ns, rows[0]!.madeWait_ns], [0, null, 0]);
  assert.deepEqual(
    [rows[1]!.slowness, rows[1]!.worst, rows[1]!.worstStep, rows[1]!.busy_ns, rows[1]!.timesLate],
    [0.75, 1, 2, 10, 4],
  );
});
