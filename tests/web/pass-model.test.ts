// A small pass, told as the server tells it, and checked at every state against the same lives written down plainly.
import assert from "node:assert/strict";
import { test } from "node:test";
import { kWhole } from "../../web/src/lib/graph/arrangement";
import { tellBiography } from "../../web/src/lib/graph/biography";
import { diffStates, formatMark, parseMark } from "../../web/src/lib/graph/diff";
import { findNodeAt } from "../../web/src/lib/graph/graph-hit";
import { takePassEvent, layoutFor, type LoadedPass } from "../../web/src/lib/graph/loaded-pass";
import {
  changesAt,
  countRuleHits,
  findLargestChange,
  findNewLabels,
  findSameNode,
  tellLife,
  touchingStates,
} from "../../web/src/lib/graph/pass-changes";
import { buildScene } from "../../web/src/draw/graph/scene";
import type { Palette } from "../../web/src/draw/palette";
import { otherPasses } from "../../web/src/views/rewrites/state/find-elsewhere";
import { PassModel } from "../../web/src/lib/graph/pass-model";
import type { WireGraph, WireLayout, WireMatches } from "../../web/src/lib/graph/wire";

// State 0: a(0), b(1) -> mul(2) -> sink(3). State 1: mul becomes add, a constant c(4) is inlined into it.
// State 2: b goes, d(5) stands in its place. State 3: a merges into d; c becomes a box. State 4: nothing happens.
const kGraph: WireGraph = {
  states: 5,
  locations: [
    ["/x/symbolic.py", 7, "x*1 -> x"],
    ["/x/other.py", 9, null],
  ],
  kinds: [
    { name: "IN", colour: "#fff", body: 0 },
    { name: "MUL", colour: "#ff0", body: 0 },
    { name: "SINK", colour: "#0ff", body: 0 },
  ],
  labels: ["IN a", "IN b", "MUL", "SINK"],
  nodes: {
    id: [0, 1, 2, 3],
    kind: [0, 0, 1, 2],
    label: [0, 1, 2, 3],
    inlined: [0, 0, 0, 0],
    ref: [-1, -1, 6, -1],
    tag: [null, null, "t", null],
  },
  edges: { source: [0, 1, 2], user: [2, 2, 3], port: [0, 1, 0] },
  root: 3,
  x: [0, 0, 100, 200],
  y: [0, 50, 25, 25],
  w: [40, 40, 40, 40],
  h: [20, 20, 20, 20],
  width: 240,
  height: 70,
  epoch: 0,
};
const kFirst: WireMatches = {
  from: 1,
  to: 2,
  rule: [0, 1],
  dur_ns: [100, 200],
  labels: ["ADD", "C", "IN d"],
  kinds: [{ name: "ADD", colour: "#f0f", body: 0 }],
  nodes: { id: [4, 5], kind: [0, 0], label: [5, 6], inlined: [1, 0], ref: [-1, -1], tag: [null, null], born: [1, 2] },
  deaths: { id: [1], state: [2], into: [-1] },
  versions: { id: [2], state: [1], kind: [3], label: [4], inlined: [0], ref: [-1], tag: [null] },
  edges: { source: [4, 5], user: [2, 2], port: [2, 1], born: [1, 2] },
  edge_deaths: { edge: [1], state: [2] },
  roots: { state: [], id: [] },
  errors: [],
};
const kSecond: WireMatches = {
  from: 3,
  to: 4,
  rule: [0, 0],
  dur_ns: null,
  labels: [],
  kinds: [],
  nodes: { id: [], kind: [], label: [], inlined: [], ref: [], tag: [], born: [] },
  deaths: { id: [0], state: [3], into: [5] },
  versions: { id: [4], state: [3], kind: [0], label: [5], inlined: [0], ref: [-1], tag: [null] },
  edges: { source: [5], user: [2], port: [0], born: [3] },
  edge_deaths: { edge: [0], state: [3] },
  roots: { state: [4], id: [2] },
  errors: [[4, "it raised"]],
};

