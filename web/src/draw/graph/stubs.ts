// Clickable things besides nodes: the named stubs of edges that are too long to draw, at both their ends, and the
// badges of nodes that lead to another context. Also, on lit edges, ports; on others, how often a source is used.
import type { Point } from "../../lib/camera";
import { isBodyHidden } from "../../lib/graph/arrangement";
import type { Box } from "../../lib/graph/pass-layout";
import { kColumn_px } from "../../lib/graph/label";
import { toHotspot } from "./hotspot";
import type { Hotspot } from "./renderer";
import type { Scene } from "./scene";

const kLead = 14;
const kHeight = 15;
const kMaxNamed = 3;

/** Draws stubs, badges and numbers; returns where a click means something, in pixels of the view. */
export function drawStubs(scene: Scene): Hotspot[] {
  const { model, layout, state } = scene;
  const hotspots: Hotspot[] = [];
  for (const node of scene.nodes) {
    const incoming = layout.edges.into(node, model, state);
    const cutIn = incoming.filter(
      (edge) => layout.edges.isCut(edge) && layout.draws(layout.edges.sourceOf(edge, model), model, state),
    );
    if (cutIn.length > 0) drawSide(scene, node, cutIn, "in", hotspots);
    const cutOut = layout.edges.outOf(node, model, state).filter((edge) => layout.edges.isCut(edge));
    if (cutOut.length > 0) drawSide(scene, node, cutOut, "out", hotspots);
    drawBadges(scene, node, hotspots);
    drawFold(scene, node, hotspots);
    drawBody(scene, node, hotspots);
    drawPorts(scene, incoming);
  }
  return hotspots;
}

/** The stubs on one side of a node: one pill each, or one for all where they are many. */
function drawSide(scene: Scene, node: number, edges: readonly number[], side: "in" | "out", hotspots: Hotspot[]): void {
  const { model, layout, state, context, palette, selection } = scene;
  const box = layout.box(node);
  const others = edges.map((edge) =>
    side === "in" ? layout.edges.sourceOf(edge, model) : layout.edges.userOf(edge, model),
  );
  const distinct = [...new Set(others)];
  const named = distinct.length <= kMaxNamed;
  const pills = named
    ? distinct.map((other) => ({ other, text: `${model.kindAt(other, state)?.name ?? "?"} ⤳` }))
    : [{ other: distinct[0]!, text: `${distinct.length} ${side === "in" ? "sources" : "users"} ⤳` }];
  pills.forEach(({ other, text }, i) => {
    const width = text.length * kColumn_px + 10;
    const { x, y, fromX, fromY, toX } = layout.isDown
      ? placeBeyond(box, side, width, i, pills.length)
      : placeBeside(box, side, width, i, pills.length);
    const isLit = selection !== null && (selection.node === node || selection.node === other);
    const colour = isLit
      ? (selection.node === node) === (side === "in")
        ? palette.marker
        : palette.accent
      : palette.faint;
    context.beginPath();
    context.moveTo(fromX, fromY);
    context.lineTo(toX, y);
    context.roundRect(x, y - kHeight / 2, width, kHeight, kHeight / 2);
    context.fillStyle = palette.raised;
    context.fill();
    context.strokeStyle = colour;
    context.lineWidth = 1 / scene.camera.zoom;
    context.stroke();
    context.font = `${scene.font_px}px ${palette.mono}`;
    context.textBaseline = "middle";
    context.fillStyle = isLit ? colour : palette.accent;
    context.fillText(text, x + 5, y);
    // Many at once: the click selects this node, whose inspector lists them all.
    const target = named ? other : node;
    const title = named ? `Go to ${side === "in" ? "the source" : "the user"}` : "Select the node, to see them listed";
    hotspots.push(
      toHotspot(scene, { x: x, y: y - kHeight / 2, w: width, h: kHeight }, { kind: "node", node: target }, title),
    );
  });
}

/** A pill's left side and middle height; where its line begins, and where it ends at that height. */
interface PillPlace {
  x: number;
  y: number;
  fromX: number;
  fromY: number;
  toX: number;
}

/** At the left or right of a box, one below the other. */
function placeBeside(box: Box, side: "in" | "out", width: number, i: number, count: number): PillPlace {
  const edgeX = side === "in" ? box.x : box.x + box.w;
  const middle = box.y + box.h / 2;
  const y = middle + (i - (count - 1) / 2) * (kHeight + 2);
  const toX = side === "in" ? edgeX - kLead : edgeX + kLead;
  return { x: side === "in" ? toX - width : toX, y, fromX: edgeX, fromY: middle, toX };
}

/** Above or below a box, one beyond the other. */
function placeBeyond(box: Box, side: "in" | "out", width: number, i: number, count: number): PillPlace {
  const middle = box.x + box.w / 2;
  const away = kLead / 2 + kHeight / 2 + (side === "in" ? count - 1 - i : i) * (kHeight + 2);
  const fromY = side === "in" ? box.y : box.y + box.h;
  return { x: middle - width / 2, y: side === "in" ? fromY - away : fromY + away, fromX: middle, fromY, toX: middle };
}

