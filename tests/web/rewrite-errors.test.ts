// Rewrites that raised: where they are, and the way from one to the next.
import assert from "node:assert/strict";
import { test } from "node:test";
import { listRows, nameForSearch } from "../../web/src/lib/graph/pass-rows";
import { describeErrors, listErrors, nextError } from "../../web/src/lib/rewrite-errors";
import type { WireContexts } from "../../web/src/lib/wire";

const passes = { name: [0, 1], depth: [0, 0], matches: [4, 9], location: [0, 0] };
const wire: WireContexts = {
  capture: "c0",
  revision: 1,
  programs: [],
  measures: [],
  tells_memory: false,
  locations: [],
  pass_names: ["one", "two"],
  contexts: [
    { name: "a", program: false, passes },
    { name: "b", program: false, passes, errors: [{ pass: 1, match: 9, message: "no" }] },
    {
      name: "c",
      program: false,
      passes,
      errors: [
        { pass: 0, match: 2, message: "first" },
        { pass: 1, match: 1, message: "second" },
      ],
    },
  ],
};

test("going on leads to each error, in order, and around", () => {
  const errors = listErrors(wire.contexts);
  const places: (number | null)[][] = [];
  let at: { context: number | null; pass: number | null; match: number } = { context: null, pass: null, match: 0 };
  for (let i = 0; i < 4; i++) {
    at = nextError(errors, at)!;
    places.push([at.context, at.pass, at.match]);
  }
  assert.deepEqual(places, [
    [1, 1, 9],
    [2, 0, 2],
    [2, 1, 1],
    [1, 1, 9],
  ]);
  assert.equal(nextError([], at), null);
});

test("contexts and passes in the list know their errors", () => {
  const rows = listRows(wire, nameForSearch(wire), "", () => true);
  assert.deepEqual(
    rows.map(({ context, pass, errors }) => [context, pass, errors.length]),
    [
      [0, -1, 0],
      [0, 0, 0],
      [0, 1, 0],
      [1, -1, 1],
      [1, 0, 0],
      [1, 1, 1],
      [2, -1, 2],
      [2, 0, 1],
      [2, 1, 1],
    ],
  );
});

test("a mark says the first few messages", () => {
  const many = Array.from({ length: 6 }, (_, i) => ({ pass: 0, match: i + 1, message: `m${i}` }));
  assert.equal(describeErrors(many.slice(0, 1)), "match 1 raised: m0");
  assert.equal(describeErrors(many).split("\n").length, 5);
  assert.match(describeErrors(many), /and 2 more$/);
});