function loadModel(): PassModel {
  const model = new PassModel(kGraph);
  model.addMatches(kFirst);
  model.addMatches(kSecond);
  return model;
}

test("every state has its boxes", () => {
  const model = loadModel();
  const boxes = [0, 1, 2, 3, 4].map((state) => model.listBoxes(state));
  assert.deepEqual(boxes, [
    [0, 1, 2, 3],
    [0, 1, 2, 3],
    [0, 2, 3, 5],
    [2, 3, 4, 5],
    [2, 3, 4, 5],
  ]);
  assert.deepEqual([...model.boxes], [4, 4, 4, 4, 4]);
  assert.deepEqual([...model.made], [0, 0, 1, 1, 0]);
  assert.deepEqual([...model.removed], [0, 0, 1, 1, 0]);
});

test("labels, kinds, tags and references are those of the state", () => {
  const model = loadModel();
  assert.equal(model.labelAt(2, 0), "MUL");
  assert.equal(model.labelAt(2, 1), "ADD");
  assert.equal(model.kindAt(2, 0)?.name, "MUL");
  assert.equal(model.kindAt(2, 4)?.name, "ADD");
  assert.equal(model.versionTag[model.versionAt(2, 0)], "t");
  assert.equal(model.versionRef.at(model.versionAt(2, 0)), 6);
  assert.equal(model.versionRef.at(model.versionAt(2, 3)), -1);
});

test("edges are those of the state, by port", () => {
  const model = loadModel();
  const sources = (state: number) => model.sourceEdges(2, state).map((edge) => model.edgeSource.at(edge));
  assert.deepEqual(sources(0), [0, 1]);
  assert.deepEqual(sources(1), [0, 1, 4]);
  assert.deepEqual(sources(2), [0, 5, 4]);
  assert.deepEqual(sources(3), [5, 5, 4], "one source at two ports");
  assert.equal(model.userEdges(5, 1).length, 0);
  assert.equal(model.userEdges(5, 3).length, 2);
});

test("rules, times, roots and errors", () => {
  const model = loadModel();
  assert.equal(model.ruleAt(0), undefined);
  assert.equal(model.ruleAt(2)?.[1], 9);
  assert.equal(model.durationAt(2), 200);
  assert.equal(model.durationAt(3), null);
  assert.equal(model.rootAt(3), 3);
  assert.equal(model.rootAt(4), 2);
  assert.equal(model.errors.get(4), "it raised");
  assert.deepEqual(
    [...countRuleHits(model)],
    [
      [0, 3],
      [1, 1],
    ],
  );
});

test("what a match changed", () => {
  const model = loadModel();
  assert.deepEqual([...changesAt(model, 0).made], []);
  const first = changesAt(model, 1);
  assert.deepEqual([[...first.made], [...first.rewritten], first.removed], [[4], [2], []]);
  const second = changesAt(model, 2);
  assert.deepEqual([[...second.made], [...second.removed]], [[5], [1]]);
  assert.deepEqual([...second.madeEdges], [4]);
  assert.deepEqual([...second.removedEdges], [1]);
  const fourth = changesAt(model, 4);
  assert.deepEqual([fourth.made.size, fourth.rewritten.size, fourth.removed.length], [0, 0, 0]);
});

test("a node's biography and the matches that touch it", () => {
  const model = loadModel();
  assert.deepEqual(
    tellLife(model, 2).map((event) => [event.state, event.what]),
    [
      [0, "made"],
      [1, "label"],
    ],
  );
  assert.deepEqual(
    tellLife(model, 0).map((event) => [event.state, event.what]),
    [
      [0, "made"],
      [3, "merged"],
    ],
  );
  assert.deepEqual(
    tellLife(model, 1).map((event) => [event.state, event.what]),
    [
      [0, "made"],
      [2, "removed"],
    ],
  );
  assert.deepEqual(touchingStates(model, 2), [0, 1, 2, 3], "new sources touch it too");
  assert.deepEqual(touchingStates(model, 3), [0]);
});

