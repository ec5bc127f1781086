// The computations of views, without a page: rows of the list, the strip, the camera, colours, keys, names.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fitRect, pan, reveal, toLayout, toView, zoomAt } from "../../web/src/lib/camera";
import { contrastOf, formatColour, parseColour, tuneColour } from "../../web/src/lib/colour";
import { groupBy, groupOf, Int32Column } from "../../web/src/lib/graph/columns";
import { pickBest, scoreFuzzy } from "../../web/src/lib/fuzzy";
import { Kept } from "../../web/src/lib/kept";
import { nameKey, showKey } from "../../web/src/lib/keys";
import { pageCommands } from "../../web/src/views/page/commands";
import { commands } from "../../web/src/views/page/listed-views";
import { views } from "../../web/src/views/registry";
import { barOf, findFolder, findRow, listRows, nameForSearch, openKeysOf } from "../../web/src/lib/graph/pass-rows";
import { binRules, binStrip, positionOf, rankRules, stateAt } from "../../web/src/lib/graph/strip-bins";
import { clipLine } from "../../web/src/draw/pixel-layer";
import type { WireContexts } from "../../web/src/lib/wire";

const kContexts: WireContexts = {
  capture: "c0",
  revision: 1,
  locations: [],
  programs: [],
  measures: [],
  tells_memory: false,
  pass_names: ["expander", "devectorize"],
  contexts: [
    { name: "Schedule 2 Kernels", program: false, passes: { name: [0], depth: [0], matches: [3], location: [0] } },
    {
      name: "r_\u001b[34m32\u001b[0m_4",
      program: true,
      passes: { name: [0, 1], depth: [0, 1], matches: [0, 1240], location: [0, 0] },
    },
  ],
};
const kNames = nameForSearch(kContexts);
const list = (filter: string, open: number[]) =>
  listRows(kContexts, kNames, filter, (key) => open.some((c) => key === `${c}.-1`)).map(
    (row) => `${row.context}.${row.pass}`,
  );

test("rows are the contexts, and the passes of the open ones", () => {
  assert.deepEqual(list("", []), ["0.-1", "1.-1"]);
  assert.deepEqual(list("", [1]), ["0.-1", "1.-1", "1.0"], "without those inside others");
});

test("the filter finds passes in folded contexts, and contexts by the name without colours", () => {
  assert.deepEqual(list("devec", []), ["1.-1", "1.1"]);
  assert.deepEqual(list("R_32_4", []), ["1.-1"]);
  assert.deepEqual(list("r_32 expan", []), ["1.-1", "1.0"]);
  assert.deepEqual(list("nothing", [0, 1]), []);
});

/** a (b (c), d) e f g h, where e, f and g have no match. */
const kNested: WireContexts = {
  ...kContexts,
  pass_names: ["a", "b", "c", "d", "e", "f", "g", "h"],
  contexts: [
    {
      name: "kernel",
      program: true,
      passes: {
        name: [0, 1, 2, 3, 4, 5, 6, 7],
        depth: [0, 1, 2, 1, 0, 0, 1, 0],
        matches: [1, 0, 5, 2, 0, 0, 0, 3],
        location: [0, 0, 0, 0, 0, 0, 0, 0],
      },
    },
  ],
};
const nest = (open: string[], filter = "", wire = kNested) =>
  listRows(wire, nameForSearch(wire), filter, (key) => open.includes(key)).map(
    ({ level, name, inside }) => `${level} ${name}${inside > 0 ? ` +${inside}` : ""}`,
  );

test("a pass holds those that ran inside it, until it is unfolded or a filter finds them", () => {
  assert.deepEqual(nest(["0.-1"]), ["0 kernel", "1 a +3", "1 e", "1 f +1", "1 h"]);
  assert.deepEqual(nest(["0.-1", "0.0"]).slice(1, 4), ["1 a +3", "2 b +1", "2 d"]);
  assert.deepEqual(nest([], "c"), ["0 kernel", "3 c"]);
  const [, a] = listRows(kNested, nameForSearch(kNested), "", (key) => key === "0.-1");
  assert.equal(a!.matchesInside, 7);
});

