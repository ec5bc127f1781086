// The table of kernels: filtered, sorted, and the roofline's axes.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  dividedTime,
  formatRate,
  nameDevice,
  outlierSteps,
  type WireBreakdown,
  type WireKernel,
  type WireStep,
} from "../../web/src/lib/devices";
import { fitScale, makeDecades, makeScale, zoomScale } from "../../web/src/views/kernels/log-scale";
import { arrangeKernels } from "../../web/src/views/kernels/state";

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
    names(arrangeKernels(rows, "name", filter, { column, descending }));
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
