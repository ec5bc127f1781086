// Thread traces and samples of program counters: which run an event is of, what is looked at first, what instructions
// cost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { linkFromTrace, linkToInstruction } from "../../web/src/lib/links";
import { firstRange, formatSight, parseSight } from "../../web/src/lib/timeline/sight";
import { tracedRunOf, tracedRunsAround } from "../../web/src/lib/timeline/traced-runs";
import type { LaneInfo, Timeline, TraceInfo } from "../../web/src/lib/timeline/timeline";
import type { WireTracedRun } from "../../web/src/lib/timeline/wire";
import { formatRange, wholeRange } from "../../web/src/lib/time";
import { costOfPart, costsByLine, costsOf, hottestFirst, rowsByAddress } from "../../web/src/views/program/costs";
import { joinSamples, stallsAt } from "../../web/src/views/program/samples";
import type { WireCode } from "../../web/src/views/program/code";

const run = (number: number, start_ns: number, index: number | null): WireTracedRun => ({
  trace: String(number),
  kernel: "k",
  device: "AMD",
  event: index === null ? null : { lane: "AMD", index, start_ns, dur_ns: 100, name: "k" },
});
const kRuns = [run(0, 1000, 4), run(2, 5000, 5), run(3, 0, null)];
const lane = (path: string) => ({ path }) as LaneInfo;

test("an event is of the run that it is, a wave of the run that it is nearest to", () => {
  const ofAmd = (event: number, start: number) => tracedRunOf(kRuns, lane("AMD"), { event, start })?.trace;
  assert.equal(ofAmd(5, 5000), "2");
  assert.equal(ofAmd(6, 5000), undefined);
  const ofWaves = (start: number) => tracedRunOf(kRuns, lane("AMD thread traces/SE 0"), { event: 5, start })?.trace;
  assert.equal(ofWaves(1050), "0");
  assert.equal(ofWaves(4990), "2");
  assert.equal(tracedRunOf(kRuns, lane("AMD:1 thread traces/SE 0"), { event: 0, start: 1050 }), null);
  assert.equal(tracedRunOf([], lane("AMD"), { event: 4, start: 1000 }), null);
});

test("runs before and after one, of those that were traced", () => {
  assert.deepEqual(
    ["0", "2", "3"].map((trace) => {
      const { before, after } = tracedRunsAround(kRuns, trace);
      return [before?.trace, after?.trace];
    }),
    [
      [undefined, "2"],
      ["0", "3"],
      ["2", undefined],
    ],
  );
  assert.equal(tracedRunsAround(kRuns, "1").now, null);
});

test("of a trace the time of its waves is looked at first, and all of it can be linked to", () => {
  const trace = { work: [50_000, 51_000] } as unknown as TraceInfo;
  const shown = { dur_ns: 1_000_000, trace, lanes: [] } as unknown as Timeline;
  const first = firstRange(shown);
  assert.ok(first.from > 49_000 && first.from < 50_000 && first.to > 51_000 && first.to < 52_000);
  const sight = parseSight(shown, {});
  assert.deepEqual(sight.range, first);
  assert.equal(formatSight(shown, sight).time, null);
  const whole = wholeRange(shown.dur_ns);
  assert.equal(formatSight(shown, { ...sight, range: whole }).time, formatRange(whole));
  assert.deepEqual(firstRange({ dur_ns: 1000 }), wholeRange(1000));
});

test("ways back to the kernel and to the listing", () => {
  const { keys } = linkFromTrace(kRuns[0]!.event);
  assert.equal(keys.trace, null);
  assert.match(keys.event ?? "", /^AMD\|@4\.1000\|k$/);
  assert.equal(linkFromTrace(null).keys.event, undefined);
  assert.deepEqual(linkToInstruction({ index: 3, name: "" }, "0x1704").keys.ins, "0x1704");
});

const kCode = { instructions: { address: [16, 32, 48, 64], line: [7, 7, 0, 9] } } as unknown as WireCode;

test("costs by instruction, part and line; what is told of other addresses is none of them", () => {
  const costs = costsOf("cycles", rowsByAddress(kCode, [32, 64, 80]), [5, 20, 1000]);
  assert.deepEqual([costs.of, costs.all, costs.most], [[0, 5, 0, 20], 25, 20]);
  assert.equal(costOfPart(costs, 1, 2), 5);
  assert.deepEqual(hottestFirst(costs), [3, 1]); // those that cost nothing are not hot
  assert.deepEqual(hottestFirst(null), []);
  assert.deepEqual(
    [...costsByLine(kCode, costs)],
    [
      [7, 5],
      [9, 20],
    ],
  );
});

test("samples are joined with instructions where the capture says where the program was loaded", () => {
  const samples = {
    has_base: true,
    place: [0],
    stalls: ["NONE", "PIPE_BUSY"],
    address: [48, 4096],
    samples: [3, 9],
    active: [1, 0],
    by_stall: [
      [1, 2],
      [0, 9],
    ],
  };
  const joined = joinSamples(kCode, samples)!;
  assert.deepEqual([joined.costs.all, joined.costs.of[2]], [3, 3]);
  assert.deepEqual(stallsAt(samples, 1), [{ stall: 1, count: 9 }]);
  assert.equal(joinSamples(kCode, { ...samples, has_base: false }), null);
  assert.equal(joinSamples(kCode, { ...samples, address: [1, 2] }), null);
});

test("the largest listing has costs", () => {
  const count = 200_000;
  const costs = costsOf(
    "samples",
    new Int32Array(count).map((_, at) => at),
    new Array<number>(count).fill(2),
  );
  assert.deepEqual([costs.all, costs.most], [2 * count, 2]);
});