test("three passes or more in a row without a match, inside them too, are one row", () => {
  const passes = { ...kNested.contexts[0]!.passes, depth: [0, 1, 2, 1, 0, 0, 0, 0] };
  const wire = { ...kNested, contexts: [{ ...kNested.contexts[0]!, passes }] };
  assert.deepEqual(nest(["0.-1"], "", wire), ["0 kernel", "1 a +3", "1 3 passes without a match", "1 h"]);
  assert.deepEqual(nest(["0.-1", "0.4.quiet"], "", wire).slice(2, 6), [
    "1 3 passes without a match",
    "1 e",
    "1 f",
    "1 g",
  ]);
  const raised = { ...wire.contexts[0]!, errors: [{ pass: 5, match: 1, message: "no" }] };
  assert.ok(nest(["0.-1"], "", { ...wire, contexts: [raised] }).includes("1 f"), "an error is never folded away");
});

test("a pass that is gone to is unfolded with all that holds it, and one folded away stands for what it is in", () => {
  assert.deepEqual(openKeysOf(kNested, 0, 2), ["0.-1", "0.0", "0.1"]);
  assert.deepEqual(openKeysOf(kNested, 0, null), ["0.-1"]);
  const rows = listRows(kNested, nameForSearch(kNested), "", (key) => key === "0.-1");
  assert.equal(rows[findRow(rows, 0, 2)]!.name, "a");
  const open = new Set(openKeysOf(kNested, 0, 2));
  const unfolded = listRows(kNested, nameForSearch(kNested), "", (key) => open.has(key));
  assert.equal(unfolded[findRow(unfolded, 0, 2)]!.name, "c");
  // What Enter folds: the row itself, or what holds it.
  const folderOf = (at: number) => findFolder(unfolded, at)?.name;
  assert.deepEqual(
    unfolded.map((_, at) => folderOf(at)),
    ["kernel", "a", "b", "b", "a", "kernel", "f", "kernel"],
  );
});

test("a pass that is folded away is found at its context", () => {
  const rows = listRows(kContexts, kNames, "", () => false);
  assert.equal(findRow(rows, 1, 1), 1);
  assert.equal(findRow(rows, 7, null), -1);
});

test("bars grow with the logarithm", () => {
  assert.equal(barOf(0, 100), 0);
  assert.equal(barOf(100, 100), 1);
  assert.ok(barOf(10, 1000) > 0.3 && barOf(10, 1000) < 0.4);
});

test("the strip keeps every peak, however few its columns", () => {
  const made = new Int32Array(10_001);
  made[7777] = 250;
  const bins = binStrip(made, new Int32Array(10_001), 100);
  assert.equal(Math.max(...bins.made), 250);
  assert.equal(bins.most, 250);
  assert.equal(bins.made.indexOf(250), 77);
});

test("a short pass fills the strip", () => {
  const bins = binStrip(Int32Array.of(0, 1, 2), Int32Array.of(0, 0, 3), 4);
  assert.deepEqual([...bins.made], [1, 1, 2, 2]);
  assert.deepEqual([...bins.removed], [0, 0, 3, 3]);
  assert.deepEqual([...binStrip(Int32Array.of(0), Int32Array.of(0), 2).made], [0, 0]);
});

test("places in the strip and states are each other's inverse", () => {
  for (const state of [0, 1, 7, 1239, 1240]) assert.equal(stateAt(positionOf(state, 1241), 1241), state);
  assert.equal(stateAt(-1, 10), 0);
  assert.equal(stateAt(2, 10), 9);
  assert.equal(positionOf(0, 1), 0);
});

const kSize = { width: 800, height: 600 };

test("view and layout pixels are each other's inverse", () => {
  const camera = { x: 120, y: -40, zoom: 0.37 };
  const there = toView(camera, kSize, { x: 33, y: 44 });
  const back = toLayout(camera, kSize, there);
  assert.ok(Math.abs(back.x - 33) < 1e-9 && Math.abs(back.y - 44) < 1e-9);
});

