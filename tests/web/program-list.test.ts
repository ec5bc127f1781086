// The list of programs: their figures, in any order.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arrangePrograms,
  formatOrder,
  listPrograms,
  parseOrder,
  turnOrder,
  type WirePrograms,
} from "../../web/src/views/program/program-rows";
import type { WireContext } from "../../web/src/lib/wire";

const passes = { name: [], depth: [], matches: [], location: [] };
const contexts: WireContext[] = [
  { name: "schedule", program: false, passes },
  { name: "\u001b[34mE_4\u001b[0m", program: true, passes },
  { name: "r_2", program: true, passes },
  { name: "copy", program: true, passes },
];
const figures = (count: number, total_ns: number) => ({
  count,
  total_ns,
  self_ns: total_ns,
  covered_ns: total_ns,
  mean_ns: 0,
  median_ns: 0,
  p90_ns: 0,
  max_ns: 0,
});
const wire: WirePrograms = {
  programs: [
    { program: 0, context: 1, device: "CPU", share: 0.2, ...figures(2, 20) },
    { program: 1, context: 2, device: "CPU", share: 0.8, ...figures(1, 80) },
    { program: 3, context: 3, device: "CPU", share: 0, ...figures(0, 0) },
    { program: 2, context: -1, device: "CPU", share: 0.1, ...figures(1, 10) },
  ],
};
const alone = [{ program: 2, name: "memcpy", device: "CPU" }];
const names = (order: string | undefined, filter = "") =>
  arrangePrograms(listPrograms(contexts, alone, wire), filter, parseOrder(order)).map(
    (row) => row.context ?? `p${row.alone}`,
  );

test("programs are listed as made, or by any figure; what never ran comes last", () => {
  assert.deepEqual(names(undefined), [1, 2, 3, "p2"]);
  assert.deepEqual(names("total_ns"), [2, 1, "p2", 3]);
  assert.deepEqual(names("!total_ns"), ["p2", 1, 2, 3]);
  assert.deepEqual(names("count"), [1, 2, "p2", 3]);
  assert.deepEqual(names("name"), [1, 3, "p2", 2], "E, c, m, r: by their text without colours");
  assert.deepEqual(names("nonsense"), [1, 2, 3, "p2"]);
});

test("words find programs, without their colours", () => {
  assert.deepEqual(names("total_ns", "e_4"), [1]);
  assert.deepEqual(names("total_ns", "r 2"), [2]);
  assert.deepEqual(names("total_ns", "[34m"), []);
});

test("without a profile there are programs without figures", () => {
  const rows = listPrograms(contexts, [], undefined);
  assert.deepEqual(
    rows.map(({ context, figures: of }) => [context, of]),
    [
      [1, null],
      [2, null],
      [3, null],
    ],
  );
});

test("a click on a head sorts, turns round, and lets go", () => {
  const first = turnOrder(null, "share");
  assert.equal(formatOrder(first), "share");
  const second = turnOrder(first, "share");
  assert.equal(formatOrder(second), "!share");
  assert.equal(turnOrder(second, "share"), null);
  assert.equal(formatOrder(turnOrder(second, "name")), "name");
  assert.deepEqual(parseOrder(formatOrder(second)!), second);
});