test("states become known batch by batch", () => {
  const model = new PassModel(kGraph);
  assert.equal(model.knownStates, 1);
  assert.deepEqual(model.listBoxes(0), [0, 1, 2, 3]);
  model.addMatches(kFirst);
  assert.equal(model.knownStates, 3);
  assert.deepEqual(model.listBoxes(2), [0, 2, 3, 5]);
  assert.equal(model.ruleAt(3), undefined);
});

test("asked of nodes and states that are not there, it answers with nothing", () => {
  const model = loadModel();
  assert.equal(model.isAlive(-1, 0), false);
  assert.equal(model.isAlive(99, 0), false);
  assert.equal(model.isBox(5, 1), false);
  assert.deepEqual(model.sourceEdges(99, 0), []);
});

const kLayout: WireLayout = {
  kind: "epoch",
  number: 0,
  from: 0,
  to: 4,
  id: [0, 1, 2, 3, 4, 5],
  x: [0, 0, 100, 200, 0, 0],
  y: [0, 50, 25, 25, 90, 130],
  w: [40, 40, 40, 40, 0, 40],
  h: [20, 20, 20, 20, 0, 20],
  edges: {
    edge: [0, 1, 2, 3, 4, 5],
    cut: [0, 1, 0, 0, 0, 0],
    back: [0, 0, 0, 0, 0, 1],
    points: [[60, -300, 100, 30], [100, 35], [], [], [], []],
  },
  width: 240,
  height: 150,
  cut_share: 0.1,
  optimal: true,
  coarse: false,
};

function loadPass(...events: [name: string, data: unknown][]): LoadedPass {
  let pass: LoadedPass | null = null;
  for (const [name, data] of events) pass = takePassEvent(pass, { name, data: JSON.stringify(data) }, "k", 1);
  return pass!;
}

test("the stream's events make a pass", () => {
  assert.equal(takePassEvent(null, { name: "matches", data: "{}" }, "k", 1), null, "nothing before the graph");
  const first = loadPass(["graph", kGraph]);
  assert.equal(layoutFor(first, 0)?.hasRoutes, false);
  assert.deepEqual(layoutFor(first, 0)?.box(2), { x: 100, y: 25, w: 40, h: 20 });
  const all = loadPass(["graph", kGraph], ["matches", kFirst], ["layout", kLayout], ["done", {}]);
  assert.equal(all.done, true);
  assert.equal(all.layouts.length, 1, "the layout of an epoch takes the place of its first");
  assert.equal(layoutFor(all, 2)?.hasRoutes, true);
});

test("a rectangle finds its nodes and edges", () => {
  const pass = loadPass(["graph", kGraph], ["matches", kFirst], ["matches", kSecond], ["layout", kLayout]);
  const layout = layoutFor(pass, 0)!;
  const find = (left: number, top: number, right: number, bottom: number) =>
    [...layout.findNodes({ left, top, right, bottom })].sort((a, b) => a - b);
  assert.deepEqual(find(-10, -10, 50, 30), [0]);
  assert.deepEqual(find(90, 0, 250, 60), [2, 3]);
  assert.deepEqual(find(0, 0, 240, 150), [0, 1, 2, 3, 5], "a node without a place is nowhere");
  assert.deepEqual(find(500, 500, 600, 600), []);
  assert.equal(layout.has(4), false);
  assert.equal(layout.edges.isCut(1), true);
  assert.deepEqual(layout.wayOf(0, pass.model), [40, 10, 60, -300, 100, 30]);
  assert.deepEqual(layout.wayOf(2, pass.model), [140, 35, 200, 35], "straight to the middle");
  assert.deepEqual(layout.wayOf(5, pass.model), [140, 35, 0, 140], "a back edge leaves its user");
  assert.equal(layout.endOf(1, pass.model).y, 35);
  const edges = layout.findEdges({ left: 50, top: -310, right: 70, bottom: -290 }, pass.model);
  assert.deepEqual([...edges], [0], "found where its way leads, far from both ends");
});

