// What the overview makes of the server's answers: figures, findings, sums over devices, stragglers, missing times.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  addBreakdowns,
  type WireBreakdown,
  type WireGap,
  type WireKernel,
  type WireStraggler,
} from "../../web/src/lib/devices";
import { groupSilent, type Nothing, type WireSilence } from "../../web/src/lib/diagnosis";
import type { CaptureInfo } from "../../web/src/lib/wire";
import { chooseFigures, type Known } from "../../web/src/views/overview/headline";
import { sumKernels } from "../../web/src/views/overview/kernel-sums";
import { longestGap } from "../../web/src/views/overview/worst";
import { lacksTimes, listPrograms } from "../../web/src/views/overview/programs";
import { linkToSkewed } from "../../web/src/views/overview/stragglers";

const breakdown = (part: Partial<WireBreakdown>): WireBreakdown =>
  ({
    place: 0,
    rank: null,
    device: 0,
    stream: null,
    span_ns: 1000,
    busy_ns: 600,
    compute_ns: 500,
    communication_ns: 200,
    memory_ns: 0,
    overlap_ns: 100,
    exposed_communication_ns: 100,
    exposed_memory_ns: 0,
    idle_ns: 400,
    idle_host_ns: 300,
    idle_kernel_ns: 4,
    idle_other_ns: 96,
    gaps: 3,
    ...part,
  }) as WireBreakdown;

const worst = { lane: "GPU 0", index: 1, start_ns: 10, dur_ns: 5, name: "k" };
const kernel = (part: Partial<WireKernel>): WireKernel =>
  ({
    place: 0,
    rank: null,
    device: 0,
    class: "kernel",
    name: "k",
    launches: 1,
    total_ns: 100,
    max_ns: 50,
    flop: null,
    flop_per_s: null,
    peak_flops: null,
    flop_percent: null,
    bytes_percent: null,
    bound: null,
    communication: false,
    worst,
    ...part,
  }) as WireKernel;

const gap = (cause: WireGap["cause"], from_ns: number, to_ns: number): WireGap => ({
  device: 0,
  from_ns,
  to_ns,
  cause,
  ended_by: worst,
});

test("the times of several devices add up, and a row of a stream is no device", () => {
  const sum = addBreakdowns([breakdown({}), breakdown({ busy_ns: 200, span_ns: 500 })])!;
  assert.equal(sum.span_ns, 1500);
  assert.equal(sum.busy_ns, 800);
  assert.equal(addBreakdowns([]), null);
});

test("of a cause the longest gap counts", () => {
  assert.equal(longestGap([gap("host", 0, 10), gap("host", 20, 90), gap("kernel", 0, 99)], "host")!.from_ns, 20);
  assert.equal(longestGap([gap("host", 0, 10)], "other"), null);
});

test("rules that lack the same are told together, and that there is none of each by itself", () => {
  const silence = (rule: string, nothing: Nothing, why: string): WireSilence => ({
    rule,
    looks_at: `looks for ${rule}`,
    nothing,
    why,
    how: "",
  });
  const groups = groupSilent([
    silence("a", "not recorded", "no calls"),
    silence("b", "none", ""),
    silence("c", "not recorded", "no calls"),
    silence("d", "none", ""),
  ]);
  assert.deepEqual(
    groups.map(({ says, rules }) => [says, rules.map(({ rule }) => rule)]),
    [
      ["not recorded: no calls", ["a", "c"]],
      ["none", ["b"]],
      ["none", ["d"]],
    ],
  );
});

test("a straggler's link shows all ranks at the collective", () => {
  const worstOf: WireStraggler["worst"] = {
    number: 2,
    launches: [
      { ...worst, start_ns: 1000, dur_ns: 8000 },
      { ...worst, start_ns: 8000, dur_ns: 1000 },
    ],
  };
  const [from, to] = linkToSkewed(worstOf).keys["time"]!.split("..").map(Number);
  assert.ok(from! <= 1000 && to! >= 9000);
});

