// Where in a memory somebody looks, as the URL has it, and what is said of it.
import assert from "node:assert/strict";
import { test } from "node:test";
import { linkToMemory } from "../../web/src/lib/links";
import {
  formatMomentKey,
  listOwners,
  parseMoment,
  parsePythonLine,
  rangeOfStep,
  sayMoment,
  signOf,
} from "../../web/src/lib/memory";
import { readLanes } from "../../web/src/lib/timeline/answers";
import { nameOfMemory } from "../../web/src/lib/timeline/timeline";

test("the time of the state is the peak unless the URL says another", () => {
  for (const text of [undefined, "", "peak", "1.5", "later"]) assert.equal(parseMoment(text), "peak");
  assert.equal(parseMoment("end"), "end");
  assert.equal(parseMoment("-5"), -5);
  for (const at of ["end", 1234, "peak"] as const) assert.equal(parseMoment(formatMomentKey(at) ?? undefined), at);
  assert.equal(formatMomentKey(12.7), "13");
});

test("the time of the state is said in words", () => {
  assert.equal(sayMoment("peak", 1_500_000, false), "At the peak, 1.500000 ms");
  assert.match(sayMoment("peak", 1_500_000, true), /of the chosen time/);
  assert.equal(sayMoment("end", 9, false), "At the end");
});

test("of several memories the one with the highest peak comes first", () => {
  const memory = { allocations: 1, peak_ns: 0, end_bytes: 0, height_bytes: 9, addressed: false, unlisted_bytes: null };
  const lanes = readLanes({
    lanes: [
      { name: "CPU", memory: { ...memory, peak_bytes: 4 } },
      { name: "thread" },
      { name: "cuda:0 memory", memory: { ...memory, peak_bytes: 9 } },
    ],
  });
  assert.deepEqual(listOwners(lanes), [2, 0]);
  assert.deepEqual(
    lanes.map(({ name }) => nameOfMemory(name)),
    ["CPU memory", "thread memory", "cuda:0 memory"],
  );
});

test("a Python line is a file, a line and a function", () => {
  assert.deepEqual(parsePythonLine("transformers/a(b).py(364): forward"), {
    file: "transformers/a(b).py",
    line: 364,
    function: "forward",
  });
  assert.equal(parsePythonLine("<built-in method conv2d>"), null);
});

test("a step's time is that of its run", () => {
  const runs = [
    { kind: "call", name: "x", number: 2, from: 1, to: 2 },
    { kind: "step", name: "ProfilerStep#2", number: 2, from: 5, to: 9 },
  ];
  assert.deepEqual(rangeOfStep(runs, 2), { from: 5, to: 9 });
  assert.equal(rangeOfStep(runs, 3), null);
});

test("growth has a sign, and none where there is none", () => {
  assert.deepEqual([signOf(5), signOf(-5), signOf(0)], ["+", "−", ""]);
});

test("a link to a memory names what is to be looked at there, and nothing else", () => {
  assert.deepEqual(linkToMemory(""), { view: "memory", keys: {} });
  assert.deepEqual(linkToMemory("r0/cuda:0 memory", { at_ns: 5.4, allocation: 3 }).keys, {
    "mem.lane": "r0/cuda:0 memory",
    "mem.at": "5",
    "mem.allocation": "3",
  });
  assert.equal(linkToMemory("CPU", { holder: -2 }).keys["mem.holder"], "-2");
});