test("edges of a node are drawn only while it is a box, not while it is an inlined constant", () => {
  const placed: WireLayout = {
    ...kLayout,
    id: [...kLayout.id, 4],
    x: [...kLayout.x, 50],
    y: [...kLayout.y, 90],
    w: [...kLayout.w, 40],
    h: [...kLayout.h, 20],
  };
  const pass = loadPass(["graph", kGraph], ["matches", kFirst], ["matches", kSecond], ["layout", placed]);
  const { model } = pass;
  const drawn = (state: number) => {
    const frame = {
      model,
      layout: layoutFor(pass, state)!,
      state,
      changes: changesAt(model, state),
      camera: { x: 120, y: 60, zoom: 1 },
      width: 1000,
      height: 1000,
      measure: null,
      selection: null,
      absent: null,
      found: new Set<number>(),
      flash: null,
      bodies: kWhole,
      moving: false,
    };
    return buildScene({ ...frame, palette: {} as Palette }, {} as CanvasRenderingContext2D, 12).edges;
  };
  const ofConstant = [0, 1, 2, 3].map(String).filter((edge) => model.edgeSource.at(Number(edge)) === 4);
  assert.equal(ofConstant.length, 1);
  const edge = Number(ofConstant[0]);
  assert.deepEqual(
    [1, 2, 3, 4].map((state) => drawn(state).includes(edge)),
    [false, false, true, true],
  );
});

test("a layout from top to bottom leaves boxes below and enters them above", () => {
  const pass = loadPass(["graph", kGraph], ["matches", kFirst], ["layout", { ...kLayout, down: true }]);
  const layout = layoutFor(pass, 0)!;
  assert.equal(layout.isDown, true);
  assert.deepEqual(layout.wayOf(2, pass.model), [120, 45, 220, 25], "from the lower side to the upper");
  assert.deepEqual(layout.endOf(2, pass.model), { x: 220, y: 25 });
});

test("a point finds the box under it, of this state", () => {
  const pass = loadPass(["graph", kGraph], ["matches", kFirst], ["matches", kSecond], ["layout", kLayout]);
  const layout = layoutFor(pass, 0)!;
  assert.equal(findNodeAt(layout, pass.model, 0, { x: 10, y: 60 }, 0), 1);
  assert.equal(findNodeAt(layout, pass.model, 2, { x: 10, y: 60 }, 0), null, "it is gone there");
  assert.equal(findNodeAt(layout, pass.model, 0, { x: 43, y: 60 }, 2), null);
  assert.equal(findNodeAt(layout, pass.model, 0, { x: 43, y: 60 }, 4), 1, "within the slack");
});

test("epochs have their own layouts", () => {
  const later: WireLayout = { ...kLayout, number: 1, from: 3, to: 4 };
  const pass = loadPass(
    ["graph", kGraph],
    ["matches", kFirst],
    ["matches", kSecond],
    ["layout", { ...kLayout, to: 2 }],
    ["layout", later],
  );
  assert.equal(layoutFor(pass, 2)?.number, 0);
  assert.equal(layoutFor(pass, 3)?.number, 1);
});

test("a reload tells which labels are new", () => {
  const old = loadModel();
  const now = new PassModel({ ...kGraph, labels: ["IN a", "IN z", "MUL", "SINK"] });
  assert.deepEqual([...findNewLabels(old, 0, now, 0)], [1]);
  assert.deepEqual([...findNewLabels(old, 2, loadModel(), 2)], []);
});

