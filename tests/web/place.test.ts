import assert from "node:assert/strict";
import { test } from "node:test";
import { formatPlace, kHome, parsePlace, resolveNamedIndex, takeToken } from "../../web/src/lib/place";

test("a place survives the URL", () => {
  const place = {
    view: "rewrites",
    capture: "a b&c=d#é",
    context: { index: 4, name: "r_32:16 n1" },
    pass: { index: 0, name: "" },
    match: 412,
    node: 7,
    camera: { x: -120, y: 33, zoom: 0.25 },
    rest: { time: "10-20" },
  };
  assert.deepEqual(parsePlace(formatPlace(place)), place);
});

test("home needs no fragment", () => {
  assert.equal(formatPlace(kHome), "");
  assert.deepEqual(parsePlace(""), kHome);
  assert.deepEqual(parsePlace("#"), kHome);
});

test("what makes no sense is as at home", () => {
  const place = parsePlace("#match=-1&node=x&context=a:b&pass=99999999999&camera=1,2,0");
  assert.deepEqual(place, kHome);
  assert.equal(parsePlace("#camera=1,NaN,2").camera, null);
  assert.equal(parsePlace("#camera=1,2,3,4").camera, null);
});

test("the token is taken out and the rest stays", () => {
  assert.deepEqual(takeToken("#token=abc&match=3"), { token: "abc", fragment: "#match=3" });
  assert.deepEqual(takeToken("#token=abc"), { token: "abc", fragment: "" });
  assert.deepEqual(takeToken("#match=3"), { token: null, fragment: "#match=3" });
});

test("a named index is found where it went", () => {
  const names = ["a", "b", "a", "c", "b"];
  assert.equal(resolveNamedIndex({ index: 2, name: "a" }, names), 2);
  assert.equal(resolveNamedIndex({ index: 3, name: "b" }, names), 4, "the nearest of that name");
  assert.equal(resolveNamedIndex({ index: 9, name: "c" }, names), 3);
  assert.equal(resolveNamedIndex({ index: 1, name: "gone" }, names), null);
  assert.equal(resolveNamedIndex({ index: 1, name: "" }, names), 1);
  assert.equal(resolveNamedIndex({ index: 5, name: "" }, names), null);
  assert.equal(resolveNamedIndex(null, names), null);
});
