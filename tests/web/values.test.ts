// How logged values are written and coloured.
import assert from "node:assert/strict";
import { test } from "node:test";
import { colourOf } from "../../web/src/views/values/colour";
import { formatShape, formatValue, toNumber } from "../../web/src/views/values/wire";

test("numbers are short, and odd ones said", () => {
  assert.equal(formatValue(0.2027758), "0.20278");
  assert.equal(formatValue(2.335e-15), "2.33e-15");
  assert.equal(formatValue(-3), "-3");
  assert.equal(formatValue("nan"), "NaN");
  assert.equal(formatValue("-inf"), "-∞");
  assert.equal(formatValue(null), "·");
  assert.equal(toNumber("-inf"), -Infinity);
  assert.ok(Number.isNaN(toNumber("nan")));
  assert.equal(formatShape([]), "scalar");
  assert.equal(formatShape([1, 8]), "1 × 8");
});

test("a picture's colours tell the sign, how far from zero, and what is no number", () => {
  const blueness = ([red, , blue]: readonly number[]) => blue! - red!;
  assert.ok(blueness(colourOf(-1, -1, 1)) > 0);
  assert.ok(blueness(colourOf(1, -1, 1)) < 0);
  assert.deepEqual(colourOf(0, -1, 1), colourOf(0, -5, 5));
  assert.deepEqual(colourOf(NaN, 0, 1), [128, 128, 128]);
  assert.notDeepEqual(colourOf(Infinity, 0, 1), colourOf(-Infinity, 0, 1));
  // All of one sign: from the least on.
  assert.notDeepEqual(colourOf(10, 10, 11), colourOf(11, 10, 11));
  assert.deepEqual(colourOf(3, 3, 3), colourOf(3, 3, 3));
});
