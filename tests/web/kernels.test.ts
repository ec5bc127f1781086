// The table of kernels: filtered, sorted, and the roofline's axes.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  dividedTime,
  formatRate,
  nameDevice,
  outlierSteps,
  type WireBreakdown,
  type WireCallNode,
  type WireKernel,
  type WireStep,
} from "../../web/src/lib/devices";
import { fitScale, makeDecades, makeScale, zoomScale } from "../../web/src/views/kernels/log-scale";
import { sumPasses } from "../../web/src/views/overview/pass-sums";
import { mapOf } from "../../web/src/views/overview/rank-map";
import { keysOfNodes, listRows } from "../../web/src/views/call-tree/tree-rows";
import { arrangeRows } from "../../web/src/lib/list-order";
import { kernelColumns } from "../../web/src/views/kernels/columns";
import { textColumns } from "../../web/src/views/parts/table";
import { groupOf, textOfKernel } from "../../web/src/views/kernels/state";

const kernel = (name: string, total_ns: number, more: Partial<WireKernel> = {}): WireKernel =>
  ({
    name,
    class: "kernel",
    rank: null,
    device: 0,
    launches: 1,
    total_ns,
    flop_per_s: null,
    place: 0,
    ...more,
  }) as WireKernel;

const names = (rows: readonly WireKernel[]) => rows.map(({ name }) => name);

test("kernels hold all words of the filter, those without a figure come last either way", () => {
  const rows = [kernel("gemm_a", 5), kernel("Gemm_b", 9, { flop_per_s: 3 }), kernel("add", 7, { flop_per_s: 1 })];
  const arrange = (filter: string, column: string, descending = true) =>
    names(
      arrangeRows(rows, textColumns(kernelColumns("name", rows, [])), { column, descending }, filter, (row) =>
        textOfKernel(row, "name"),
      ),
    );
  assert.deepEqual(arrange("", "total_ns"), ["Gemm_b", "add", "gemm_a"]);
  assert.deepEqual(arrange("gemm", "total_ns", false), ["gemm_a", "Gemm_b"]);
  assert.deepEqual(arrange("gemm gpu B", "total_ns"), ["Gemm_b"]);
  assert.deepEqual(arrange("", "flop_per_s"), ["Gemm_b", "add", "gemm_a"]);
  assert.deepEqual(arrange("", "flop_per_s", false), ["add", "Gemm_b", "gemm_a"]);
  assert.deepEqual(arrange("", "name", false), ["add", "gemm_a", "Gemm_b"]);
  assert.deepEqual(arrange("nothing", "name"), []);
});

test("devices are called by their rank and number, or their name", () => {
  assert.equal(nameDevice({ rank: null, device: 0 }), "GPU 0");
  assert.equal(nameDevice({ rank: 3, device: 1 }), "rank 3 · GPU 1");
  assert.equal(nameDevice({ rank: null, device: "CPU:1" }), "CPU:1");
  assert.equal(nameDevice({ rank: null, device: null }), "device");
});

test("rates have the unit's prefix that suits", () => {
  assert.equal(formatRate(989.4e12, "FLOP/s"), "989 TFLOP/s");
  assert.equal(formatRate(1.5e9, "B/s"), "1.50 GB/s");
  assert.equal(formatRate(12, "B/s"), "12.0 B/s");
});

test("the parts of a device's time add up to its span", () => {
  const row = {
    span_ns: 100,
    compute_ns: 40,
    exposed_communication_ns: 10,
    exposed_memory_ns: 5,
    idle_host_ns: 20,
    idle_kernel_ns: 15,
    idle_other_ns: 10,
  } as WireBreakdown;
  assert.equal(
    dividedTime(row).reduce((sum, { ns }) => sum + ns, 0),
    row.span_ns,
  );
});

test("a step stands out where it takes much longer than is usual, and never among two", () => {
  const step = (dur: number) => ({ from_ns: 0, to_ns: dur, devices: [] }) as unknown as WireStep;
  const [a, b, c, late] = [step(100), step(101), step(99), step(200)];
  assert.deepEqual([...outlierSteps([a!, b!, late!, c!])], [late]);
  assert.equal(outlierSteps([a!, late!]).size, 0);
  assert.equal(outlierSteps([]).size, 0);
});

