// A view of memory as it comes from the server, and what lies under the pointer in it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { findBlock, liveAt, readMemoryPicture, stepsOf } from "../../web/src/lib/timeline/memory-picture";

// Two blocks, the second further left; two by one cells; three columns with a value; two categories.
const kAnswer = Uint8Array.from([
  ...[1, 20, 8, 2, 2, 3],
  ...[16, 11], // x: 8, then 6 less
  ...[3, 0], // w less 1
  ...[0, 4], // y
  ...[3, 1], // h less 1
  ...[0, 1], // category
  ...[14, 5], // index: 7, then 3 less
  ...[2, 1, 0, 128], // cells
  ...[0, 5, 4], // columns 0, 5, 9
  ...[0, 3, 2], // low
  ...[0, 9, 6], // high
  ...[0, 7, 2], // last
  ...[0, 5, 6, 0, 4, 0], // bytes of the categories
]).buffer;

test("blocks, cells and live bytes come back as they were sent", () => {
  const picture = readMemoryPicture(kAnswer, 100, 300);
  assert.deepEqual([...picture.blocks.x, ...picture.blocks.w, ...picture.blocks.index], [8, 2, 4, 1, 7, 4]);
  assert.deepEqual([...picture.coverage], [0, 128]);
  assert.deepEqual([...picture.live.column], [0, 5, 9]);
  assert.deepEqual(
    [0, 1, 2].map((i) => picture.categoryBytes[i]! + picture.categoryBytes[3 + i]!),
    [...picture.live.high],
    "categories add up to the most of each column",
  );
  for (let length = 0; length < kAnswer.byteLength; length++) {
    assert.throws(() => readMemoryPicture(kAnswer.slice(0, length), 0, 1), RangeError, `${length} bytes`);
  }
});

test("the live line has every extreme, and goes on to the end", () => {
  const steps = stepsOf(readMemoryPicture(kAnswer, 100, 300));
  assert.deepEqual(
    steps.map(({ column, before, after, low, high }) => [column, before, after, low, high]),
    [
      [0, 0, 0, 0, 0],
      [5, 0, 7, 3, 9],
      [9, 7, 2, 2, 6],
      [20, 2, 2, 2, 2],
    ],
  );
});

test("what lies at a place is found, and what is live there", () => {
  const picture = readMemoryPicture(kAnswer, 100, 300);
  const find = (column: number, line: number) => findBlock(picture, column, line, { columns: 0.5, lines: 0.25 });
  assert.equal(find(8.5, 0.5), 0);
  assert.equal(find(2.5, 5.9), 1);
  assert.equal(find(3.4, 5), 1, "within reach");
  assert.equal(find(3.6, 5), -1);
  assert.equal(find(2.5, 6.3), -1);
  assert.deepEqual(
    [0.5, 4.9, 5.5, 7, 9.2, 15].map((column) => liveAt(picture, column)),
    [0, 0, 9, 7, 6, 2],
  );
});
