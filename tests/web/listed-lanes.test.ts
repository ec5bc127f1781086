// Lanes in questions to the server: so short that those of a large profile fit into an address.
import assert from "node:assert/strict";
import { test } from "node:test";
import { listLanes } from "../../web/src/lib/timeline/stats";

const lane = (rowCount: number, sampleCount = 0) => ({ rowCount, sampleCount });

test("lanes that follow each other are one range, over those that have nothing to count", () => {
  const lanes = [lane(1), lane(0), lane(1), lane(1), lane(0, 9), lane(2)];
  assert.deepEqual(listLanes([0, 2, 3], lanes), ["0-3"]);
  assert.deepEqual(listLanes([0, 2, 3, 5], lanes), ["0-3", "5"]); // 4 has samples
  assert.deepEqual(listLanes([5, 3], lanes), ["3", "5"]);
  assert.deepEqual(listLanes([], lanes), []);
  const many = Array.from({ length: 4096 }, (_, at) => lane(at % 2));
  const odd = many.flatMap((_, at) => (at % 2 === 1 ? [at] : []));
  assert.deepEqual(listLanes(odd, many), ["1-4095"]);
});
