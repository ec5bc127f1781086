// The class of an event's work, and what launched it.
import assert from "node:assert/strict";
import { test } from "node:test";
import type { LaunchFrame } from "../../web/src/lib/timeline/events";
import { sortFrames } from "../../web/src/lib/timeline/launch-frames";
import { formatGapKey, linkToGap, parseGapKey } from "../../web/src/lib/links";
import type { Timeline } from "../../web/src/lib/timeline/timeline";
import { classOfEvent, listClasses, mainClass } from "../../web/src/lib/timeline/work-class";
import { makeLane, makeProfile } from "./profile-fixture";

const timeline: Timeline = {
  ...makeProfile({}).timeline,
  nameClasses: ["c", "x", "m", "-"],
  lanes: [
    makeLane("stream", {
      kind: "stream",
      work: { compute_ns: 90, communication_ns: 8, memory_ns: 2, busy_ns: 95 },
      eventCount: 4,
    }),
    makeLane("nccl", {
      kind: "stream",
      work: { compute_ns: 1, communication_ns: 99, memory_ns: 0, busy_ns: 100 },
      eventCount: 4,
    }),
    makeLane("main", { kind: "thread", eventCount: 4 }),
    makeLane("annotations", { kind: "stream", eventCount: 4 }),
  ],
};

test("work of a device has the class of its name, all else that of its lane", () => {
  const classesIn = (lane: number) => [0, 1, 2, 3].map((name) => classOfEvent(timeline, lane, name));
  assert.deepEqual(classesIn(0), ["compute", "communication", "memory", "other"]);
  assert.deepEqual(classesIn(2), ["host", "host", "host", "host"], "a name of a kernel too");
  assert.deepEqual(classesIn(3), ["other", "other", "other", "other"]);
  assert.equal(classOfEvent(timeline, 0, 70_000), "other", "of a name that came too late for a class");
});

test("several names drawn as one have a class only where nearly all of the lane is of it", () => {
  assert.equal(classOfEvent(timeline, 0, -1), null);
  assert.equal(classOfEvent(timeline, 1, -1), "communication");
  assert.equal(classOfEvent(timeline, 2, -1), "host");
  assert.equal(mainClass({ compute_ns: 0, communication_ns: 0, memory_ns: 5 }), "memory");
  assert.deepEqual(listClasses(timeline), ["compute", "communication", "memory", "host", "other"]);
});

test("what launched a kernel is told by what each frame is, the innermost first", () => {
  const item = makeProfile({ CPU: [{ start: 0, end: 9, name: "x" }] }).itemOf(0, 0);
  const frame = (label: string, category: string, role = ""): LaunchFrame => ({
    item: { ...item, label },
    category,
    role,
    isForward: false,
  });
  const sorted = sortFrames([
    frame("cudaLaunchKernel", "cuda_runtime", "call"),
    frame("aten::addmm", "cpu_op", "operator"),
    frame("aten::linear", "cpu_op", "operator"),
    frame("torch/nn/modules/linear.py(114): forward", "python_function"),
    frame("nn.Module: Linear_0", "python_function"),
    frame("ProfilerStep#6", "user_annotation"),
    frame("loop", "else"),
  ]);
  const labels = Object.fromEntries(
    Object.entries(sorted).map(([part, list]) => [part, list.map((f: LaunchFrame) => f.item.label)]),
  );
  assert.deepEqual(labels, {
    call: ["cudaLaunchKernel"],
    operators: ["aten::addmm", "aten::linear"],
    modules: ["Linear_0"],
    ranges: ["ProfilerStep#6"],
    stack: ["torch/nn/modules/linear.py(114): forward"],
    others: ["loop"],
  });
});

test("a link to a gap names its lane and a time in it", () => {
  const link = linkToGap("r0/GPU|0", { from: 1000, to: 2001 });
  assert.equal(link.view, "timeline");
  assert.deepEqual(parseGapKey(link.keys.idle!), { lane: "r0/GPU|0", at_ns: 1500 });
  assert.equal(formatGapKey("a", 1.5), "a|1");
  assert.equal(parseGapKey("a|x"), null);
});
