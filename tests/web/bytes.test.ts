import assert from "node:assert/strict";
import { test } from "node:test";
import { formatBytes, formatRoundBytes, makeByteTicks } from "../../web/src/lib/bytes";

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
    [-32_768, "−32.8 KB"],
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
