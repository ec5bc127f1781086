// Captures side by side: their names in the URL, how their times are laid over each other, and the source made of
// theirs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import type { CaptureInfo } from "../../web/src/lib/wire";
import {
  besideByItself,
  clockShift,
  formatBeside,
  parseBeside,
  shiftOf,
  type CaptureClock,
} from "../../web/src/lib/timeline/beside";
import type { EventItem } from "../../web/src/lib/timeline/events";
import { kAsCaptured } from "../../web/src/lib/timeline/lanes-arrange";
import { kByStart } from "../../web/src/lib/timeline/event-order";
import { layOutLanes } from "../../web/src/lib/timeline/lanes-layout";
import { layReplays } from "../../web/src/lib/timeline/side-by-side/replay-lanes";
import { layParts } from "../../web/src/lib/timeline/side-by-side/side-by-side";
import type { TimelineSource } from "../../web/src/lib/timeline/source";
import { succeed } from "../../web/src/lib/result";
import { makeLane } from "./profile-fixture";

test("captures beside come back from the URL, whatever their names hold", () => {
  const beside = [
    { name: "a|b~c%", alignment: "clock" as const },
    { name: "rank 1", alignment: -1500 },
    { name: "x", alignment: "start" as const },
  ];
  assert.deepEqual(parseBeside(formatBeside(beside) ?? ""), beside);
  assert.equal(formatBeside([]), null);
  assert.deepEqual(parseBeside("nothing|~clock|a~later"), []);
});

test("clocks of one name, and clocks of Unix time, can be compared; by hand counts most", () => {
  const clock = (name: string, start: bigint | null, unix: bigint | null): CaptureClock => ({
    name,
    start_ns: start,
    unix_start_ns: unix,
  });
  const one = clock("box", 1000n, null);
  assert.equal(clockShift(clock("box", 1500n, null), one), 500);
  assert.equal(clockShift(clock("other", 1500n, null), one), null);
  assert.equal(
    clockShift(clock("", 1500n, 2_000_000_000_000_000_300n), clock("", 9n, 2_000_000_000_000_000_000n)),
    300,
  );
  assert.equal(shiftOf(clock("other", 1500n, null), one, "clock"), 0);
  assert.equal(shiftOf(clock("box", 1500n, null), one, -7), -7);
});

/** A source of one lane with one event of that name, at a time. */
function makeSource(label: string, start: number, dur_ns: number): TimelineSource {
  const item: EventItem = {
    lane: 0,
    event: 0,
    row: 0,
    name: 0,
    label,
    start,
    dur: 10,
    dur_ps: 0,
    kind: "span",
    isError: false,
  };
  const lane = makeLane("GPU", { rowCount: 1, eventCount: 1, busy_ns: 10 });
  const figures = {
    count: 1,
    total_ns: 10,
    self_ns: 10,
    covered_ns: 10,
    mean_ns: 10,
    median_ns: 10,
    p90_ns: 10,
    max_ns: 10,
  };
  const source: Partial<TimelineSource> = {
    timeline: {
      dur_ns,
      strings: [label],
      plain: [label],
      nameClasses: ["c"],
      lanes: [lane],
      markers: [],
      runs: [],
      eventCount: 1,
    },
    isBeginning: false,
    start_ns: 100n,
    arrived: signal(0),
    search: async () => succeed({ total: 1, items: [item] }),
    detail: async (ref) => {
      assert.deepEqual([ref.lane, ref.event], [0, 0]);
      return succeed({
        item,
        self_ns: 10,
        covered_ns: 10,
        category: "",
        context: 3,
        pass: 1,
        arguments: [],
        previous: null,
        next: null,
        parent: null,
        incoming: [item],
        outgoing: [],
        launchedIn: [{ item, category: "cuda_runtime", role: "call", isForward: false }],
        allocations: [{ lane: 0, allocation: 2 }],
      });
    },
    sumArea: async () =>
      succeed({
        names: [{ ...figures, name: 0, label, lane: null, share: 0.5, wall_share: 0.1, worst: { lane: 0, event: 0 } }],
        others: null,
        count: 1,
        lanes: 1,
        busy_ns: 20,
        wall_ns: 100,
        isExact: true,
      }),
    formatEvent: (event) => `${event.start}`,
    findEvent: async (key) => succeed(key === `${start}` ? item : null),
  };
  return source as TimelineSource;
}

async function valueOf<T>(answer: Promise<{ ok: boolean; value?: T }>): Promise<T> {
  const found = await answer;
  assert.ok(found.ok);
  return found.value as T;
}

