// The rows that the Inspector's tables make of the records.
import assert from "node:assert/strict";
import { test } from "node:test";
import { inNanoseconds, nameBlock, nameModule, parentsOf, placeOf, usualBlock } from "../../web/src/lib/etdump/records";
import { callsFirst, gapRows } from "../../web/src/views/inspector/arrange";
import type { WireBlock, WireEvent, WireGap, WireModule, WirePartition } from "../../web/src/lib/etdump/wire";

const block = (part: Partial<WireBlock>): WireBlock => ({
  record: "block",
  block_index: 0,
  block: "Execute",
  bundled_input: -1,
  iterations: 3,
  method: null,
  source_unit: "ns",
  unit: "ms",
  whole: 1,
  run_output: null,
  reference_output: null,
  ...part,
});

test("the first execution is shown where nobody chose a block", () => {
  const blocks = [block({ block: "Default" }), block({ block_index: 1 }), block({ block_index: 2 })];
  assert.equal(usualBlock(blocks), 1);
  assert.equal(usualBlock([block({ block: "Default", block_index: 4 })]), 4);
  assert.equal(usualBlock([]), 0);
});

test("a block is named by its method, input and iterations", () => {
  assert.equal(nameBlock(block({})), "Execute · 3 iterations");
  assert.equal(
    nameBlock(block({ method: "decode", bundled_input: 1, iterations: 1 })),
    "Execute decode · input 1 · 1 iteration",
  );
});

test("figures are nanoseconds where their unit is a time", () => {
  assert.equal(inNanoseconds(2, "ms"), 2e6);
  assert.equal(inNanoseconds(2, "cycles"), null);
});

test("a call stands before what lies in it, and other events stay where they are", () => {
  const event = (name: string, is_delegated = false) => ({ name, is_delegated }) as WireEvent;
  const names = callsFirst([
    event("kernel"),
    event("part 1", true),
    event("part 2", true),
    event("DELEGATE_CALL"),
    event("lost part", true),
    event("Method::execute"),
  ]).map(({ name }) => name);
  assert.deepEqual(names, ["kernel", "DELEGATE_CALL", "part 1", "part 2", "lost part", "Method::execute"]);
});

test("a module is called as its parent calls it", () => {
  const row = (name: string, depth: number) => ({ name, depth }) as WireModule;
  const rows = [row("", 0), row("blocks.0", 1), row("blocks.0.attn", 2), row("blocks.1", 1)];
  const parents = parentsOf(rows);
  assert.deepEqual(
    rows.map((each) => nameModule(each.name, parents.get(each)!)),
    ["the model", "blocks.0", "attn", "blocks.1"],
  );
});

test("the metrics of one output are one row", () => {
  const gap = (metric: string, node: string, value: number): WireGap => ({
    record: "gap",
    block_index: 1,
    metric,
    node,
    op: "relu",
    output: 0,
    gap: value,
    runtime_ops: ["native_call_relu.out"],
    aot_ops: [],
    is_first_grown: false,
  });
  const rows = gapRows([gap("MSE", "relu", 1), gap("L1", "relu", 2), gap("MSE", "relu_1", 3)]);
  assert.deepEqual(
    rows.map(({ node, metrics }) => [node, metrics]),
    [
      ["relu", { MSE: 1, L1: 2 }],
      ["relu_1", { MSE: 3 }],
    ],
  );
});

test("a node that went to no delegate stands between the nearest calls", () => {
  const of = (part: Partial<WirePartition>) =>
    placeOf({ partition: null, before: [], after: [], ...part } as WirePartition);
  assert.equal(of({ before: [1], after: [2, 3] }), "between 1 and 2, 3");
  assert.equal(of({ before: [2] }), "after 2");
  assert.equal(of({ after: [1] }), "before 1");
  assert.equal(of({}), "");
  assert.equal(of({ partition: 1, before: [1] }), "");
});
