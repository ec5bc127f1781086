// Arrangements of a graph, in the URL and in requests; layouts of views with edges of their own; transitions.
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  formatArrangement,
  isView,
  kWhole,
  parseArrangement,
  queryOfView,
  type Arrangement,
} from "../../web/src/lib/graph/arrangement";
import { kOwnEdges } from "../../web/src/lib/graph/layout-edges";
import { changeKeys } from "../../web/src/lib/place";
import { PassLayout } from "../../web/src/lib/graph/pass-layout";
import { PassModel } from "../../web/src/lib/graph/pass-model";
import { followTransition, startTransition } from "../../web/src/lib/graph/transition";
import type { WireGraph, WireLayout } from "../../web/src/lib/graph/wire";
import type { WireView } from "../../web/src/lib/graph/wire-history";

const kAll: Arrangement = {
  focus: { kind: "near", node: 7, radius: 3 },
  hiddenOps: ["GEP", "CAST"],
  hidesConstants: true,
  hidesIndexing: true,
  hidesBodies: true,
  turnedCalls: [5, 6],
  withExcluded: [2],
  fold: 4,
  unfolded: [3, 9],
  cutLayers: 8,
  compact: 12,
  better: true,
};

test("an arrangement stands in the URL and comes back from it", () => {
  const fields = changeKeys({ tab: "node" }, formatArrangement(kAll));
  assert.equal(fields.tab, "node");
  assert.equal(fields.hide, "constants,indexing,bodies,GEP,CAST");
  assert.deepEqual(parseArrangement(fields), kAll);
  for (const focus of [
    { kind: "up", node: 4 },
    { kind: "down", node: 4 },
    { kind: "between", node: 4, other: 5 },
  ] as const) {
    assert.deepEqual(parseArrangement(changeKeys({}, formatArrangement({ ...kWhole, focus }))).focus, focus);
  }
  assert.deepEqual(changeKeys(fields, formatArrangement(kWhole)), { tab: "node" }, "the whole graph leaves no trace");
});

test("an arrangement that makes no sense is none", () => {
  const broken = {
    focus: "near:x:2",
    hide: ",,",
    fold: "-3",
    cut: "-1",
    unfold: "a,1",
    compact: "1e9",
    layout: "worse",
  };
  assert.deepEqual(parseArrangement(broken), { ...kWhole, unfolded: [1] });
  assert.equal(parseArrangement({ focus: "near:1" }).focus, null);
  assert.equal(parseArrangement({ focus: "round:1:2" }).focus, null);
});

test("a view is asked for as /focus takes it", () => {
  assert.equal(isView(kWhole), false);
  assert.equal(isView({ ...kWhole, compact: 3, better: true }), false, "the server lays those out as a whole");
  assert.equal(isView({ ...kWhole, fold: 4 }), true);
  assert.equal(isView({ ...kWhole, withExcluded: [3] }), true);
  assert.equal(isView({ ...kWhole, cutLayers: 0 }), true, "no edge cut is a layout of its own");
  assert.equal(
    queryOfView(kAll),
    "node=7&radius=3&hide=GEP%2CCAST&hide_constants=1&hide_index=1&hide_bodies=1&turn=5%2C6&excluded_of=2&fold=4&unfold=3%2C9&cut=8",
  );
  assert.equal(queryOfView({ ...kWhole, focus: { kind: "between", node: 1, other: 2 } }), "node=1&between=2");
  assert.equal(queryOfView({ ...kWhole, focus: { kind: "up", node: 1 } }), "node=1&cone=up");
});

