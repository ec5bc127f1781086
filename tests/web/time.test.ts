import assert from "node:assert/strict";
import { test } from "node:test";
import {
  clampRange,
  findAbove,
  formatMoment,
  formatRange,
  kShortestNs,
  makeTicks,
  panRange,
  parseRange,
  revealTime,
  spanOf,
  wholeRange,
  zoomRange,
} from "../../web/src/lib/time";

const bounds = { from: 0, to: 1_000_000 };

test("zooming keeps the time under the pointer where it is", () => {
  const range = { from: 200_000, to: 600_000 };
  const closer = zoomRange(range, 0.5, 300_000, bounds);
  assert.deepEqual(closer, { from: 250_000, to: 450_000 });
  assert.deepEqual(zoomRange(closer, 2, 300_000, bounds), range);
});

test("zooming and panning stop at the bounds and at the shortest range", () => {
  assert.deepEqual(zoomRange({ from: 0, to: 10_000 }, 1e9, 5_000, bounds), bounds);
  assert.ok(Math.abs(spanOf(zoomRange({ from: 0, to: 1000 }, 1e-9, 500, bounds)) - kShortestNs) < 1e-6);
  assert.deepEqual(panRange({ from: 0, to: 100_000 }, -1, bounds), { from: 0, to: 100_000 });
  assert.deepEqual(panRange({ from: 900_000, to: 1_000_000 }, 0.5, bounds), { from: 900_000, to: 1_000_000 });
  assert.deepEqual(clampRange({ from: -50, to: 50 }, bounds), { from: 0, to: 100 });
});

test("an empty profile still has a range", () => {
  assert.ok(spanOf(wholeRange(0)) > 0);
  assert.equal(makeTicks(wholeRange(0), 1000).length > 0, true);
});

test("a time out of view is brought into it without zooming; one in view moves nothing", () => {
  const range = { from: 0, to: 1000 };
  assert.equal(revealTime(range, { from: 100, to: 200 }, bounds), range);
  assert.equal(revealTime(range, { from: 900, to: 5000 }, bounds), range, "its start is seen");
  assert.deepEqual(revealTime(range, { from: 9_000, to: 9_100 }, bounds), { from: 8550, to: 9550 });
});

test("ticks are whole numbers of one unit, evenly apart", () => {
  const labels = makeTicks({ from: 9_500_000, to: 22_400_000 }, 1223).map((t) => t.label);
  assert.deepEqual(labels, [
    "10 ms",
    "11 ms",
    "12 ms",
    "13 ms",
    "14 ms",
    "15 ms",
    "16 ms",
    "17 ms",
    "18 ms",
    "19 ms",
    "20 ms",
    "21 ms",
    "22 ms",
  ]);
  assert.deepEqual(
    makeTicks({ from: 1_290_000_100, to: 1_290_000_460 }, 400).map((t) => t.label),
    ["1,290,000,100 ns", "1,290,000,200 ns", "1,290,000,300 ns", "1,290,000,400 ns"],
  );
  for (const span of [30, 999, 1e4, 3.3e7, 2e9, 9e11]) {
    for (const tick of makeTicks({ from: span * 3.7, to: span * 4.7 }, 1000)) {
      assert.match(tick.label, /^[\d,]+ (ns|µs|ms|s)$/);
      assert.equal(Math.round(tick.at), tick.at);
    }
  }
});

test("a moment is written to the nanosecond", () => {
  assert.equal(formatMoment(0), "0 ns");
  assert.equal(formatMoment(932_851_204), "932.851204 ms");
  assert.equal(formatMoment(12_000_000_001), "12.000000001 s");
});

test("a range survives the URL, and nonsense is none", () => {
  assert.deepEqual(parseRange(formatRange({ from: -12.4, to: 1_290_018_123 })), { from: -12, to: 1_290_018_123 });
  for (const text of [undefined, "", "1..1", "2..1", "a..b", "1-2", "1..99999999999999999"])
    assert.equal(parseRange(text), null);
});

test("halving finds the first above", () => {
  const column = Float64Array.of(1, 2, 2, 5);
  assert.deepEqual(
    [0, 1, 2, 3, 5].map((limit) => findAbove(column, limit)),
    [0, 1, 3, 3, 4],
  );
  assert.equal(findAbove(new Float64Array(), 1), 0);
});
