// What a source answers whose profile is in the page.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readProfile } from "../../web/src/lib/timeline/lanes";
import type { Result } from "../../web/src/lib/result";
import type { EventItem } from "../../web/src/lib/timeline/source";
import { createWholeSource } from "../../web/src/lib/timeline/whole-source";
import { makeWireProfile } from "./profile-fixture";

const source = createWholeSource(
  readProfile(
    makeWireProfile({
      CPU: [
        { start: 0, end: 1000, name: "outer" },
        { start: 100, end: 300, name: "\u001b[33mE_4\u001b[0m", row: 1, context: 2 },
        { start: 400, end: 450, name: "E_4", row: 1, context: 2 },
      ],
      GPU: [{ start: 200, end: 900, name: "E_4", context: 2 }],
    }),
  ),
);

async function valueOf<T>(answer: Promise<Result<T>>): Promise<T> {
  const result = await answer;
  assert.ok(result.ok);
  return result.value;
}

const placeOf = (item: EventItem | null) => item && [item.lane, item.event];

test("an event tells what holds it, its neighbours and what it does itself", async () => {
  const inner = await valueOf(source.detail({ lane: 0, event: 1 }));
  assert.deepEqual([inner.item.row, inner.item.start, inner.item.dur, inner.context], [1, 100, 200, 2]);
  assert.deepEqual([placeOf(inner.parent), placeOf(inner.previous), placeOf(inner.next)], [[0, 0], null, [0, 2]]);
  assert.equal((await valueOf(source.detail({ lane: 0, event: 0 }))).self_ns, 750);
});

test("the longest of a row in a range is found; where there is none it says so", async () => {
  const longest = await valueOf(source.longestIn(0, 1, { from: 0, to: 1000 }));
  assert.deepEqual(placeOf(longest), [0, 1]);
  const none = await source.longestIn(0, 1, { from: 310, to: 320 });
  assert.equal(!none.ok && none.error.kind, "not_found");
});

test("hits come in a round, from beside them to the nearest", async () => {
  const step = async (from: EventItem | null, by: 1 | -1) => placeOf(await valueOf(source.stepHit("e_4", from, by)));
  const hits = await valueOf(source.search("e_4"));
  assert.equal(hits.total, 3);
  assert.deepEqual(await step(null, 1), [0, 1]);
  assert.deepEqual(await step(null, -1), [0, 2]);
  assert.deepEqual(await step(hits.items[2]!, 1), [0, 1]);
  assert.deepEqual(await step(hits.items[0]!, -1), [0, 2]);
  const { item: outer } = await valueOf(source.detail({ lane: 0, event: 0 }));
  assert.deepEqual(await step(outer, 1), [0, 1]);
  assert.deepEqual(await step(outer, -1), [0, 2]);
  assert.equal(await valueOf(source.stepHit("nothing", outer, 1)), null);
});

test("the next of a name is of any lane, colours aside, and ends at the last", async () => {
  const { item: first } = await valueOf(source.detail({ lane: 0, event: 1 }));
  const second = await valueOf(source.stepName(first, 1));
  assert.deepEqual(placeOf(second), [1, 0]);
  const third = await valueOf(source.stepName(second!, 1));
  assert.equal(await valueOf(source.stepName(third!, 1)), null);
  assert.equal(await valueOf(source.stepName(first, -1)), null);
});

test("several steps at once end where single ones do", async () => {
  const { item: first } = await valueOf(source.detail({ lane: 0, event: 1 }));
  assert.deepEqual(placeOf(await valueOf(source.stepName(first, 2))), [0, 2]);
  assert.deepEqual(placeOf(await valueOf(source.stepName(first, 9))), [0, 2]);
  assert.deepEqual(placeOf(await valueOf(source.stepHit("e_4", first, 4))), [1, 0]);
  assert.deepEqual(placeOf(await valueOf(source.stepHit("e_4", first, -5))), [1, 0]);
  assert.deepEqual(placeOf(await valueOf(source.stepInRow(first, 5))), [0, 2]);
  assert.equal(await valueOf(source.stepInRow(first, -1)), null);
});

test("an event knows its place among those of its name, and a hit among the hits", async () => {
  const { item: second } = await valueOf(source.detail({ lane: 1, event: 0 }));
  assert.deepEqual(await valueOf(source.placeInName(second)), { at: 1, count: 3 });
  assert.deepEqual(await valueOf(source.placeInHits("e_4", second)), { at: 1, count: 3 });
  const sums = await valueOf(source.sumDurations(second));
  assert.deepEqual([sums.count, sums.total_ns, sums.least_ns, sums.max_ns, sums.worst.lane], [3, 950, 50, 700, 1]);
  assert.equal(
    sums.bins.reduce((sum, bin) => sum + bin.count, 0),
    3,
  );
});

test("a context's runs are counted, and the longest leads there", async () => {
  const runs = await valueOf(source.listRuns(2, "E_4"));
  assert.deepEqual([runs.count, runs.total_ns, placeOf(runs.longest)], [3, 950, [1, 0]]);
  assert.equal((await valueOf(source.listRuns(9, "E_4"))).longest, null);
});

test("an event is found again by its key", async () => {
  const { item } = await valueOf(source.detail({ lane: 0, event: 2 }));
  assert.deepEqual(await valueOf(source.findEvent(source.formatEvent(item))), item);
  assert.equal(await valueOf(source.findEvent("gone|0|x")), null);
});
