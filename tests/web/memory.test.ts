import assert from "node:assert/strict";
import { test } from "node:test";
import {
  findAllocationAt,
  formatBytes,
  formatRoundBytes,
  liveBytesAt,
  makeByteTicks,
  readMemory,
} from "../../web/src/lib/timeline/memory";
import { makeMemoryAxis } from "../../web/src/lib/timeline/memory-axis";
import { listSet, measureHoles } from "../../web/src/lib/timeline/memory-sets";
import { takeStack } from "../../web/src/lib/timeline/memory-stack";
import { takeSteps } from "../../web/src/lib/timeline/memory-steps";
import type { WireMemory } from "../../web/src/lib/wire";
import { makeRandom } from "./profile-fixture";

// Two allocations beside each other in time at offset 0, one above them that is never freed, one of no bytes.
const memory = readMemory({
  peak_bytes: 30,
  peak_ns: 10,
  end_bytes: 20,
  height_bytes: 30,
  key: [1, 2, 3, 4],
  birth: [0, 10, 50, 60],
  death: [40, -1, 90, 70],
  count: [10, 20, 10, 0],
  size_bytes: [10, 20, 10, 0],
  dtype: [1, 1, 1, 1],
  offset: [0, 10, 0, 0],
  at_peak: [0, 1],
  live: { at: [0, 10, 40, 50, 60, 70, 90], bytes: [10, 30, 20, 30, 30, 30, 20] },
});

test("an allocation is found inside its rectangle", () => {
  assert.equal(findAllocationAt(memory, 5, 5), 0);
  assert.equal(findAllocationAt(memory, 60, 5), 2);
  assert.equal(findAllocationAt(memory, 1e9, 25), 1, "alive at the end");
  assert.equal(findAllocationAt(memory, 45, 5), -1);
  assert.equal(findAllocationAt(memory, 5, 25), -1);
});

test("one thinner than the pointer is found within reach, the nearest first", () => {
  assert.equal(findAllocationAt(memory, 42, 5, 3, 0), 0);
  assert.equal(findAllocationAt(memory, 49, 5, 30, 0), 2);
});

test("live bytes are those of the last change", () => {
  assert.deepEqual(
    [-1, 0, 9, 10, 45, 1e9].map((at) => liveBytesAt(memory, at)),
    [0, 10, 10, 30, 20, 20],
  );
});

test("the peak's set comes largest first", () => {
  assert.deepEqual([...memory.atPeak], [1, 0]);
});

test("bytes in the unit that suits", () => {
  const cases: [number, string][] = [
    [0, "0 B"],
    [68, "68 B"],
    [999, "999 B"],
    [1000, "1.00 KB"],
    [189_144, "189 KB"],
    [9_996, "10.0 KB"],
    [99_960, "100 KB"],
    [999_600, "1.00 MB"],
    [61_400_000_000, "61.4 GB"],
    [9e18, "9000 PB"],
  ];
  for (const [bytes, text] of cases) assert.equal(formatBytes(bytes), text);
});

test("round bytes show no noughts after the point", () => {
  assert.deepEqual([0, 20, 2500, 50_000, 200_000].map(formatRoundBytes), ["0 B", "20 B", "2.5 KB", "50 KB", "200 KB"]);
});

test("byte ticks are round and inside", () => {
  assert.deepEqual(makeByteTicks(189_144, 300, 40), [50_000, 100_000, 150_000]);
  assert.deepEqual(makeByteTicks(0, 300), []);
  assert.deepEqual(makeByteTicks(3, 300), [1, 2, 3]);
});

