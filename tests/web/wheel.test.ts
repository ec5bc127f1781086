// The meaning of a turn of the wheel: the same over the graph and the lanes.
import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseDirection } from "../../web/src/lib/graph/direction";
import { kMostZoomOfTurn, readWheel } from "../../web/src/lib/wheel";

const turn = { deltaX: 0, deltaY: 0, deltaMode: 0, ctrlKey: false, metaKey: false, shiftKey: false };

test("two fingers pan, a pinch or Ctrl zooms, no notch by more than 1.25", () => {
  assert.deepEqual(readWheel({ ...turn, deltaX: 3, deltaY: -7 }, false), { kind: "pan", dx: 3, dy: -7 });
  assert.deepEqual(readWheel({ ...turn, deltaY: 120, shiftKey: true }, false), { kind: "pan", dx: 120, dy: 0 });
  const pinch = readWheel({ ...turn, deltaY: -5, ctrlKey: true }, false);
  assert.ok(pinch.kind === "zoom" && pinch.factor > 1.04 && pinch.factor < 1.06);
  for (const deltaY of [120, -120, 3000, -3000]) {
    const notch = readWheel({ ...turn, deltaY, metaKey: true }, false);
    assert.ok(notch.kind === "zoom");
    assert.equal(Math.max(notch.factor, 1 / notch.factor), kMostZoomOfTurn);
  }
});

test("a wheel that zooms pans with Shift, and sideways", () => {
  assert.equal(readWheel({ ...turn, deltaY: 120 }, true).kind, "zoom");
  assert.equal(readWheel({ ...turn, deltaY: 120, shiftKey: true }, true).kind, "pan");
  assert.equal(readWheel({ ...turn, deltaX: 50, deltaY: 2 }, true).kind, "pan");
});

test("lines and pages are more than pixels", () => {
  assert.deepEqual(readWheel({ ...turn, deltaY: 3, deltaMode: 1 }, false), { kind: "pan", dx: 0, dy: 54 });
});

test("a graph is read downward where that makes it larger in the window, and it is small otherwise", () => {
  const window = { width: 1000, height: 800 };
  assert.equal(chooseDirection({ width: 900, height: 100 }, { width: 100, height: 700 }, window), "right", "legible");
  assert.equal(chooseDirection({ width: 14000, height: 1000 }, { width: 2000, height: 5000 }, window), "down");
  assert.equal(chooseDirection({ width: 7000, height: 1000 }, { width: 6500, height: 4000 }, window), "right");
  assert.equal(chooseDirection({ width: 7000, height: 1000 }, null, window), "right");
});
