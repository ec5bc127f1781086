// How the user's wishes order, hide and pin the lanes, and how they are written down.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  arrange,
  formatArrangement,
  kAsCaptured,
  moveBefore,
  parseArrangement,
  toggleFolded,
  toggleKey,
  togglePinned,
  type Arrangement,
} from "../../web/src/lib/timeline/lanes-arrange";

/** Two ranks whose streams have the same names. */
const boxes = ["host", "r0/gpu/a", "r0/gpu/b", "r0/cpu", "r1/gpu/a"].map((key) => {
  const names = key.split("/");
  return {
    key,
    title: names.join(" › "),
    above: names.slice(0, -1).map((_, i) => names.slice(0, i + 1).join("/")),
  };
});
const keys = boxes.map((box) => box.key);

function shownKeys(wanted: Arrangement): string[] {
  const { pinned, items } = arrange(boxes, wanted);
  return [...pinned.map((box) => box.key), ...items.flatMap((item) => (item.kind === "box" ? [item.box.key] : []))];
}

/** Headings by path, how deep they stand, and how many boxes stand under them. */
function listHeadings(wanted: Arrangement): [path: string, depth: number, boxCount: number][] {
  return arrange(boxes, wanted).items.flatMap((item) =>
    item.kind === "heading" ? [[item.path, item.depth, item.boxes.length]] : [],
  );
}

test("without a wish everything stands as captured, under a heading for each track above it", () => {
  assert.deepEqual(shownKeys(kAsCaptured), keys);
  assert.deepEqual(listHeadings(kAsCaptured), [
    ["r0", 0, 3],
    ["r0/gpu", 1, 2],
    ["r1", 0, 1],
    ["r1/gpu", 1, 1],
  ]);
  assert.deepEqual(
    arrange(boxes, kAsCaptured).items.map((item) => item.depth),
    [0, 0, 1, 2, 2, 1, 0, 1, 2],
  );
});

test("a folded track takes all under it away, and says how much that is", () => {
  const inner: Arrangement = { ...kAsCaptured, folded: new Set(["r0/gpu"]) };
  assert.deepEqual(shownKeys(inner), ["host", "r0/cpu", "r1/gpu/a"], "the other rank's stays");
  const outer: Arrangement = { ...kAsCaptured, folded: new Set(["r0"]) };
  assert.deepEqual(shownKeys(outer), ["host", "r1/gpu/a"]);
  assert.deepEqual(listHeadings(outer)[0], ["r0", 0, 3]);
});

test("every lane is shown, folded, or counted as hidden or filtered", () => {
  const wanted: Arrangement = {
    ...kAsCaptured,
    hidden: new Set(["host", "not of this capture"]),
    folded: new Set(["r1"]),
    only: "GPU",
    pinned: ["r0/gpu/b"],
  };
  const { pinned, hiddenCount, filteredCount } = arrange(boxes, wanted);
  assert.deepEqual(shownKeys(wanted), ["r0/gpu/b", "r0/gpu/a"]);
  const outermost = listHeadings(wanted).filter(([, depth]) => depth === 0);
  const members = outermost.reduce((sum, [, , boxCount]) => sum + boxCount, 0);
  assert.equal(pinned.length + members + hiddenCount + filteredCount, boxes.length);
  assert.equal(arrange(boxes, { ...kAsCaptured, only: "nothing" }).filteredCount, boxes.length);
});

test("a lane moves before another, last, and among the pinned", () => {
  const moved = moveBefore(kAsCaptured, keys, "r0/gpu/b", "r0/gpu/a");
  assert.deepEqual(shownKeys(moved), ["host", "r0/gpu/b", "r0/gpu/a", "r0/cpu", "r1/gpu/a"]);
  assert.deepEqual(shownKeys(moveBefore(moved, shownKeys(moved), "host", null)).at(-1), "host");
  const pinned = togglePinned(togglePinned(kAsCaptured, "host"), "r1/gpu/a");
  assert.deepEqual(shownKeys(moveBefore(pinned, keys, "r1/gpu/a", "host")).slice(0, 2), ["r1/gpu/a", "host"]);
  assert.equal(moveBefore(kAsCaptured, keys, "host", "host"), kAsCaptured);
});

test("folding one more keeps those that were folded at first, and unfolding one leaves the others", () => {
  const atFirst = new Set(["r1"]);
  const listFolded = (wanted: Arrangement) =>
    arrange(boxes, wanted, atFirst).items.flatMap((item) =>
      item.kind === "heading" && item.isFolded ? [item.path] : [],
    );
  assert.deepEqual(listFolded(kAsCaptured), ["r1"]);
  assert.deepEqual(listFolded(toggleFolded(kAsCaptured, atFirst, "r0")), ["r0", "r1"]);
  assert.deepEqual(listFolded(toggleFolded(kAsCaptured, atFirst, "r1")), []);
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
    folded: new Set(["r0"]),
    order: ["b", "a"],
    only: "gpu | 1",
  };
  assert.deepEqual(parseArrangement(formatArrangement(wanted)), wanted);
  const unfolded = { ...wanted, folded: new Set<string>() };
  assert.deepEqual(parseArrangement(formatArrangement(unfolded)), unfolded, "nothing folded is not as at first");
});
