// Nodes: a quiet box with a 4-px edge in the op's colour, its name in that colour, and the other lines of its label.
// Below a size at which text can be read, the name alone; below that, a block of colour.
import { kColumn_px, kLine_px, kPadX_px, kPadY_px } from "../../lib/graph/label";
import { colourOfNode, kLeastText_px, laidLabel, type Scene } from "./scene";

const kBar_px = 4;
const kRadius_px = 3;
/** Boxes that the selection does not light up step back a little, and stay legible. */
const kQuiet = 0.7;
/** Blocks of colour are many and large: they must not shout. */
export const kBlockOpacity = 0.62;
const kTint = 0.2;

export function drawBoxes(scene: Scene): void {
  const { context, selection } = scene;
  if (selection === null) return drawGroup(scene, scene.nodes);
  const isLit = (node: number) => node === selection.node || selection.sources.has(node) || selection.users.has(node);
  context.globalAlpha = kQuiet;
  drawGroup(
    scene,
    scene.nodes.filter((node) => !isLit(node)),
  );
  context.globalAlpha = 1;
  drawGroup(scene, scene.nodes.filter(isLit));
}

function drawGroup(scene: Scene, nodes: readonly number[]): void {
  if (scene.detail === "block") return drawBlocks(scene, nodes);
  drawFrames(scene, nodes);
  if (scene.detail === "text") drawLabels(scene, nodes, scene.state);
  else drawNames(scene, nodes, scene.state);
}

function drawBlocks(scene: Scene, nodes: readonly number[]): void {
  const { context, layout, state, camera } = scene;
  const least = 1.5 / camera.zoom;
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * kBlockOpacity;
  for (const node of nodes) {
    const { x, y, w, h } = layout.box(node);
    context.fillStyle = colourOfNode(scene, node, state);
    context.fillRect(x, y, Math.max(w, least), Math.max(h, least));
  }
  context.globalAlpha = alpha;
}

function drawFrames(scene: Scene, nodes: readonly number[]): void {
  const { context, layout, palette, state, camera, measure } = scene;
  context.beginPath();
  for (const node of nodes) {
    const { x, y, w, h } = layout.box(node);
    if (scene.detail === "text") context.roundRect(x, y, w, h, kRadius_px);
    else context.rect(x, y, w, h);
  }
  context.fillStyle = palette.panel;
  context.fill();
  context.strokeStyle = palette.line;
  context.lineWidth = 1 / camera.zoom;
  context.stroke();
  for (const node of nodes) {
    const { x, y, h } = layout.box(node);
    context.fillStyle = colourOfNode(scene, node, state);
    if (measure !== null) tintBox(scene, node);
    context.fillRect(x, y, kBar_px, h);
  }
}

/** A number is seen at a glance over all of the box, in the colour that is set. */
function tintBox({ context, layout, measure }: Scene, node: number): void {
  if (!measure!.values.has(node)) return;
  const { x, y, w, h } = layout.box(node);
  const alpha = context.globalAlpha;
  context.globalAlpha = alpha * kTint;
  context.fillRect(x, y, w, h);
  context.globalAlpha = alpha;
}

/** Whole labels: first every op's name, in bold, then the rest, so that the font changes twice and not twice a box. */
export function drawLabels(scene: Scene, nodes: readonly number[], state: number): void {
  const { context, layout, model, palette } = scene;
  context.textBaseline = "middle";
  context.textAlign = "left";
  context.font = `bold ${scene.font_px}px ${palette.mono}`;
  for (const node of nodes) {
    const { x, y } = layout.box(node);
    const kind = model.kindAt(node, state);
    context.fillStyle = palette.tune(kind?.colour ?? "");
    for (const run of laidLabel(model, node, state)[0] ?? []) {
      context.fillText(run.text, x + kPadX_px + run.column * kColumn_px, y + kPadY_px + kLine_px / 2);
    }
  }
  context.font = `${scene.font_px}px ${palette.mono}`;
  for (const node of nodes) {
    const { x, y } = layout.box(node);
    const lines = laidLabel(model, node, state);
    for (let line = 1; line < lines.length; line++) {
      for (const run of lines[line]!) {
        context.fillStyle = run.colour < 0 ? palette.dim : (palette.ansi[run.colour] ?? palette.dim);
        const lineY = y + kPadY_px + (line + 0.5) * kLine_px;
        context.fillText(run.text, x + kPadX_px + run.column * kColumn_px, lineY);
      }
    }
  }
}

/** The width of a letter, as a part of the font's size. */
const kAdvance = 0.61;
const kMostName_px = 14;

/**
 * The op's name alone, as large as its box allows, and never smaller than can be read: what does not fit then is cut,
 * and a box that holds not even a few letters stays a box of colour.
 */
export function drawNames(scene: Scene, nodes: readonly number[], state: number): void {
  const { context, layout, model, palette, camera } = scene;
  context.textBaseline = "middle";
  context.textAlign = "left";
  let size = 0;
  for (const node of nodes) {
    const { x, y, w, h } = layout.box(node);
    const kind = model.kindAt(node, state);
    if (kind === undefined) continue;
    const room_px = (w - kBar_px) * camera.zoom - 4;
    const largest_px = Math.min(room_px / (kind.name.length * kAdvance), h * camera.zoom - 4, kMostName_px);
    const wanted_px = Math.max(Math.floor(largest_px), kLeastText_px);
    const name = cutName(kind.name, Math.floor(room_px / (wanted_px * kAdvance)));
    if (name === "" || h * camera.zoom < kLeastText_px) continue;
    if (wanted_px !== size) context.font = `bold ${(size = wanted_px) / camera.zoom}px ${palette.mono}`;
    context.fillStyle = palette.tune(kind.colour);
    context.fillText(name, x + kBar_px + 3 / camera.zoom, y + h / 2);
  }
}

const kFewLetters = 3;

function cutName(name: string, letters: number): string {
  if (name.length <= letters) return name;
  return letters > kFewLetters ? `${name.slice(0, letters - 1)}…` : "";
}