test("two captures are one timeline: lanes by capture, times shifted, each asked for its own", async () => {
  const source = layParts([
    { name: "a", source: makeSource("gemm", 50, 100), shift_ns: 0 },
    { name: "b/c", source: makeSource("relu", 20, 200), shift_ns: -30 },
  ]);
  const { timeline } = source;
  assert.deepEqual(
    layOutLanes(timeline.lanes, kAsCaptured).boxes.map(({ key, depth, kind }) => [key, depth, kind]),
    [
      ["a/", 0, "heading"],
      ["a/GPU", 1, "events"],
      ["b\\/c/", 0, "heading"],
      ["b\\/c/GPU", 1, "events"],
    ],
  );
  assert.equal(timeline.dur_ns, 200, "the second begins first, and ends last");
  assert.equal(source.start_ns, 70n);
  const hits = await valueOf(source.search("x", kByStart));
  assert.equal(hits.total, 2);
  assert.deepEqual(
    hits.items.map(({ lane, start, name }) => [lane, start, timeline.plain[name]]),
    [
      [1, 20, "relu"],
      [0, 80, "gemm"],
    ],
  );
  const other = await valueOf(source.detail({ lane: 1, event: 0 }));
  assert.deepEqual([other.item.lane, other.item.start, other.context], [1, 20, -1]);
  assert.deepEqual([other.incoming[0]!.lane, other.allocations[0]!.lane], [1, 1]);
  assert.equal((await valueOf(source.detail({ lane: 0, event: 0 }))).context, 3);
  assert.equal((await valueOf(source.stepHit("x", null, 1)))!.lane, 1);
  assert.equal((await valueOf(source.stepHit("x", hits.items[1]!, 1)))!.lane, 1, "and around");
  assert.equal((await valueOf(source.stepHit("x", null, -1)))!.lane, 0);
  const stats = await valueOf(source.sumArea({ range: { from: 0, to: 100 }, lanes: [0, 1] }, "names"));
  assert.deepEqual(
    stats.names.map(({ label, share, wall_share, worst }) => [label, share, wall_share, worst.lane]),
    [
      ["gemm · a", 0.25, 0.05, 0],
      ["relu · b/c", 0.25, 0.05, 1],
    ],
    "shares are of the time of both",
  );
  assert.deepEqual([stats.busy_ns, stats.wall_ns, stats.lanes], [40, 200, 2]);
  for (const item of hits.items) {
    const found = await valueOf(source.findEvent(source.formatEvent(item)));
    assert.deepEqual([found!.lane, found!.start], [item.lane, item.start]);
  }
  assert.equal((await valueOf(source.findEvent("50")))!.lane, 0, "a link from when the capture stood alone");
});

test("replays stand over the lane of their work, and searches and figures stay the capture's own", async () => {
  const source = layReplays(makeSource("gemm", 50, 100), makeSource("layer 3", 45, 100), [0]);
  const { lanes, plain } = source.timeline;
  assert.deepEqual(
    lanes.map(({ isOfReplays = false }) => isOfReplays),
    [false, true],
  );
  assert.ok(lanes[1]!.place < lanes[0]!.place);
  const hits = await valueOf(source.search("x", kByStart));
  assert.deepEqual([hits.total, plain[hits.items[0]!.name]], [1, "gemm"]);
  const sum = (chosen: number[]) => source.sumArea({ range: { from: 0, to: 100 }, lanes: chosen }, "names");
  assert.deepEqual(
    (await valueOf(sum([0, 1]))).names.map(({ label, worst }) => [label, worst.lane]),
    [["gemm", 0]],
  );
  assert.deepEqual(
    (await valueOf(sum([1]))).names.map(({ label, worst }) => [label, worst.lane]),
    [["layer 3", 1]],
  );
  const { item } = await valueOf(source.detail({ lane: 1, event: 0 }));
  assert.deepEqual([item.lane, plain[item.name]], [1, "layer 3"]);
  assert.equal(await valueOf(source.naming({ lane: 1, event: 0 })), null);
  assert.equal(source.formatEvent(hits.items[0]!), "50", "a link made before they came");
  for (const each of [item, hits.items[0]!])
    assert.equal((await valueOf(source.findEvent(source.formatEvent(each))))!.lane, each.lane);
});

test("a snapshot of memory and the traces of its run lie beside each other by themselves, unless the URL says otherwise", () => {
  const captures = [
    { id: "c0", name: "run.pickle", same_run: ["c1"] },
    { id: "c1", name: "run.json", same_run: ["c0"] },
    { id: "c2", name: "other.json", same_run: [] },
  ] as unknown as CaptureInfo[];
  const byItself = besideByItself(captures[0]!, captures);
  assert.deepEqual(byItself, [{ name: "run.json", alignment: "clock" }]);
  assert.deepEqual(besideByItself(captures[2]!, captures), []);
  assert.deepEqual(besideByItself(null, captures), []);
  assert.equal(formatBeside(byItself, byItself), null);
  assert.equal(formatBeside([], byItself), "-");
  assert.deepEqual(parseBeside("-"), []);
  assert.equal(formatBeside([{ name: "a", alignment: "start" }], byItself), "a~start");
});
