// How the user's wishes order, hide and pin the lanes, and how they are written down.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arrange,
  formatArrangement,
  kAsCaptured,
  moveBefore,
  parseArrangement,
  toggleKey,
  togglePinned,
  type Arrangement,
} from "../../web/src/lib/timeline/lanes-arrange";

const boxes = ["host", "gpu 0/a", "gpu 0/b", "gpu 1/a"].map((key) => ({
  key,
  group: key.split("/")[1] ? key.slice(0, 5) : "",
}));
const keys = boxes.map((box) => box.key);

function shownKeys(wanted: Arrangement): string[] {
  const { pinned, groups } = arrange(boxes, wanted);
  return [...pinned, ...groups.flatMap((group) => (group.isFolded ? [] : group.members))].map((box) => box.key);
}

test("without a wish everything stands as captured, by group", () => {
  assert.deepEqual(shownKeys(kAsCaptured), keys);
  assert.deepEqual(
    arrange(boxes, kAsCaptured).groups.map((group) => group.name),
    ["", "gpu 0", "gpu 1"],
  );
});

test("every lane is shown, folded, or counted as hidden or filtered", () => {
  const wanted: Arrangement = {
    ...kAsCaptured,
    hidden: new Set(["host", "not of this capture"]),
    folded: new Set(["gpu 1"]),
    only: "GPU",
    pinned: ["gpu 0/b"],
  };
  const { pinned, groups, hiddenCount, filteredCount } = arrange(boxes, wanted);
  assert.deepEqual(shownKeys(wanted), ["gpu 0/b", "gpu 0/a"]);
  const members = groups.reduce((sum, group) => sum + group.members.length, 0);
  assert.equal(pinned.length + members + hiddenCount + filteredCount, boxes.length);
  assert.equal(arrange(boxes, { ...kAsCaptured, only: "nothing" }).filteredCount, boxes.length);
});

test("a lane moves before another, last, and among the pinned", () => {
  const moved = moveBefore(kAsCaptured, keys, "gpu 0/b", "gpu 0/a");
  assert.deepEqual(shownKeys(moved), ["host", "gpu 0/b", "gpu 0/a", "gpu 1/a"]);
  assert.deepEqual(shownKeys(moveBefore(moved, shownKeys(moved), "host", null)).at(-1), "host");
  const pinned = togglePinned(togglePinned(kAsCaptured, "host"), "gpu 1/a");
  assert.deepEqual(shownKeys(moveBefore(pinned, keys, "gpu 1/a", "host")).slice(0, 2), ["gpu 1/a", "host"]);
  assert.equal(moveBefore(kAsCaptured, keys, "host", "host"), kAsCaptured);
});

test("what is turned twice is as before", () => {
  assert.deepEqual(toggleKey(toggleKey(kAsCaptured, "hidden", "host"), "hidden", "host"), kAsCaptured);
  assert.deepEqual(togglePinned(togglePinned(kAsCaptured, "host"), "host"), kAsCaptured);
});

test("an arrangement survives the URL, and the first needs no field", () => {
  assert.deepEqual(formatArrangement(kAsCaptured), {});
  assert.deepEqual(parseArrangement({ "lanes.pin": "", lanes: "|" }), kAsCaptured);
  const wanted: Arrangement = {
    turned: new Set(["a"]),
    pinned: ["b", "a"],
    hidden: new Set(["c"]),
    folded: new Set(["gpu 0"]),
    order: ["b", "a"],
    only: "gpu | 1",
  };
  assert.deepEqual(parseArrangement(formatArrangement(wanted)), wanted);
});