// 0 -> 1 -> 2 -> 3, and 0 -> 3 past what a view hides.
const kPlaces = { x: [0, 100, 200, 300], y: [0, 0, 0, 0], w: [50, 50, 50, 50], h: [20, 20, 20, 20] };
const kSize = { width: 350, height: 20, cut_share: 0, optimal: true, coarse: false };
const kGraph: WireGraph = {
  states: 1,
  locations: [],
  kinds: [{ name: "ADD", colour: "#fff", body: 0 }],
  labels: ["ADD"],
  nodes: {
    id: [0, 1, 2, 3],
    kind: [0, 0, 0, 0],
    label: [0, 0, 0, 0],
    inlined: [0, 0, 0, 0],
    ref: [-1, -1, -1, -1],
    tag: [null, null, null, null],
  },
  edges: { source: [0, 1, 2], user: [1, 2, 3], port: [0, 0, 1] },
  root: 3,
  epoch: 0,
  width: 350,
  height: 20,
  ...kPlaces,
};
const kView: WireView = {
  state: 0,
  of: 4,
  left_out: 0,
  hidden: 1,
  folds: [{ id: 0, ids: [0, 1] }],
  excluded: [],
  layout: {
    kind: "view",
    number: 0,
    from: 0,
    to: 0,
    id: [0, 3],
    x: [10, 400],
    y: [40, 40],
    w: [50, 50],
    h: [20, 20],
    edges: { edge: [-1], source: [0], user: [3], port: [1], bridged: [1], cut: [0], back: [0], points: [[400, 45]] },
    ...kSize,
  },
};
const kWhereAll: WireLayout = {
  kind: "epoch",
  number: 0,
  from: 0,
  to: 0,
  id: [0, 1, 2, 3],
  edges: { edge: [0], cut: [1], back: [0], points: [[]] },
  ...kPlaces,
  ...kSize,
};

test("a view draws what it adds as a box, which a whole graph shows in its users' boxes", () => {
  const graph = { ...kGraph, nodes: { ...kGraph.nodes, inlined: [1, 0, 0, 0] } };
  const model = new PassModel(graph);
  assert.equal(PassLayout.readView(kView, model).draws(0, model, 0), false);
  assert.equal(PassLayout.readView({ ...kView, excluded: [0] }, model).draws(0, model, 0), true);
});

test("a view draws its own edges, and an epoch's layout the pass's", () => {
  const model = new PassModel(kGraph);
  const view = PassLayout.readView(kView, model);
  const [edge] = view.findEdges({ left: -1, top: -1, right: 1000, bottom: 1000 }, model);
  assert.equal(edge, kOwnEdges);
  assert.deepEqual(view.edges.into(3, model, 0), [kOwnEdges]);
  assert.deepEqual(view.edges.outOf(0, model, 0), [kOwnEdges]);
  assert.deepEqual(view.edges.outOf(3, model, 0), []);
  const { edges } = view;
  assert.deepEqual(
    [edges.sourceOf(edge, model), edges.userOf(edge, model), edges.portOf(edge, model), edges.modelEdgeOf(edge)],
    [0, 3, 1, -1],
  );
  assert.equal(edges.isBridged(edge), true);
  assert.deepEqual(view.wayOf(edge, model), [60, 50, 400, 45]);
  assert.equal(view.has(1), false);
  assert.deepEqual(view.folds.get(0), [0, 1]);

  const whole = PassLayout.read(kWhereAll, model);
  assert.deepEqual(whole.edges.list(model), [0, 1, 2]);
  assert.equal(whole.edges.isCut(0), true);
  assert.equal(whole.edges.isBridged(0), false);
  assert.deepEqual(whole.edges.into(3, model, 0), [2]);
});

test("boxes that two layouts share move from the one place to the other, and the camera with them", () => {
  const model = new PassModel(kGraph);
  const [whole, view] = [PassLayout.read(kWhereAll, model), PassLayout.readView(kView, model)];
  const [before, after] = [
    { x: 0, y: 0, zoom: 1 },
    { x: 100, y: 40, zoom: 1 },
  ];
  const transition = startTransition(whole, view, before, 1000)!;
  const halfway = followTransition(transition, view, after, model, 1130)!;
  assert.deepEqual(halfway.layout.box(3), { x: 350, y: 20, w: 50, h: 20 });
  assert.equal(halfway.layout.has(1), false, "what the new one leaves out is gone at once");
  assert.deepEqual(halfway.camera, { x: 50, y: 20, zoom: 1 });
  // Node 3 is 300 right of both cameras' middles, and on the way as well.
  assert.equal(halfway.layout.box(3).x - halfway.camera.x, 300);
  assert.equal(followTransition(transition, view, after, model, 5000), null);
  assert.equal(startTransition(whole, whole, before, 0), null, "nothing moves");
});
