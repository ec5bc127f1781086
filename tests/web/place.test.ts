import assert from "node:assert/strict";
import { test } from "node:test";
import { formatCamera, parseCamera } from "../../web/src/lib/camera";
import { linkToEvent, linkToPass, parseEventKey } from "../../web/src/lib/links";
import {
  formatNamedIndex,
  listPasses,
  parseNamedIndex,
  resolveKeyed,
  resolveNamedIndex,
  resolvePass,
} from "../../web/src/lib/named-index";
import {
  changeKeys,
  formatPlace,
  keysThatEnd,
  kHome,
  parsePlace,
  takeToken,
  viewOfKeys,
  type UrlKeys,
} from "../../web/src/lib/place";

test("a place survives the URL", () => {
  const place = {
    view: "rewrites",
    capture: "a b&c=d#é",
    keys: { context: "4:r_32:16 n1", match: "412", time: "10-20" },
  };
  assert.deepEqual(parsePlace(formatPlace(place)), place);
});

test("keys without a view are of the view that owns them", () => {
  const keysOf = new Map<string, UrlKeys>([
    ["overview", {}],
    ["rewrites", { match: "ofPass", search: "kept" }],
    ["timeline", { time: "ofLink" }],
  ]);
  assert.equal(viewOfKeys({}, keysOf), "");
  assert.equal(viewOfKeys({ theme: "x" }, keysOf), "");
  assert.equal(viewOfKeys({ time: "1..2" }, keysOf), "timeline");
  assert.equal(viewOfKeys({ search: "ADD", time: "1..2" }, keysOf), "rewrites");
  assert.equal(viewOfKeys({ pass: "3:" }, keysOf), "rewrites");
  assert.equal(viewOfKeys({ context: "3:" }, keysOf), "rewrites");
});

test("home needs no fragment", () => {
  assert.equal(formatPlace(kHome), "");
  assert.deepEqual(parsePlace(""), kHome);
  assert.deepEqual(parsePlace("#"), kHome);
});

test("a camera survives the URL, and what makes no sense is none", () => {
  const camera = { x: -120, y: 33, zoom: 0.25 };
  assert.deepEqual(parseCamera(formatCamera(camera)), camera);
  for (const text of ["1,2,0", "1,NaN,2", "1,2,3,4", "", undefined]) assert.equal(parseCamera(text), null);
});

test("the token is taken out and the rest stays", () => {
  assert.deepEqual(takeToken("#token=abc&match=3"), { token: "abc", fragment: "#match=3" });
  assert.deepEqual(takeToken("#token=abc"), { token: "abc", fragment: "" });
  assert.deepEqual(takeToken("#match=3"), { token: null, fragment: "#match=3" });
});

test("a link takes with it what it leaves behind", () => {
  const keysOf = new Map<string, UrlKeys>([
    ["rewrites", { match: "ofPass", hide: "kept" }],
    ["program", { ins: "ofContext" }],
    ["timeline", { time: "ofLink", event: "ofLink", find: "kept" }],
  ]);
  const keys = { context: "0:a", match: "7", hide: "X", ins: "3", time: "1..2", event: "e", find: "q" };
  const after = (link: Parameters<typeof keysThatEnd>[0]) =>
    changeKeys(changeKeys(keys, keysThatEnd(link, keysOf)), link.keys);
  assert.deepEqual(after(linkToPass({ index: 1, name: "b" }, { index: 0, name: "p" }, 2)), {
    context: "1:b",
    pass: "0:p",
    match: "2",
    hide: "X",
    time: "1..2",
    event: "e",
    find: "q",
  });
  const event = { lane: "GPU|0", index: 12, start_ns: 100, dur_ns: 10, name: "a|b" };
  const onTimeline = after(linkToEvent(event));
  assert.equal(onTimeline.time, "60..150");
  assert.equal(onTimeline.match, "7", "the other view is as it was left");
  assert.deepEqual(parseEventKey("GPU|@12.100|a|b"), { lane: "GPU", index: 12, start_ns: 100, name: "a|b" });
  assert.equal(parseEventKey("GPU|12|a"), null);
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
  assert.deepEqual(parseNamedIndex("3:E_4:x"), { index: 3, name: "E_4:x" });
  for (const text of ["a:b", "-1:x", "99999999999:x", "", undefined]) assert.equal(parseNamedIndex(text), null);
});

test("a kernel is found by its key where others were inserted, removed or renamed", () => {
  const wanted = parseNamedIndex("1:E~0000000e");
  assert.deepEqual(wanted, { index: 1, name: "E", key: "0000000e" });
  assert.equal(formatNamedIndex(wanted!), "1:E~0000000e");
  const e = { name: "E", key: "0000000e" };
  const other = { name: "E", key: "0000000f" };
  const schedule = { name: "Schedule", key: undefined };
  const found = (...list: { name: string; key: string | undefined }[]) => resolveKeyed(wanted, list);
  assert.deepEqual(found(schedule, e), { index: 1, isSame: true });
  assert.deepEqual(found(schedule, other, other, e), { index: 3, isSame: true }, "inserted before it");
  assert.deepEqual(found(e, other), { index: 0, isSame: true }, "removed before it");
  assert.deepEqual(found(schedule, other, { ...e, name: "En1" }), { index: 2, isSame: true }, "renamed");
  assert.deepEqual(found(schedule, schedule, other), { index: 2, isSame: false }, "gone: another of its name");
  assert.equal(found(schedule, schedule), null, "gone, and its name too");
  assert.deepEqual(found(schedule, { name: "E", key: undefined }), { index: 1, isSame: true }, "told without keys");
  const old = parseNamedIndex("1:E");
  assert.deepEqual(resolveKeyed(old, [schedule, other, e]), { index: 1, isSame: true }, "a link made before keys");
  assert.equal(resolveKeyed(null, [e]), null);
});

test("a pass is found by its key among those of its name", () => {
  const passes = { name: [0, 1, 0], depth: [0, 0, 0], matches: [1, 1, 1], location: [0, 0, 0], key: [10, 11, 65535] };
  const wire = { pass_names: ["\x1b[33mearly moves\x1b[0m", "expander"], contexts: [] };
  const list = listPasses(wire as never, { name: "", program: false, passes });
  assert.deepEqual(list, [
    { name: "early moves", key: "000a" },
    { name: "expander", key: "000b" },
    { name: "early moves", key: "ffff" },
  ]);
  const find = (text: string) => resolvePass(parseNamedIndex(text), list);
  assert.deepEqual(find("0:early moves~ffff"), { index: 2, isSame: true }, "inserted before it");
  assert.deepEqual(find("2:early moves~000a"), { index: 0, isSame: true }, "removed before it");
  assert.deepEqual(find("0:early moves~1234"), { index: 0, isSame: false }, "gone: another of its name");
  assert.deepEqual(find("0:expander~1234"), { index: 1, isSame: true }, "the only one of its name: on another graph");
  assert.deepEqual(find("0:expander"), { index: 1, isSame: true }, "a link made before keys");
  assert.deepEqual(find("0:expander~000a"), { index: 1, isSame: true }, "though another began with that graph");
  assert.deepEqual(find("0:renamed~000b"), { index: 1, isSame: true });
  assert.equal(find("0:gone~1234"), null);
});
