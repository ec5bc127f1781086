// The camera for a change: what it promises, for changes of every size and place.
import assert from "node:assert/strict";
import { test } from "node:test";
import { unite, type Rect } from "../../web/src/lib/camera";
import { frameChange, frameWhole, kLabelZoom, kNameZoom } from "../../web/src/lib/graph/framing";

const view = { width: 762, height: 640 };
const layout = { width: 9000, height: 1400 };
const box = (x: number, y: number, w = 140, h = 82): Rect => ({ left: x, top: y, right: x + w, bottom: y + h });

/** Where a rectangle is in the view, in shares of it. */
function seen(rect: Rect, camera: { x: number; y: number; zoom: number }) {
  const across = (x: number) => ((x - camera.x) * camera.zoom) / view.width + 0.5;
  const down = (y: number) => ((y - camera.y) * camera.zoom) / view.height + 0.5;
  return { left: across(rect.left), right: across(rect.right), top: down(rect.top), bottom: down(rect.bottom) };
}

const kSlack = 1e-6;
function isWithin(rect: Rect, camera: { x: number; y: number; zoom: number }, from: number, to: number): boolean {
  return Object.values(seen(rect, camera)).every((at) => at >= from - kSlack && at <= to + kSlack);
}

test("a change that fits is in the middle third, wherever it is, and its neighbours are in view", () => {
  for (let x = 0; x < layout.width - 400; x += 97) {
    for (const y of [0, 333, 700, 1300]) {
      const changed = [box(x, y), box(x + 90, y + 60, 93, 54)];
      const around = [box(x - 180, y + 20), box(x + 260, y - 40)];
      const camera = frameChange({ changed, around }, layout, view);
      assert.ok(isWithin(unite(changed), camera, 1 / 3, 2 / 3), `${x} ${y}`);
      for (const neighbour of around) assert.ok(isWithin(neighbour, camera, 0, 1), `${x} ${y}`);
      assert.equal(camera.zoom, kLabelZoom);
    }
  }
});

test("neighbours that can be seen only from farther away are, and those that cannot be are let go", () => {
  const changed = [box(4000, 500)];
  const far = frameChange({ changed, around: [box(3420, 500), box(4430, 500)] }, layout, view);
  assert.equal(far.zoom, kNameZoom);
  const near = frameChange({ changed, around: [box(3820, 500), box(100, 500)] }, layout, view);
  assert.equal(near.zoom, kLabelZoom);
  assert.ok(isWithin(box(3820, 500), near, 0, 1));
});

test("neighbours all on one side are in view with the change in the middle, from farther away where that takes it", () => {
  const changed = [box(4000, 500)];
  const around = [box(3450, 500), box(3600, 620)];
  const camera = frameChange({ changed, around }, layout, view);
  assert.equal(camera.zoom, kNameZoom);
  assert.ok(isWithin(unite(changed), camera, 1 / 3, 2 / 3));
  for (const neighbour of around) assert.ok(isWithin(neighbour, camera, 0, 1));
});

test("a change larger than the middle third has its middle there, and one larger than the view its densest part", () => {
  const wide = [box(4000, 500), box(4700, 500)];
  const camera = frameChange({ changed: wide, around: [] }, layout, view);
  const { left, right } = seen(unite(wide), camera);
  assert.ok(Math.abs((left + right) / 2 - 0.5) < kSlack);
  const scattered = [box(0, 0), box(3000, 0), box(3050, 90), box(3020, 180), box(8000, 900)];
  const there = frameChange({ changed: scattered, around: [] }, layout, view);
  assert.ok(isWithin(box(3050, 90), there, 1 / 3, 2 / 3));
});

test("changes beside one another are looked at from one place, and the camera is a function of the change alone", () => {
  const places = new Set<string>();
  for (let x = 4000; x < 4600; x += 10) {
    const { x: cameraX, y, zoom } = frameChange({ changed: [box(x, 500)], around: [] }, layout, view);
    places.add(`${cameraX} ${y} ${zoom}`);
  }
  assert.ok(places.size <= 5, `${places.size} places for 60 changes over 600 pixels`);
});

test("all of a layout that can be read whole is looked at as that is, at its own zoom", () => {
  const small = { width: 900, height: 500 };
  const whole = frameWhole(small, view)!;
  assert.ok(whole.zoom >= kNameZoom && whole.zoom < kLabelZoom);
  assert.equal(frameChange({ changed: [box(10, 10)], around: [] }, small, view).zoom, whole.zoom);
  const middle = frameChange({ changed: [box(400, 220)], around: [] }, small, view);
  assert.deepEqual(middle, whole, "what lies in the middle moves nothing");
  assert.equal(frameWhole(layout, view), null);
});
