// Marks over the nodes' boxes: made, rewritten, selected, its sources and users, just reloaded; and the
// ghosts of nodes that this match removed, with the rule that did it, or that are gone since the state compared with.
import { nameOfPath } from "../../lib/text";
import { drawLabels, drawNames } from "./boxes";
import type { Scene } from "./scene";

export function drawMarks(scene: Scene): void {
  const { palette, selection, changes, flash, context } = scene;
  drawFound(scene);
  drawGhosts(scene);
  drawAbsent(scene);
  outline(scene, onScreen(scene, changes.rewritten), palette.accent, 2);
  outline(scene, onScreen(scene, changes.made), palette.made, 2);
  if (flash !== null) {
    context.globalAlpha = flash.strength;
    outline(scene, onScreen(scene, flash.nodes), palette.marker, 3);
    context.globalAlpha = 1;
  }
  if (selection !== null) {
    outline(scene, onScreen(scene, selection.sources), palette.marker, 1.5);
    outline(scene, onScreen(scene, selection.users), palette.accent, 1.5);
    outline(scene, onScreen(scene, new Set([selection.node])), palette.text, 2);
  }
}

/** Nodes that the search has found are tinted, and large enough to be seen from afar. */
function drawFound(scene: Scene): void {
  const { context, layout, palette, camera } = scene;
  const nodes = onScreen(scene, scene.found);
  if (nodes.length === 0) return;
  const isNear = scene.detail === "text" || scene.detail === "name";
  const least = 3 / camera.zoom;
  context.beginPath();
  for (const node of nodes) {
    const { x, y, w, h } = layout.box(node);
    const [width, height] = [Math.max(w, least), Math.max(h, least)];
    context.rect(x - (width - w) / 2, y - (height - h) / 2, width, height);
  }
  context.fillStyle = palette.marker;
  context.globalAlpha = isNear ? 0.22 : 0.85;
  context.fill();
  context.globalAlpha = 1;
  if (isNear) outline(scene, nodes, palette.marker, 1);
}

function onScreen(scene: Scene, nodes: ReadonlySet<number>): number[] {
  if (nodes.size > scene.nodes.length) return scene.nodes.filter((node) => nodes.has(node));
  return [...nodes].filter((node) => scene.layout.has(node) && scene.layout.draws(node, scene.model, scene.state));
}

/** Outlines keep their width at every zoom, and a box its least size, so that a change is seen from far away too. */
function outline(scene: Scene, nodes: readonly number[], colour: string, width_px: number): void {
  if (nodes.length === 0) return;
  const { context, layout, camera } = scene;
  const least = 5 / camera.zoom;
  context.beginPath();
  for (const node of nodes) {
    const { x, y, w, h } = layout.box(node);
    const [width, height] = [Math.max(w, least), Math.max(h, least)];
    context.roundRect(x - (width - w) / 2, y - (height - h) / 2, width, height, Math.min(3, 3 / camera.zoom));
  }
  context.strokeStyle = colour;
  context.lineWidth = width_px / camera.zoom;
  context.stroke();
}

const kNamedGhosts = 8;
/** The height of a note. */
const kNote_px = 15;

function drawGhosts(scene: Scene): void {
  const { ghosts, palette, model, state } = scene;
  const { before } = scene.changes;
  if (ghosts.length === 0) return;
  drawPale(scene, ghosts, before, palette.removed);

  const rule = model.ruleAt(state);
  const isNear = scene.detail === "text" || scene.detail === "name";
  if (rule === undefined || before !== state - 1 || ghosts.length > kNamedGhosts || !isNear) return;
  const count = ghosts.length === 1 ? "" : `${ghosts.length} `;
  const text = `${count}removed here by ${nameOfPath(rule[0])}:${rule[1]}`;
  const { x, y } = placeNote(scene, text);
  drawNote(scene, text, palette.removed, x, y);
}

/** Below or above one of the ghosts, where the note lies on no box; below the first where there is no such place. */
function placeNote(scene: Scene, text: string): { x: number; y: number } {
  const { ghosts, layout, camera, nodes } = scene;
  const px = 1 / camera.zoom;
  const places = ghosts.flatMap((ghost) => {
    const { x, y, h } = layout.box(ghost);
    return [
      { x, y: y + h + 3 * px },
      { x, y: y - (kNote_px + 3) * px },
    ];
  });
  const width = measureNote(scene, text) + 4 * px;
  const boxes = [...nodes, ...ghosts].map((node) => layout.box(node));
  const isFree = (at: { x: number; y: number }) =>
    !boxes.some(({ x, y, w, h }) => x < at.x + width && at.x < x + w && y < at.y + kNote_px * px && at.y < y + h);
  return places.find(isFree) ?? places[0]!;
}

/** The selected node where this state has it not: a ghost too, so that it is not lost while scrubbing. */
function drawAbsent(scene: Scene): void {
  const { absent, layout, model, palette, camera, state, ghosts } = scene;
  if (absent === null || !layout.has(absent.node) || ghosts.includes(absent.node)) return;
  drawPale(scene, [absent.node], absent.state, palette.dim);
  if (scene.detail !== "text" && scene.detail !== "name") return;
  const { x, y, h } = layout.box(absent.node);
  const birth = model.born.at(absent.node);
  const text = state < birth ? `made by match ${birth}` : `gone since match ${model.died.at(absent.node)}`;
  drawNote(scene, text, palette.dim, x, y + h + 3 / camera.zoom);
}

/** Boxes as they were at another state, pale and dashed. */
function drawPale(scene: Scene, nodes: readonly number[], state: number, colour: string): void {
  const { context, layout, model, palette, camera } = scene;
  context.globalAlpha = 0.4;
  if (scene.detail === "text") drawLabels(scene, nodes, state);
  else if (scene.detail === "name") drawNames(scene, nodes, state);
  for (const node of nodes) {
    const { x, y, h } = layout.box(node);
    context.fillStyle = palette.tune(model.kindAt(node, state)?.colour ?? "");
    context.fillRect(x, y, 4, h);
  }
  context.globalAlpha = 0.8;
  context.setLineDash([4 / camera.zoom, 3 / camera.zoom]);
  outline(scene, nodes, colour, 1.25);
  context.setLineDash([]);
  context.globalAlpha = 1;
}

/** A line of text of the same size at every zoom, on a ground of its own. */
function drawNote(scene: Scene, text: string, colour: string, x: number, y: number): void {
  const { context, palette, camera } = scene;
  const px = 1 / camera.zoom;
  const width = measureNote(scene, text);
  context.fillStyle = palette.background;
  context.fillRect(x - 2 * px, y, width + 4 * px, kNote_px * px);
  context.fillStyle = colour;
  context.textBaseline = "top";
  context.fillText(text, x, y + 2 * px);
}

/** How wide a note is, in its font, which the context has then. */
function measureNote({ context, palette, camera }: Scene, text: string): number {
  context.font = `${11 / camera.zoom}px ${palette.font}`;
  return context.measureText(text).width;
}