test("zooming keeps what is under the pointer", () => {
  const camera = { x: 5, y: 6, zoom: 1 };
  const at = { x: 700, y: 20 };
  const before = toLayout(camera, kSize, at);
  const after = toLayout(zoomAt(camera, kSize, at, 2.5), kSize, at);
  assert.ok(Math.hypot(after.x - before.x, after.y - before.y) < 1e-9);
  assert.ok(zoomAt(camera, kSize, at, 1e9).zoom < 10, "within limits");
});

test("panning moves by pixels of the view", () => {
  assert.deepEqual(pan({ x: 0, y: 0, zoom: 2 }, 10, -4), { x: -5, y: 2, zoom: 2 });
});

test("fitting shows the whole rectangle and does not blow up a small one", () => {
  const wide = fitRect({ left: 0, top: 0, right: 8000, bottom: 100 }, kSize);
  assert.ok(wide.zoom * 8000 <= kSize.width);
  assert.deepEqual([wide.x, wide.y], [4000, 50]);
  assert.equal(fitRect({ left: 0, top: 0, right: 10, bottom: 10 }, kSize).zoom, 1);
});

test("revealing moves only what is needed", () => {
  const camera = { x: 0, y: 0, zoom: 1 };
  assert.deepEqual(reveal(camera, kSize, { left: -10, top: -10, right: 10, bottom: 10 }), camera);
  const moved = reveal(camera, kSize, { left: 900, top: 0, right: 950, bottom: 20 });
  assert.equal(moved.y, 0);
  assert.equal(toView(moved, kSize, { x: 950, y: 0 }).x, kSize.width - 60);
});

test("a capture's colours can be read on both themes", () => {
  for (const background of ["#141820", "#ffffff"]) {
    for (const colour of [
      "#ffc0c0",
      "#ffffc0",
      "#e0e0e0",
      "#ffffff",
      "#000000",
      "#3e7f55",
      "#a040a0",
      "#0000ff",
      "#ff0",
    ]) {
      const tuned = tuneColour(parseColour(colour)!, parseColour(background)!);
      assert.ok(
        contrastOf(tuned, parseColour(background)!) >= 4.5,
        `${colour} on ${background}: ${formatColour(tuned)}`,
      );
    }
  }
  assert.equal(parseColour("red"), null);
  assert.equal(formatColour(parseColour("#0a0B0c")!), "#0a0b0c");
});

test("contrast is WCAG's", () => {
  assert.ok(Math.abs(contrastOf(parseColour("#000")!, parseColour("#fff")!) - 21) < 1e-9);
});

const press = (key: string, mods: Partial<Record<"ctrlKey" | "metaKey" | "altKey" | "shiftKey", boolean>> = {}) =>
  nameKey({ key, ctrlKey: false, metaKey: false, altKey: false, shiftKey: false, ...mods });

test("keys are named as the table spells them", () => {
  assert.equal(press("k", { ctrlKey: true }), "Ctrl+K");
  assert.equal(press("k", { metaKey: true }), "Ctrl+K");
  assert.equal(press("?", { shiftKey: true }), "?");
  assert.equal(press("D", { shiftKey: true }), "Shift+D");
  assert.equal(press("ArrowLeft", { shiftKey: true }), "Shift+ArrowLeft");
  assert.equal(press(" "), "Space");
  assert.equal(press("+", { shiftKey: true }), "+");
  assert.equal(showKey("Shift+ArrowLeft"), "⇧ ←");
  assert.equal(showKey("Ctrl+K"), "Ctrl K");
});

test("no key means two things in one view, and ids are unique", () => {
  assert.equal(new Set(commands.map((command) => command.id)).size, commands.length);
  for (const view of views) {
    const keys = [...pageCommands, ...view.commands].flatMap((command) => command.keys);
    assert.deepEqual(
      keys.filter((key, i) => keys.indexOf(key) !== i),
      [],
      view.id,
    );
  }
});

test("a key of the URL is one view's own", () => {
  const keys = ["view", "capture", "context", "pass", "token", ...views.flatMap((view) => Object.keys(view.urlKeys))];
  assert.deepEqual(
    keys.filter((key, i) => keys.indexOf(key) !== i),
    [],
  );
});