test("a reload finds the selected node again", () => {
  const old = loadModel();
  const moved = new PassModel({ ...kGraph, nodes: { ...kGraph.nodes, label: [1, 0, 2, 3] } });
  assert.equal(findSameNode(old, 0, 2, moved, 0), 2, "of the same number where that has the label");
  assert.equal(findSameNode(old, 0, 0, moved, 0), 1, "else by the label");
  assert.equal(findSameNode(old, 1, 2, moved, 0), null, "no node says ADD");
  assert.equal(findSameNode(old, 0, 99, moved, 0), null);
});

test("a biography tells of labels, sources and the end, with what was before", () => {
  const model = loadModel();
  const chapters = tellBiography(model, 2);
  assert.deepEqual(
    chapters.map(({ state, what, before, after }) => [state, what, before, after]),
    [
      [0, "made", null, "MUL"],
      [1, "label", "MUL", "ADD"],
      [2, "sources", "ADD", "ADD"],
      [3, "sources", "ADD", "ADD"],
    ],
  );
  assert.deepEqual(chapters[1]!.rewirings, [{ state: 1, port: 2, from: -1, to: 4 }]);
  assert.deepEqual(chapters[2]!.rewirings, [{ state: 2, port: 1, from: 1, to: 5 }]);
  assert.deepEqual(chapters[3]!.rewirings, [{ state: 3, port: 0, from: 0, to: 5 }]);
  assert.equal(chapters[0]!.rule, undefined);
  assert.equal(chapters[1]!.rule?.[1], 7);
  const merged = tellBiography(model, 0).at(-1)!;
  assert.deepEqual([merged.state, merged.what, merged.before, merged.after], [3, "merged", "IN a", null]);
});

test("any two states are compared, forwards and backwards", () => {
  const model = loadModel();
  const ahead = diffStates(model, 0, 3);
  assert.deepEqual([...ahead.made], [4, 5]);
  assert.deepEqual(ahead.removed, [0, 1]);
  assert.deepEqual([...ahead.rewritten], [2]);
  assert.equal(ahead.before, 0);
  assert.deepEqual(
    ahead.removedEdges.map((edge) => model.edgeSource.at(edge)),
    [0, 1],
  );
  const back = diffStates(model, 3, 0);
  assert.deepEqual(
    [[...back.made], back.removed],
    [
      [0, 1],
      [4, 5],
    ],
  );
  assert.deepEqual([...back.madeEdges], ahead.removedEdges);
  const none = diffStates(model, 3, 3);
  assert.equal(none.made.size + none.rewritten.size + none.removed.length + none.removedEdges.length, 0);
});

test("a mark stands in the URL with the names of its pass", () => {
  const mark = { context: { index: 3, name: "E_4" }, pass: { index: 0, name: "expander" }, state: 12 };
  assert.equal(formatMark(mark), "12|3:E_4|0:expander");
  assert.deepEqual(parseMark("12|3:E_4|0:expander"), mark);
  for (const broken of [undefined, "", "12", "12|3:E_4", "x|3:E_4|0:e", "12|E_4|0:e"]) {
    assert.equal(parseMark(broken), null);
  }
});

test("the largest change is the match that made and removed the most boxes", () => {
  const sizes = { made: [0, 1, 2, 0, 2], removed: [0, 1, 2, 3, 2], knownStates: 5 };
  assert.equal(findLargestChange(sizes as unknown as PassModel), 2, "the first of equals");
  assert.equal(findLargestChange({ ...sizes, knownStates: 1 } as unknown as PassModel), 0);
});

test("a search elsewhere looks into the passes of the same context first, each once", () => {
  const contexts = [2, 3, 1].map((count) => ({ passes: { name: Array.from({ length: count }, (_, i) => i) } }));
  const places = otherPasses(contexts as unknown as Parameters<typeof otherPasses>[0], 1, 1);
  assert.deepEqual(places, [
    [1, 2],
    [1, 0],
    [2, 0],
    [0, 0],
    [0, 1],
  ]);
});
