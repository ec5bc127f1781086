// The axis in cycles of a lane's clock.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formatClock,
  formatDurationBy,
  formatMomentBy,
  listClocks,
  makeAxisTicks,
  nextClock,
} from "../../web/src/lib/timeline/clock";
import type { LaneInfo } from "../../web/src/lib/timeline/timeline";
const laneWith = (hz: number | null) => ({ hz }) as LaneInfo;

test("the clocks of the lanes are gone through, and then time again", () => {
  const clocks = listClocks([laneWith(940e6), laneWith(null), laneWith(1.2e9), laneWith(940e6)]);
  assert.deepEqual(clocks, [1.2e9, 940e6]);
  assert.deepEqual([nextClock(clocks, null), nextClock(clocks, 1.2e9), nextClock(clocks, 940e6)], [1.2e9, 940e6, null]);
  assert.equal(nextClock([], null), null);
  assert.deepEqual([null, 940e6, 1.2e9].map(formatClock), ["time", "940 MHz", "1.2 GHz"]);
});

test("ticks stand at whole cycles, and say the same moment as the cursor", () => {
  const clock = 940e6;
  for (const span of [300, 40_000, 7e6, 3e9]) {
    const ticks = makeAxisTicks({ from: span / 3, to: (4 * span) / 3 }, 1200, clock);
    assert.ok(ticks.length >= 2 && ticks.length <= 11, `${ticks.length} ticks over ${span} ns`);
    for (const { at } of ticks) {
      const cycles = (at * clock) / 1e9;
      assert.ok(Math.abs(cycles - Math.round(cycles)) < 1e-3);
      assert.ok(at >= span / 3 - 1 && at <= (4 * span) / 3 + 1);
    }
  }
  assert.equal(makeAxisTicks({ from: 0, to: 10_000 }, 1000, 1e9)[1]!.label, "2 k cycles");
  assert.equal(formatMomentBy(10_000, 940e6), "9,400 cycles");
  assert.equal(formatDurationBy(10_000, null), "10.0 µs");
});
