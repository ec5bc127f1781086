// Runs without a page: which rows they make, and how one steps from run to run.
import assert from "node:assert/strict";
import { test } from "node:test";
import { rowsOfRuns, stepRun, titleOfRun, type Run } from "../../web/src/lib/timeline/runs";

const steps = [2, 0, 1].map((number): Run => {
  return { kind: "step", name: "", number, from: 100 * number, to: 100 * number + 90 };
});
const epoch: Run = { kind: "epoch", name: "warm-up", number: 0, from: 0, to: 300 };
const runs = [...steps, epoch];

test("each kind has a row, outer ones first, by time", () => {
  assert.deepEqual(
    rowsOfRuns(runs).map((row) => row.map(titleOfRun)),
    [["warm-up"], ["step 0", "step 1", "step 2"]],
  );
});

test("steps go from run to run of the innermost kind, and end at the ends", () => {
  const step = (view: Parameters<typeof stepRun>[1], by: 1 | -1) => stepRun(runs, view, by)?.number ?? null;
  const whole = { from: -3, to: 303 };
  assert.deepEqual([step(whole, 1), step(whole, -1)], [0, 2], "first one of those in view");
  const framed = (number: number) => ({ from: 100 * number - 20, to: 100 * number + 110 });
  assert.deepEqual([step(framed(0), 1), step(framed(1), 1), step(framed(2), 1)], [1, 2, null]);
  assert.deepEqual([step(framed(2), -1), step(framed(0), -1)], [1, null]);
  assert.equal(stepRun([], whole, 1), null);
});