test("a few letters find a name", () => {
  assert.equal(scoreFuzzy("xyz", { text: "devectorize" }), null);
  assert.equal(scoreFuzzy("dvz", { text: "devectorize" })!.kind, 0);
  const items = ["r_32_16 › lower", "r_32_16 › devectorize", "E_4 › devectorize"].map((text) => ({ text }));
  assert.equal(pickBest("devec", items, 9)[0]!.text, "E_4 › devectorize", "the shorter of equals");
  assert.equal(pickBest("r32dev", items, 9)[0]!.text, "r_32_16 › devectorize");
  assert.equal(pickBest("devec 16", items, 9)[0]!.text, "r_32_16 › devectorize", "words in any order");
  assert.equal(pickBest("", items, 2).length, 2);
  assert.deepEqual(pickBest("qq", items, 9), []);
});

test("whole words come before their beginnings, these before the inside of words, and letters in order last", () => {
  const texts = ["in due order, last exit", "unidle", "idleness", "show idle gaps", "idle"];
  const found = pickBest(
    "idle",
    texts.map((text) => ({ text })),
    9,
  ).map(({ text }) => text);
  assert.deepEqual(found, ["idle", "show idle gaps", "idleness", "unidle", "in due order, last exit"]);
  assert.equal(scoreFuzzy("idle gaps", { text: "idle, gone as planets slip" })!.kind, 0, "as the word found worst");
});

test("a name is found by what people call it too, but not by letters of that", () => {
  const export_ = { text: "save the graph as svg", words: "export picture" };
  assert.equal(scoreFuzzy("export", export_)!.kind, 3);
  assert.equal(scoreFuzzy("expo svg", export_)!.kind, 2);
  assert.equal(scoreFuzzy("port", export_), null);
});

test("of names found equally well the nearer comes first, unless only their letters are there", () => {
  const items = [{ text: "e_4 › devectorize" }, { text: "r_1024_32 › devectorize", nearness: 2 }];
  assert.match(pickBest("devectorize", items, 9)[0]!.text, /^r_/);
  assert.match(pickBest("e4devec", items, 9)[0]!.text, /^e_/);
});

test("records are grouped by key in their order", () => {
  const grouping = groupBy(Int32Array.of(2, 0, 2, 9, -1, 0), 3);
  assert.deepEqual([...groupOf(grouping, 0)], [1, 5]);
  assert.deepEqual([...groupOf(grouping, 1)], []);
  assert.deepEqual([...groupOf(grouping, 2)], [0, 2]);
  assert.deepEqual([...groupOf(grouping, 3)], []);
});

test("columns grow and keep what they have", () => {
  const column = new Int32Column();
  for (let i = 0; i < 1000; i++) column.push(i * 3);
  assert.equal(column.length, 1000);
  assert.equal(column.at(999), 2997);
  assert.equal(column.view().length, 1000);
});

test("lines are clipped to the picture", () => {
  assert.deepEqual(clipLine(-10, 5, 30, 5, 20, 10), [0, 5, 20, 5]);
  assert.equal(clipLine(-10, -5, 30, -1, 20, 10), null);
  assert.deepEqual(clipLine(3, 3, 3, 3, 20, 10), [3, 3, 3, 3]);
});

test("what was looked at last is kept", () => {
  const kept = new Kept<number>(2);
  kept.put("a", 1);
  kept.put("b", 2);
  assert.equal(kept.get("a"), 1);
  kept.put("c", 3);
  assert.equal(kept.get("b"), undefined, "the one looked at longest ago goes");
  assert.equal(kept.get("a"), 1);
});

test("the strip's rules are those of most matches of a column", () => {
  const rules = Int32Array.from([-1, 3, 3, 5, 5, 5, 7]);
  assert.deepEqual(rankRules(rules), [5, 3, 7]);
  assert.deepEqual([...binRules(rules, 6, 2)], [3, 5]);
  assert.deepEqual([...binRules(rules, 12, 4)], [3, 5, -1, -1], "those that have not arrived have none");
  assert.deepEqual([...binRules(rules, 6, 6)], [3, 3, 5, 5, 5, 7]);
});

test("every view can be told as a command line", () => {
  for (const view of views) assert.ok(view.asCommand !== undefined, view.id);
});