test("a logarithmic axis holds its values, keeps what it is zoomed at, and has few decades", () => {
  const scale = fitScale([1, 1000], 0, 400);
  assert.ok(scale.at(1) > 0 && scale.at(1000) < 400);
  assert.equal(Math.round(scale.at(Math.sqrt(1000))), 200);
  const zoomed = zoomScale(scale, 2, scale.at(10));
  assert.ok(Math.abs(zoomed.at(10) - scale.at(10)) < 1e-6);
  assert.deepEqual(makeDecades(makeScale(0.5, 200, 0, 100)), [1, 10, 100]);
  assert.ok(makeDecades(makeScale(1e-30, 1e30, 0, 100)).length <= 8);
  assert.deepEqual(makeDecades(fitScale([], 0, 100)), [1, 10]);
  const moved = scale.shifted(scale.at(100) - scale.at(10));
  assert.ok(Math.abs(moved.at(100) - scale.at(10)) < 1e-6);
});

test("of the call tree what has much time is open, a filter shows what it finds and what that is in", () => {
  const node = (parent: number | null, name: string, total_ns: number): WireCallNode =>
    ({ parent, name, total_ns, kind: "operator" }) as WireCallNode;
  const nodes = [
    node(null, "Model", 95),
    node(0, "layer", 90),
    node(1, "gemm", 90),
    node(0, "head", 5),
    node(3, "softmax", 5),
    node(null, "other", 5),
  ];
  const names = (toggled: number[], filter = "") =>
    listRows(nodes, new Set(toggled), filter).map((row) => row.node.name);
  assert.deepEqual(names([]), ["Model", "layer", "gemm", "head", "other"]);
  assert.deepEqual(names([3]), ["Model", "layer", "gemm", "head", "softmax", "other"]);
  assert.deepEqual(names([0]), ["Model", "other"]);
  assert.deepEqual(names([], "SOFT"), ["Model", "head", "softmax"]);
  assert.deepEqual(
    listRows(nodes, new Set(), "").map(({ depth, hasChildren, isOpen }) => [depth, hasChildren, isOpen]),
    [
      [0, true, true],
      [1, true, true],
      [2, false, false],
      [1, true, false],
      [0, false, false],
    ],
  );
});

test("rows on screen are called by what they were added up by, not by what is asked for next", () => {
  assert.equal(groupOf("7 /api/v1/kernels?group=family&capture=b"), "family");
  assert.equal(groupOf("7 /api/v1/kernels?group=stream"), "stream");
  assert.equal(groupOf("7 /api/v1/kernels?group=nothing"), undefined);
  assert.equal(groupOf(undefined), undefined);
});

test("a place of the call tree is known by the names from the root down", () => {
  const node = (parent: number | null, name: string, kind = "operator"): WireCallNode =>
    ({ parent, name, kind }) as WireCallNode;
  const keys = keysOfNodes([node(null, "a"), node(0, "b"), node(0, "c"), node(2, "b"), node(1, "b", "kernel")]);
  assert.equal(new Set(keys).size, 5);
  // In another order, and with others before it, a place keeps its key.
  const others = keysOfNodes([node(null, "z"), node(null, "a"), node(1, "c"), node(2, "b"), node(1, "b")]);
  assert.deepEqual([others[1], others[2], others[3], others[4]], [keys[0], keys[2], keys[3], keys[1]]);
});

test("a rank is as far from its step's median rank as its time is", () => {
  const step = (number: number, rank: number, compute_ns: number): WireStep => ({
    name: `step ${number}`,
    number,
    from_ns: 0,
    to_ns: 100,
    devices: [{ rank, device: 0, compute_ns } as WireBreakdown],
  });
  const { numbers, rows } = mapOf(
    [step(1, 0, 100), step(1, 1, 100), step(1, 10, 150), step(2, 0, 100), step(2, 10, 100)],
    "compute",
  );
  assert.deepEqual(numbers, [1, 2]);
  assert.deepEqual(
    rows.map(({ name }) => name),
    ["rank 0", "rank 1", "rank 10"],
  );
  assert.deepEqual(
    rows.map(({ cells }) => cells.map((cell) => cell && [cell.over, cell.heat])),
    [
      [
        [0, 0],
        [0, 0],
      ],
      [[0, 0], null],
      [
        [0.5, 1],
        [0, 0],
      ],
    ],
  );
  // A small difference makes no straggler.
  const [first] = mapOf([step(1, 0, 101), step(1, 1, 99)], "compute").rows;
  assert.ok(first!.cells[0]!.heat < 0.11);
});

test("passes are added up by name over contexts, the one with the most leads there", () => {
  const context = (names: number[], matches: number[]) => ({
    name: "k",
    program: false,
    passes: { name: names, depth: [], matches, location: [] },
  });
  const sums = sumPasses({
    pass_names: ["lower", "fold"],
    contexts: [context([0, 1, 0], [2, 0, 3]), context([1, 0], [4, 0])],
  });
  assert.deepEqual(
    sums.map(({ name, matches, contexts, most }) => [name, matches, contexts, most.context, most.pass]),
    [
      ["lower", 5, 1, 0, 2],
      ["fold", 4, 1, 1, 0],
    ],
  );
});
