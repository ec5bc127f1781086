// The page's half of graph_bench.mjs: draws a made-up graph with the page's own renderer, and times whole frames.
import { readPalette } from "../../web/src/draw/palette";
import { CanvasGraphRenderer } from "../../web/src/draw/graph/canvas";
import { fitRect } from "../../web/src/lib/camera";
import { kWhole } from "../../web/src/lib/graph/arrangement";
import { changesAt } from "../../web/src/lib/graph/pass-changes";
import { PassLayout } from "../../web/src/lib/graph/pass-layout";
import { PassModel } from "../../web/src/lib/graph/pass-model";
import type { WireGraph, WireLayout } from "../../web/src/lib/graph/wire";

interface FrameTimes {
  zoom: string;
  median_ms: number;
  worst_ms: number;
}

const kSize = { width: 1600, height: 900 };
const kFrames = 15;
const kRow_px = 74;
const kColumn_px = 190;
const kCutShare = 0.03;

/** Columns of boxes; every node has a source or two nearby in the column before, a few far away, cut to stubs. */
function makeGraph(count: number): { graph: WireGraph; layout: WireLayout } {
  let seed = 1;
  const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
  const rows = Math.max(Math.round(Math.sqrt(count * 2)), 1);
  const kinds = ["LOAD", "MUL", "ADD", "INDEX", "RANGE", "STORE"].map((name, i) => ({
    name,
    colour: ["#ffa0a0", "#f0c878", "#f0e070", "#cef263", "#c8a0e0", "#87cefa"][i]!,
    body: 0,
  }));
  const ids = Array.from({ length: count }, (_, i) => i);
  const edges = { source: [] as number[], user: [] as number[], port: [] as number[] };
  const routes = { edge: [] as number[], cut: [] as number[], back: [] as number[], points: [] as number[][] };
  const x = ids.map((i) => Math.floor(i / rows) * kColumn_px);
  const y = ids.map((i) => (i % rows) * kRow_px);
  for (const user of ids.slice(rows)) {
    for (let port = 0; port < (random() < 0.6 ? 2 : 1); port++) {
      const isCut = random() < kCutShare;
      const near = user - rows + Math.round((random() - 0.5) * 6);
      const source = isCut ? Math.floor(random() * user) : Math.min(Math.max(near, 0), user - 1);
      routes.edge.push(edges.source.length);
      routes.cut.push(isCut ? 1 : 0);
      routes.back.push(0);
      routes.points.push(isCut ? [] : [x[user]! - 30, y[user]! + 26, x[user]!, y[user]! + 20 + port * 12]);
      edges.source.push(source);
      edges.user.push(user);
      edges.port.push(port);
    }
  }
  const labels = ids.slice(0, 997).map((i) => `${kinds[i % 6]!.name}\ndtypes.float.vec(4) ${i}\n(${i * 7}, 16)`);
  const places = { x, y, w: ids.map(() => 140), h: ids.map(() => 54) };
  const size = { width: Math.ceil(count / rows) * kColumn_px, height: rows * kRow_px };
  const graph: WireGraph = {
    states: 1,
    locations: [],
    kinds,
    labels,
    nodes: {
      id: ids,
      kind: ids.map((i) => (i % 997) % 6),
      label: ids.map((i) => i % 997),
      inlined: ids.map(() => 0),
      ref: ids.map(() => -1),
      tag: ids.map(() => null),
    },
    edges,
    root: count - 1,
    epoch: 0,
    ...places,
    ...size,
  };
  const layout: WireLayout = {
    kind: "epoch",
    number: 0,
    from: 0,
    to: 0,
    id: ids,
    edges: routes,
    cut_share: kCutShare,
    optimal: false,
    coarse: false,
    ...places,
    ...size,
  };
  return { graph, layout };
}

/** Draws the graph at several zooms, panning a little from frame to frame, and waits for the pixels each time. */
function measureFrames(count: number): FrameTimes[] {
  const { graph, layout: wire } = makeGraph(count);
  const model = new PassModel(graph);
  const layout = PassLayout.read(wire, model);
  const canvas = document.createElement("canvas");
  document.body.replaceChildren(canvas);
  const context = canvas.getContext("2d", { alpha: false })!;
  const renderer = new CanvasGraphRenderer(canvas);
  const palette = readPalette(document.documentElement);
  const whole = fitRect({ left: 0, top: 0, right: layout.width, bottom: layout.height }, kSize);
  const changes = changesAt(model, 0);
  const [selection, found] = [null, new Set<number>()];

  const measure = (zoom: number, name: string, moving = false): FrameTimes => {
    const times: number[] = [];
    for (let i = 0; i <= kFrames; i++) {
      const camera = { x: layout.width / 2 + i * (5 / zoom), y: layout.height / 2, zoom };
      const before = performance.now();
      renderer.draw({
        model,
        layout,
        state: 0,
        changes,
        camera,
        ...kSize,
        palette,
        measure: null,
        selection,
        absent: null,
        found,
        flash: null,
        bodies: kWhole,
        moving,
      });
      context.getImageData(0, 0, 1, 1);
      times.push(performance.now() - before);
    }
    times.shift(); // builds indexes and lays out labels
    times.sort((a, b) => a - b);
    return { zoom: name, median_ms: times[times.length >> 1]!, worst_ms: times[times.length - 1]! };
  };
  const still = [1, 0.5, 0.25, 0.1, 0.03]
    .filter((zoom) => zoom > whole.zoom)
    .map((zoom) => measure(zoom, String(zoom)));
  const wholes = measure(whole.zoom, `whole (${whole.zoom.toPrecision(2)})`);
  return [...still, wholes, measure(whole.zoom, "whole, moving", true)];
}

Object.assign(window, { measureFrames });
