// How lanes stand before anybody arranges them, what is folded then, and how tall memories are.
import assert from "node:assert/strict";
import { test } from "node:test";
import { kAsCaptured } from "../../web/src/lib/timeline/lanes-arrange";
import { lanesAtFirst } from "../../web/src/lib/timeline/lanes-at-first";
import { layOutLanes, listFoldable, rowsOfStrip } from "../../web/src/lib/timeline/lanes-layout";
import type { LaneInfo } from "../../web/src/lib/timeline/timeline";
import { makeLane } from "./profile-fixture";

const kWork = { compute_ns: 10, communication_ns: 0, memory_ns: 0, busy_ns: 10 };

/** Tracks by path, each with its kind and what it has; parents are found by path. */
function makeLanes(tracks: Record<string, Partial<LaneInfo>>): LaneInfo[] {
  const paths = Object.keys(tracks);
  return paths.map((path, place) => {
    const parts = path.split("/");
    const above = parts.slice(0, -1).map((_, i) => paths.indexOf(parts.slice(0, i + 1).join("/")));
    return makeLane(parts.at(-1)!, { path, above, place, ...tracks[path] });
  });
}

const events = (eventCount: number, more: Partial<LaneInfo> = {}) => ({ eventCount, rowCount: 2, ...more });

/** As a profiler of PyTorch lists them: what nobody asked for first, the device last. */
const kTrace = makeLanes({
  Traces: { kind: "process" },
  "Traces/Trace": events(1, { kind: "thread" }),
  python: { kind: "process" },
  "python/loader": events(50, { kind: "thread", rowCount: 9 }),
  "python/main": events(900, { kind: "thread", launches: 61 }),
  "GPU 0": { kind: "device" },
  "GPU 0/thread 0": events(5, { kind: "stream" }),
  "GPU 0/stream 7": events(62, { kind: "stream", work: kWork }),
  "GPU 0 memory": {
    memory: { peak_bytes: 8, peak_ns: 0, end_bytes: 0, height_bytes: 8, isAddressed: false, unlisted_bytes: null },
  },
});

function listBoxes(lanes: readonly LaneInfo[], folded: ReadonlySet<string> | null = null): string[] {
  return layOutLanes(lanes, { ...kAsCaptured, folded }).boxes.map(
    ({ key, isFolded, strip }) => `${isFolded ? "+" : "-"}${strip.length > 0 ? "~" : " "}${key}`,
  );
}

test("devices come first, then the threads that launch, then memory, then the rest folded", () => {
  assert.deepEqual(listBoxes(kTrace), [
    "- GPU 0/",
    "- GPU 0/stream 7",
    "+ GPU 0/thread 0",
    "- python/",
    "- python/main",
    "+~python/loader",
    "- GPU 0 memory Memory",
    "+~Traces/",
  ]);
  assert.deepEqual([...lanesAtFirst(kTrace).folded], ["Traces", "python/loader", "GPU 0/thread 0"]);
});

test("lanes of a trace stay as they are listed, with what counts of their tracks, and none is folded", () => {
  const ofTrace = { isOfTrace: true };
  const lanes = makeLanes({
    "SM 0": { ...ofTrace, counters: [{ name: "issued", unit: "%", min: 0, max: 100 }] },
    "SM 0/warp 0": events(1, ofTrace),
    "SM 0/warp 1": events(7, ofTrace),
  });
  assert.deepEqual(listBoxes(lanes), ["- SM 0/", "- SM 0 issued", "- SM 0/warp 0", "- SM 0/warp 1"]);
});

test("what the user folds or unfolds wins over what is folded at first", () => {
  assert.deepEqual(
    listBoxes(kTrace, new Set()).filter((line) => line.startsWith("+")),
    [],
  );
  assert.ok(listBoxes(kTrace, new Set(["python"])).includes("+~python/"));
  assert.deepEqual(listFoldable(kTrace), ["Traces", "python", "GPU 0"]);
});

test("where nothing tells who launches, threads stay open, and a lane of one event is folded last", () => {
  const lanes = makeLanes({
    USER: events(875, { kind: "host" }),
    TINY: events(4567, { kind: "host" }),
    once: events(1, { kind: "host" }),
    GPU: events(8, { kind: "device", work: kWork }),
  });
  assert.deepEqual(listBoxes(lanes), ["- GPU", "- USER", "- TINY", "+ once"]);
  const alone = makeLanes({ once: events(1, { kind: "host" }) });
  assert.deepEqual(listBoxes(alone), ["- once"], "where that is all there is it stays open");
});

test("functions around engines stand with their device", () => {
  const lanes = makeLanes({
    host: events(3, { kind: "host", launches: 2 }),
    TPU: { kind: "device" },
    "TPU/Core 0": {},
    "TPU/Core 0/Batches": events(2),
    "TPU/Core 0/TIU": events(15, { kind: "engine", work: kWork }),
  });
  assert.deepEqual(listBoxes(lanes), ["- TPU/", "- TPU/Core 0/", "- TPU/Core 0/Batches", "- TPU/Core 0/TIU", "- host"]);
});

test("each rank is ordered by itself, and what stands under none and has nothing to show comes last", () => {
  const lanes = makeLanes({
    Spans: events(1, { kind: "thread" }),
    "rank 0": { kind: "rank" },
    "rank 0/main": events(9, { kind: "thread", launches: 3 }),
    "rank 0/GPU": events(9, { kind: "stream", work: kWork }),
    "rank 1": { kind: "rank" },
    "rank 1/main": events(9, { kind: "thread", launches: 3 }),
    "rank 1/GPU": events(9, { kind: "stream", work: kWork }),
  });
  assert.deepEqual(listBoxes(lanes), [
    "- rank 0/",
    "- rank 0/GPU",
    "- rank 0/main",
    "- rank 1/",
    "- rank 1/GPU",
    "- rank 1/main",
    "+ Spans",
  ]);
});

test("a strip asks for one row where events nest, and for several where they overlap", () => {
  assert.equal(rowsOfStrip(makeLane("a", { rowCount: 40 })), 1);
  assert.ok(rowsOfStrip(makeLane("a", { rowCount: 40, relaned: 3 })) > 1);
  assert.equal(rowsOfStrip(makeLane("a")), 0);
});

test("a memory of a few bytes is lower than the greatest one, by the logarithm of its peak", () => {
  const memory = (peak_bytes: number) => ({
    memory: {
      peak_bytes,
      peak_ns: 0,
      end_bytes: 0,
      height_bytes: peak_bytes,
      isAddressed: false,
      unlisted_bytes: null,
    },
  });
  const lanes = makeLanes({ large: memory(80e9), half: memory(40e9), small: memory(12) });
  const heightsIn = (room_px: number) => layOutLanes(lanes, kAsCaptured, room_px).boxes.map(({ height }) => height);
  const [large, half, small] = heightsIn(0);
  assert.ok(large! > half! && half! > 0.8 * large!, `${large} ${half}`);
  assert.ok(small! < 0.45 * large!, `${small} of ${large}`);
  const [grown, , kept] = heightsIn(600);
  assert.ok(grown! > large!, "where there is room the large one grows");
  assert.equal(kept, small);
});