test("kernels of several devices are one row, and shares are of all work", () => {
  const sums = sumKernels([
    kernel({ name: "a", total_ns: 300 }),
    kernel({ name: "b", total_ns: 500.5, place: 1 }),
    kernel({ name: "a", total_ns: 200, place: 1 }),
    kernel({ name: "a", class: "memcpy", total_ns: 1000 }),
  ]);
  assert.deepEqual(
    sums.map(({ most, total_ns }) => [most.class, most.name, most.place, total_ns]),
    [
      ["memcpy", "a", 0, 1000],
      ["kernel", "b", 1, 500.5],
      ["kernel", "a", 0, 500],
    ],
  );
  assert.ok(Math.abs(sums.reduce((sum, { share }) => sum + share, 0) - 1) < 1e-9);
});

const capture = { has_rewrites: true, matches: 12, contexts: 3, events: 5 } as CaptureInfo;
const known = (part: Partial<Known>): Known => ({
  capture,
  devices: { devices: [], breakdown: [], gaps: [], steps: [], threads: [] },
  kernels: [],
  lanes: [],
  recorded_ns: 1000,
  engines: [],
  run: null,
  lacksTimes: false,
  programs: 0,
  ...part,
});

test("what a capture lacks leaves no hole among the figures", () => {
  const titles = (part: Partial<Known>) => chooseFigures(known(part)).map(({ title }) => title);
  assert.deepEqual(titles({}), ["rewrites", "recorded"]);
  const device = { rank: null, device: 0, name: "H100", peak: null };
  const devices = { devices: [device], breakdown: [breakdown({})], gaps: [], steps: [], threads: [] };
  assert.deepEqual(titles({ devices, kernels: [kernel({})] }), ["GPU busy", "launches", "rewrites", "recorded"]);
  const withTimes = chooseFigures(known({ devices }));
  assert.equal(withTimes[0]!.text, "60.0 %");
  // Where launches have no times, no figure says how busy anything was.
  assert.deepEqual(titles({ devices, lacksTimes: true, programs: 4 }), ["kernels", "rewrites", "recorded"]);
});

test("achieved is of the kernels whose arithmetic is known, and says how much of the time that is", () => {
  const known_kernel = kernel({ flop: 500, flop_per_s: 5e9, peak_flops: 1e10, total_ns: 100 });
  const [figure] = chooseFigures(known({ kernels: [known_kernel, kernel({ name: "other", total_ns: 60 })] }));
  assert.equal(figure!.title, "achieved");
  assert.equal(figure!.text, "50.0 %");
  assert.match(figure!.of, /^of 10\.0 GFLOP\/s .* 62\.5 % of kernel time$/);
  // What is known of less than half of the time says little of the whole.
  const [little] = chooseFigures(known({ kernels: [known_kernel, kernel({ name: "other", total_ns: 300 })] }));
  assert.notEqual(little!.title, "achieved");
  // A kernel of no known peak: the rate alone.
  const [rate] = chooseFigures(known({ kernels: [known_kernel, kernel({ flop: 5, flop_per_s: 5e9 })] }));
  assert.equal(rate!.text, "5.00 GFLOP/s");
});

test("programs without a timed launch lack their times; copies are no launches of theirs", () => {
  const passes = { name: [0], depth: [0], matches: [3], location: [0] };
  const contexts = {
    contexts: [
      { name: "schedule", program: false, passes },
      { name: "E_4", program: true, passes },
      { name: "r_8", program: true, passes: { ...passes, matches: [7] } },
    ],
  };
  assert.equal(lacksTimes(contexts, [kernel({ class: "memcpy" })]), true);
  assert.equal(lacksTimes(contexts, [kernel({})]), false);
  assert.equal(lacksTimes(null, []), false);
  assert.deepEqual(
    listPrograms(contexts).map(({ index, matches }) => [index, matches]),
    [
      [2, 7],
      [1, 3],
    ],
  );
});
