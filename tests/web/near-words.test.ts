// Suggestions where nothing was found.
import assert from "node:assert/strict";
import { test } from "node:test";
import { editDistance, nearWords } from "../../web/src/lib/near-words";

test("a distance counts letters left out, put in, changed and swapped", () => {
  assert.equal(editDistance("load", "load"), 0);
  assert.equal(editDistance("laod", "load"), 1);
  assert.equal(editDistance("lod", "load"), 1);
  assert.equal(editDistance("store", "load"), 4);
  assert.equal(editDistance("", "abc"), 3);
});

test("the nearest words come first, and none that is far", () => {
  const ops = ["LOAD", "STORE", "INDEX", "ADD", "VECTORIZE"];
  assert.deepEqual(nearWords("laod", ops, 3), ["LOAD"]);
  assert.deepEqual(nearWords("vector", ops, 3), ["VECTORIZE"]);
  assert.deepEqual(nearWords("stroe", ops, 3), ["STORE"]);
  assert.deepEqual(nearWords("xyz", ops, 3), []);
  assert.deepEqual(nearWords("a", ops, 3), []);
});
