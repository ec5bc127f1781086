// Runs without a page: which rows they make, how one steps from run to run, and the part of a timeline that a scope is of.
import assert from "node:assert/strict";
import { test } from "node:test";
import { kNoScope, type Scope } from "../../web/src/lib/scope";
import { areaOfScope } from "../../web/src/lib/timeline/area-of-scope";
import { rowsOfRuns, stepRun, titleOfRun, type Run } from "../../web/src/lib/timeline/runs";
import { makeLane, makeProfile } from "./profile-fixture";

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

test("a scope's rank and device narrow the lanes, its step and range the time", () => {
  const lanes = [
    makeLane("rank 0", { kind: "rank" }),
    makeLane("main", { kind: "thread", above: [0] }),
    makeLane("GPU 0", { kind: "device", above: [0] }),
    makeLane("stream 7", { kind: "stream", above: [0, 2] }),
    makeLane("rank 1", { kind: "rank" }),
    makeLane("GPU 0", { kind: "device", above: [4] }),
    makeLane("NPU", { kind: "device", above: [4] }),
  ];
  const timeline = { ...makeProfile({}).timeline, dur_ns: 100, lanes };
  const lanesOf = (scope: Partial<Scope>) => areaOfScope(timeline, { ...kNoScope, ...scope }).lanes;
  assert.deepEqual(areaOfScope(timeline, kNoScope), { range: { from: 0, to: 100 }, lanes: [0, 1, 2, 3, 4, 5, 6] });
  assert.deepEqual(areaOfScope(timeline, { ...kNoScope, range: { from: 5, to: 9 } }).range, { from: 5, to: 9 });
  assert.deepEqual(lanesOf({ rank: "0" }), [0, 1, 2, 3]);
  assert.deepEqual(lanesOf({ device: "0" }), [2, 3, 5]);
  assert.deepEqual(lanesOf({ rank: "0", device: "0" }), [2, 3]);
  assert.deepEqual(lanesOf({ device: "NPU" }), [6]);
  assert.deepEqual(lanesOf({ rank: "7" }), [0, 1, 2, 3, 4, 5, 6], "a rank that no lane is of narrows nothing");
});
