// Replays of graphs: the heat of layers, steps alike, and the words by which nodes are found.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LayerKindFields } from "../../web/src/lib/device-fields";
import {
  asksForNodes,
  asksForWork,
  groupSteps,
  heatOf,
  layersBeside,
  rankedAt,
  termsOf,
  wordsOfNode,
  type WireNode,
  type WireServerStep,
} from "../../web/src/lib/replays";
import { phasesOf, sumLayers } from "../../web/src/views/compared-places/layers";
import type { WirePlace } from "../../web/src/views/compared-places/wire";

const layer = (layer_index: number | null, kind: LayerKindFields["kind"], ns: number, phase = "decode") =>
  ({
    phase,
    layer: null,
    layer_index,
    piece: null,
    kind,
    total_ns: 2 * ns,
    steps: 2,
    per_step_ns: ns,
  }) as LayerKindFields;

test("layers of two captures stand beside each other, and a phase that both have is told apart", () => {
  const rows = layersBeside([layer(0, "mlp", 100)], [layer(0, "mlp", 700, "prefill"), layer(0, "mlp", 90)], "b.json");
  const table = heatOf(rows);
  assert.deepEqual(
    table.columns.filter(({ kind }) => kind === null).map(({ phase }) => phase),
    ["decode", "prefill", "decode, b.json"],
  );
  assert.deepEqual(
    table.rows.map(({ cells }) => cells.map((cell) => cell?.per_step_ns)),
    [[100, 100, 700, 700, 90, 90]],
  );
});

test("layers stand in their order, each phase begins with its sum, and an outlier is marked", () => {
  const rows = [
    layer(10, "mlp", 100),
    layer(2, "mlp", 100),
    layer(2, "attention", 50),
    layer(10, "attention", 90),
    layer(3, "attention", 50),
    layer(null, "other", 1000),
    layer(2, "mlp", 700, "prefill"),
  ];
  const table = heatOf(rows);
  assert.deepEqual(
    table.columns.map(({ phase, kind }) => `${phase} ${kind}`),
    ["decode null", "decode attention", "decode mlp", "prefill null", "prefill mlp"],
  );
  assert.deepEqual(
    table.rows.map((row) => row.layer_index),
    [2, 3, 10],
  );
  assert.equal(table.rows[0]!.cells[0]!.per_step_ns, 150);
  assert.deepEqual(
    table.rows.map(({ cells }) => cells[1]!.isOutlier),
    [false, false, true],
  );
  assert.equal(table.rows[2]!.cells[1]!.heat, 1);
  // A column of equal values is not painted as if they differed.
  assert.deepEqual(
    table.rows.map(({ cells }) => cells[2]?.heat),
    [0, undefined, 0],
  );
});

test("a term with a colon is a property, and holds whole", () => {
  assert.deepEqual(termsOf("Layer:3 gemm found:guessed :x"), ["layer:3", "found:guessed"]);
  const node = { found: "order", kind: "mlp", layer_index: 30, piece: null, operator: "aten::mm" } as WireNode;
  assert.ok(!wordsOfNode(node).includes("layer:3"));
  assert.ok(wordsOfNode(node).includes("operator:aten::mm"));
  assert.ok(asksForNodes("gemm layer:3") && asksForWork("layer:3"));
  assert.ok(!asksForNodes("replay:slowest") && asksForWork("replay:slowest") && !asksForWork("size:3 std::move"));
});

test("steps of a phase with as many requests are one row, with tokens of all over all their time", () => {
  const step = (phase: string, requests: number, period_ns: number | null) =>
    ({
      phase,
      requests,
      period_ns,
      tokens: requests,
      host_ns: 5,
      device_span_ns: period_ns,
      generation_kv: 100,
    }) as WireServerStep;
  const groups = groupSteps([
    step("decode", 4, 10),
    step("decode", 4, 30),
    step("decode", 8, 10),
    step("idle", 0, null),
  ]);
  assert.equal(groups.length, 3);
  assert.equal(groups[0]!.steps, 2);
  assert.equal(groups[0]!.p99_ns, 30);
  assert.equal(groups[0]!.tokens_per_s, (8 * 1e9) / 40);
  assert.equal(groups[2]!.tokens_per_s, null);
  assert.equal(groups[2]!.median_ns, null);
  assert.equal(rankedAt([], 0.5), 0);
});

test("steps alike are told apart by how much context each request has, by powers of two", () => {
  const step = (requests: number, kv: number | null) =>
    ({ phase: "decode", requests, generation_requests: requests, generation_kv: kv, host_ns: 1 }) as WireServerStep;
  const rows = [step(4, 4 * 1024), step(4, 4 * 2047), step(4, 4 * 2048), step(4, 0), step(4, null)];
  assert.deepEqual(
    groupSteps(rows, true).map(({ context_from, steps }) => [context_from, steps]),
    [
      [1024, 2],
      [2048, 1],
      [0, 1],
      [null, 1],
    ],
  );
  assert.equal(groupSteps(rows).length, 1);
});

test("layers of two runs are added up from places, in order, and phases by their time", () => {
  const place = (phase: string, layer_index: number | null, a_mean_ns: number | null, b_mean_ns: number | null) =>
    ({ phase, layer_index, piece: null, a_mean_ns, b_mean_ns }) as WirePlace;
  const rows = [
    place("decode", 1, 5, 7),
    place("prefill", 0, 90, 90),
    place("decode", 0, 3, null),
    place("decode", 1, 1, 1),
    place("decode", null, 8, 8),
  ];
  assert.deepEqual(sumLayers(rows.filter(({ phase }) => phase === "decode")), [
    { layer_index: 0, piece: null, a_ns: 3, b_ns: 0 },
    { layer_index: 1, piece: null, a_ns: 6, b_ns: 8 },
  ]);
  assert.deepEqual(phasesOf(rows), ["prefill", "decode"]);
});
