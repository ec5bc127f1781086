// Steps that come faster than their answers.
import assert from "node:assert/strict";
import { test } from "node:test";
import { createQueue } from "../../web/src/views/timeline/state/steps";

/** Moves along a line that answer only when told to. */
function makeLine() {
  const line = { at: 0, moves: [] as number[], answers: [] as (() => void)[] };
  const move = async (by: number) => {
    const from = line.at;
    line.moves.push(by);
    await new Promise<void>((resolve) => line.answers.push(resolve));
    line.at = from + by;
  };
  return { line, move };
}

async function answerAll({ answers }: ReturnType<typeof makeLine>["line"]): Promise<void> {
  for (let answer = answers.shift(); answer !== undefined; answer = answers.shift()) {
    answer();
    await new Promise((resolve) => setImmediate(resolve));
  }
}

test("a step starts where the one before it ended", async () => {
  const { line, move } = makeLine();
  const take = createQueue();
  take(move, 1);
  take(move, -1);
  assert.deepEqual(line.moves, [1], "the second waits");
  await answerAll(line);
  assert.deepEqual([line.moves, line.at], [[1, -1], 0]);
});

test("steps that wait and go the same way are one, and none is lost", async () => {
  const { line, move } = makeLine();
  const take = createQueue();
  for (let i = 0; i < 10; i++) take(move, 1);
  for (let i = 0; i < 3; i++) take(move, -1);
  await answerAll(line);
  assert.deepEqual([line.moves, line.at], [[1, 9, -3], 7]);
});

test("steps of other kinds keep their order", async () => {
  const [first, second] = [makeLine(), makeLine()];
  const take = createQueue();
  take(first.move, 1);
  take(second.move, 1);
  take(first.move, 1);
  await answerAll(first.line);
  assert.deepEqual([first.line.moves, second.line.moves], [[1], [1]], "the third waits for the second");
  await answerAll(second.line);
  await answerAll(first.line);
  assert.equal(first.line.at, 2);
});