test("a peak shorter than a pixel still shows in the live line", () => {
  // Ten nanoseconds a pixel: the frees and births at 40 to 70 fall into columns 4 to 7.
  const steps = takeSteps(memory, makeMemoryAxis(memory, { range: { from: 0, to: 200 }, width_px: 20 }, "time"), 10);
  const high = Math.max(...steps.map((step) => step.high));
  assert.equal(high, memory.peak_bytes);
  assert.deepEqual(steps[0], { column: 0, before: 10, after: 10, low: 10, high: 10 });
  assert.deepEqual(steps.at(-1), { column: 10, before: 20, after: 20, low: 20, high: 20 });
  for (let i = 1; i < steps.length; i++) assert.equal(steps[i]!.before, steps[i - 1]!.after);

  const whole = takeSteps(memory, makeMemoryAxis(memory, { range: { from: 0, to: 1000 }, width_px: 1 }, "time"), 1);
  assert.deepEqual(whole[1], { column: 0, before: 10, after: 20, low: 10, high: 30 });
});

/** Allocations of three types at random times, at their places in a packing that is not tight. */
function makeAllocations(count: number, seed: number): WireMemory {
  const random = makeRandom(seed);
  const list = Array.from({ length: count }, () => {
    const birth = random(1000);
    return { birth, death: random(4) === 0 ? -1 : birth + random(300), size: 1 + random(50), dtype: random(3) };
  }).sort((a, b) => a.birth - b.birth);
  const changes = list.flatMap(({ birth, death, size }) => [
    { at: birth, by: size },
    ...(death < 0 ? [] : [{ at: death, by: -size }]),
  ]);
  changes.sort((a, b) => a.at - b.at);
  let live = 0;
  return {
    peak_bytes: 0,
    peak_ns: 0,
    end_bytes: 0,
    height_bytes: 51 * count,
    key: list.map((_, i) => i),
    birth: list.map((a) => a.birth),
    death: list.map((a) => a.death),
    count: list.map((a) => a.size),
    size_bytes: list.map((a) => a.size),
    dtype: list.map((a) => a.dtype),
    offset: list.map((_, i) => 51 * i),
    at_peak: [],
    live: { at: changes.map((c) => c.at), bytes: changes.map((c) => (live += c.by)) },
  };
}

test("bands of categories add up to the live bytes, by time and by order", () => {
  const many = readMemory(makeAllocations(300, 3));
  for (const order of ["time", "events"] as const) {
    const scale = { range: { from: 100, to: 1400 }, width_px: 1300 };
    const axis = makeMemoryAxis(many, scale, order);
    const columns = takeStack(many, axis, scale.width_px);
    assert.equal(columns[0]!.x, 0);
    columns.forEach((column, i) => {
      const sum = column.bytes.reduce((total, bytes) => total + bytes, 0);
      const next = columns[i + 1]?.x ?? scale.width_px;
      assert.ok(i === 0 || column.x > columns[i - 1]!.x, "columns rise");
      // Between its changes a column has what was live at its end.
      if (next > column.x + 1) assert.equal(sum, liveBytesAt(many, axis.timeOf(next - 0.5)), `${order} ${column.x}`);
    });
  }
});

test("in order every change has as much room, and times come back from places", () => {
  const axis = makeMemoryAxis(memory, { range: { from: -10, to: 1000 }, width_px: 70 }, "events");
  assert.deepEqual(
    [0, 10, 40, 50, 60, 70, 90, 95].map((at) => axis.xOf(at)),
    [0, 10, 20, 30, 40, 50, 60, 70],
  );
  assert.deepEqual(
    [0, 15, 69].map((x) => axis.timeOf(x)),
    [0, 10, 90],
  );
});

test("what was never freed is listed, and holes are measured between what lives together", () => {
  assert.deepEqual([...listSet(memory, "end")], [1]);
  assert.deepEqual(measureHoles(memory, memory.atPeak), { free_bytes: 0, largest_bytes: 0 });
  const many = readMemory(makeAllocations(4, 5));
  const holes = measureHoles(many, Uint32Array.from([3, 0, 2]));
  const used = [0, 2].map((i) => many.size_bytes[i]!);
  assert.deepEqual(holes, {
    free_bytes: 3 * 51 - used[0]! - used[1]!,
    largest_bytes: Math.max(102 - used[0]!, 51 - used[1]!),
  });
  assert.deepEqual(measureHoles(many, new Uint32Array()), { free_bytes: 0, largest_bytes: 0 });
});