function drawBadges(scene: Scene, node: number, hotspots: Hotspot[]): void {
  const { model, layout, state, context, palette } = scene;
  const version = model.versionAt(node, state);
  const box = layout.box(node);
  const ref = model.versionRef.at(version);
  if (ref >= 0) {
    const [x, y, size] = [box.x + box.w - 17, box.y + 3, 14];
    context.beginPath();
    context.roundRect(x, y, size, size, 3);
    context.fillStyle = palette.raised;
    context.fill();
    context.font = `bold ${scene.font_px}px ${palette.mono}`;
    context.textBaseline = "middle";
    context.fillStyle = palette.accent;
    context.fillText("↗", x + 3.5, y + size / 2);
    hotspots.push(
      toHotspot(scene, { x, y, w: size, h: size }, { kind: "context", context: ref }, "Go to its code generation"),
    );
  }
  const tag = model.versionTag[version] ?? null;
  if (tag !== null) {
    const text = tag.length > 6 ? "" : tag;
    const width = Math.max(text.length * kColumn_px + 6, 11);
    context.beginPath();
    context.roundRect(box.x + box.w - width + 4, box.y - 6, width, 12, 6);
    context.fillStyle = palette.raised;
    context.fill();
    context.strokeStyle = palette.marker;
    context.lineWidth = 1 / scene.camera.zoom;
    context.stroke();
    context.font = `${scene.font_px}px ${palette.mono}`;
    context.textBaseline = "middle";
    context.fillStyle = palette.marker;
    context.fillText(text, box.x + box.w - width + 7, box.y + 0.5);
  }
}

/** For a node that stands for several: the edges of those behind it, and how many they are. */
function drawFold(scene: Scene, node: number, hotspots: Hotspot[]): void {
  const { layout, context, palette, camera } = scene;
  const folded = layout.folds.get(node);
  if (folded === undefined) return;
  const { x, y, w, h } = layout.box(node);
  context.beginPath();
  for (const behind of [3, 6]) {
    context.moveTo(x + behind, y + h + behind);
    context.lineTo(x + w + behind, y + h + behind);
    context.lineTo(x + w + behind, y + behind);
  }
  context.strokeStyle = palette.dim;
  context.lineWidth = 1 / camera.zoom;
  context.stroke();
  const text = `×${folded.length}`;
  const width = text.length * kColumn_px + 10;
  const [left, top] = [x + w - width + 6, y - kHeight / 2 - 2];
  context.beginPath();
  context.roundRect(left, top, width, kHeight, kHeight / 2);
  context.fillStyle = palette.raised;
  context.fill();
  context.strokeStyle = palette.accent;
  context.stroke();
  context.font = `bold ${scene.font_px}px ${palette.mono}`;
  context.textBaseline = "middle";
  context.fillStyle = palette.accent;
  context.fillText(text, left + 5, top + kHeight / 2);
  hotspots.push(
    toHotspot(
      scene,
      { x: left, y: top, w: width, h: kHeight },
      { kind: "fold", node },
      `Unfold these ${folded.length}`,
    ),
  );
}

/** For a node with a body of its own (a call): whether that is shown, to be turned. */
function drawBody(scene: Scene, node: number, hotspots: Hotspot[]): void {
  const { model, layout, state, context, palette, camera } = scene;
  if ((model.kindAt(node, state)?.body ?? 0) === 0) return;
  const isHidden = isBodyHidden(scene.bodies, node);
  const box = layout.box(node);
  const [left, top] = [box.x - kHeight / 2, box.y - kHeight / 2];
  context.beginPath();
  context.roundRect(left, top, kHeight, kHeight, 3);
  context.fillStyle = palette.raised;
  context.fill();
  context.strokeStyle = palette.accent;
  context.lineWidth = 1 / camera.zoom;
  context.stroke();
  const [middle, centre, arm] = [left + kHeight / 2, top + kHeight / 2, kHeight / 4];
  context.beginPath();
  context.moveTo(middle - arm, centre);
  context.lineTo(middle + arm, centre);
  if (isHidden) {
    context.moveTo(middle, centre - arm);
    context.lineTo(middle, centre + arm);
  }
  context.lineWidth = 1.5;
  context.stroke();
  const title = isHidden ? "Show its body" : "Leave its body out";
  hotspots.push(toHotspot(scene, { x: left, y: top, w: kHeight, h: kHeight }, { kind: "body", node }, title));
}

/** Numbers where edges enter: the ports of lit ones; of others, ×n where one source fills several ports. */
function drawPorts(scene: Scene, incoming: readonly number[]): void {
  const { model, layout, selection, palette } = scene;
  const sourceOf = (edge: number) => layout.edges.sourceOf(edge, model);
  const drawn = incoming.filter((edge) => layout.has(sourceOf(edge)));
  const uses = new Map<number, number>();
  for (const edge of drawn) uses.set(sourceOf(edge), (uses.get(sourceOf(edge)) ?? 0) + 1);
  drawn.forEach((edge) => {
    const end = layout.endOf(edge, model);
    const source = sourceOf(edge);
    const port = String(layout.edges.portOf(edge, model));
    if (selection?.sourceEdges.has(edge)) drawNumber(scene, end, port, palette.marker);
    else if (selection?.userEdges.has(edge)) drawNumber(scene, end, port, palette.accent);
    else if (uses.get(source)! > 1 && !layout.edges.isCut(edge)) {
      drawNumber(scene, end, `×${uses.get(source)}`, palette.faint);
      uses.set(source, 0);
    }
  });
}

/** At the end of an edge, before the box that it enters. */
function drawNumber(scene: Scene, end: Point, text: string, colour: string): void {
  const { context, palette } = scene;
  const width = text.length * kColumn_px + 5;
  const [x, y] = scene.layout.isDown ? [end.x + width / 2 + 2, end.y - 8] : [end.x, end.y];
  context.beginPath();
  context.roundRect(x - width - 2, y - 6, width, 12, 6);
  context.fillStyle = palette.background;
  context.fill();
  context.strokeStyle = colour;
  context.lineWidth = 1 / scene.camera.zoom;
  context.stroke();
  context.font = `${scene.font_px}px ${palette.mono}`;
  context.textBaseline = "middle";
  context.fillStyle = palette.text;
  context.fillText(text, x - width + 0.5, y + 0.5);
}
