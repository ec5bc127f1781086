// What is said about nodes, over their boxes: made, rewritten, selected, its sources and users, just reloaded; and the
// ghosts of nodes that this match removed, with the rule that did it, or that are gone since the state compared with.
import { nameOfPath } from "../lib/text";
import { drawLabels, drawNames } from "./graph-boxes";
import type { Scene } from "./graph-scene";

export function drawMarks(scene: Scene): void {
  const { palette, selection, changes, flash, context } = scene;
  drawFound(scene);
  drawGhosts(scene);
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

/** What the search has found is tinted, and no smaller than can be seen from afar. */
function drawFound(scene: Scene): void {
  const { context, layout, palette, camera } = scene;
  const nodes = onScreen(scene, scene.found);
  if (nodes.length === 0) return;
  const least = 4 / camera.zoom;
  context.beginPath();
  for (const node of nodes) {
    const { x, y, w, h } = layout.box(node);
    const [width, height] = [Math.max(w, least), Math.max(h, least)];
    context.rect(x - (width - w) / 2, y - (height - h) / 2, width, height);
  }
  context.fillStyle = palette.marker;
  context.globalAlpha = scene.detail === "text" || scene.detail === "name" ? 0.22 : 0.85;
  context.fill();
  context.globalAlpha = 1;
  outline(scene, nodes, palette.marker, 1);
}

function onScreen(scene: Scene, nodes: ReadonlySet<number>): number[] {
  if (nodes.size > scene.nodes.length) return scene.nodes.filter((node) => nodes.has(node));
  return [...nodes].filter((node) => scene.layout.has(node) && scene.model.isBox(node, scene.state));
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

function drawGhosts(scene: Scene): void {
  const { context, ghosts, palette, camera, model, state, layout } = scene;
  const { before } = scene.changes;
  if (ghosts.length === 0) return;
  context.globalAlpha = 0.4;
  if (scene.detail === "text") drawLabels(scene, ghosts, before);
  else if (scene.detail === "name") drawNames(scene, ghosts, before);
  for (const ghost of ghosts) {
    const { x, y, h } = layout.box(ghost);
    context.fillStyle = palette.tune(model.kindAt(ghost, before)?.colour ?? "");
    context.fillRect(x, y, 4, h);
  }
  context.globalAlpha = 0.8;
  context.setLineDash([4 / camera.zoom, 3 / camera.zoom]);
  outline(scene, ghosts, palette.removed, 1.25);
  context.setLineDash([]);
  context.globalAlpha = 1;

  const rule = model.ruleAt(state);
  const isNear = scene.detail === "text" || scene.detail === "name";
  if (rule === undefined || before !== state - 1 || ghosts.length > kNamedGhosts || !isNear) return;
  const box = layout.box(ghosts[0]!);
  const text = `removed here by ${nameOfPath(rule[0])}:${rule[1]}`;
  // Below its box: to the right of it there may be another.
  drawNote(scene, ghosts.length === 1 ? text : `${ghosts.length} ${text}`, box.x, box.y + box.h + 3 / camera.zoom);
}

/** A line of text of the same size at every zoom, on a ground of its own. */
function drawNote({ context, palette, camera }: Scene, text: string, x: number, y: number): void {
  const px = 1 / camera.zoom;
  context.font = `${11 * px}px ${palette.font}`;
  context.fillStyle = palette.background;
  context.fillRect(x - 2 * px, y, context.measureText(text).width + 4 * px, 15 * px);
  context.fillStyle = palette.removed;
  context.textBaseline = "top";
  context.fillText(text, x, y + 2 * px);
}
