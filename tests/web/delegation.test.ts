// What went to no delegate, by operator and by why.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { WireDelegation, WireName, WirePartition, WireRecord } from "../../web/src/lib/etdump/wire";
import { delegationOf, sayDelegation, sayReasons } from "../../web/src/views/delegation/left-out";

const partition = (part: Partial<WirePartition>): WirePartition => ({
  record: "partition",
  block_index: 1,
  partition: null,
  delegate: "",
  instruction: null,
  nodes: [],
  ops: {},
  total: null,
  share: 0,
  dtype: "float32",
  before: [],
  after: [],
  why: "no node of this op was delegated",
  ...part,
});
const ran = (delegate: string, share: number): WireDelegation => ({
  record: "delegation",
  block_index: 1,
  delegate,
  calls: 1,
  nodes: 1,
  total: share,
  share,
});

test("nodes of an operator are one row, with how many of all went to none", () => {
  const records: WireRecord[] = [
    partition({
      partition: 1,
      delegate: "Xnn",
      nodes: ["a", "b"],
      ops: { view: 1, mm: 1 },
      total: 5,
      share: 0.5,
      why: "",
    }),
    partition({ nodes: ["v1"], ops: { view: 1 }, why: "1 of 3 nodes of this op was delegated" }),
    partition({ nodes: ["v2"], ops: { view: 1 }, why: "1 of 3 nodes of this op was delegated" }),
    partition({ nodes: ["c1"], ops: { cumsum: 1 }, total: 2, share: 0.2 }),
    partition({ block_index: 0, nodes: ["other"], ops: { cumsum: 1 }, total: 9, share: 0.9 }),
    ran("Xnn", 0.5),
    ran("", 0.2),
  ];
  const delegation = delegationOf(records, 1);
  assert.deepEqual(
    delegation.leftOut.map(({ op, left, all, total }) => [op, left, all, total]),
    [
      ["cumsum", 1, 1, 2],
      ["view", 2, 3, null],
    ],
  );
  assert.deepEqual([delegation.operators, delegation.left, delegation.notRun], [5, 3, 2]);
  const said = sayDelegation(delegation);
  assert.match(said[0]!, /^3 of 5 operators went to no delegate: they take 20\.0 % of an iteration's time, 1 call /);
  assert.match(said[1]!, /^2 of them did not run/);
});

test("without the graph the runtime's kernels are told, and that nothing says why", () => {
  const name = (part: Partial<WireName>) =>
    ({ record: "name", block_index: 1, calls: 2, share: 0.3, ...part }) as WireName;
  const records = [
    name({ name: "native_call_add.out", total: 1 }),
    name({ name: "native_call_relu.out", total: 3 }),
    name({ name: "OPERATOR_CALL", total: 9 }),
    name({ name: "native_call_inner.out", is_delegated: true }),
  ];
  const alone = delegationOf(records, 1);
  assert.deepEqual(
    alone.leftOut.map(({ op, why }) => [op, why]),
    [
      ["relu.out", "the program calls no delegate"],
      ["add.out", "the program calls no delegate"],
    ],
  );
  assert.match(sayDelegation(alone)[0]!, /^Nothing is delegated: 4 calls/);
  const called = delegationOf([...records, name({ name: "DELEGATE_CALL", total: 4 }), ran("delegate", 0.4)], 1);
  assert.equal(called.leftOut[0]!.why, "the capture does not tell why");
});

test("what is known of the reasons is said", () => {
  assert.match(sayReasons(true, true), /keeps the partitioner's reasons/);
  assert.match(sayReasons(false, false), /^Without the ETRecord/);
  assert.match(sayReasons(false, true), /names no call of a delegate/);
});
