// The whole graph in a corner: a speck a box, over them what the match changed, large enough to be seen.
import type { Size } from "../../lib/camera";
import type { PassChanges } from "../../lib/graph/pass-changes";
import type { PassLayout } from "../../lib/graph/pass-layout";
import type { PassModel } from "../../lib/graph/pass-model";
import type { Palette } from "../palette";

export interface Minimap {
  model: PassModel;
  layout: PassLayout;
  state: number;
  changes: PassChanges;
  palette: Palette;
  /** The map's size, in CSS pixels. */
  width: number;
  height: number;
}

const kLeast_px = 1;
const kLeastChange_px = 4;

/** Pixels of the map a layout pixel, and where the layout's corner lies: all of it fits, in the middle. */
export function placeOnMap({ width, height }: PassLayout, map: Size): { scale: number; left: number; top: number } {
  const scale = Math.min(map.width / Math.max(width, 1), map.height / Math.max(height, 1));
  return { scale, left: (map.width - width * scale) / 2, top: (map.height - height * scale) / 2 };
}

export function drawMinimap(context: CanvasRenderingContext2D, map: Minimap): void {
  const { model, layout, state, changes, palette } = map;
  context.clearRect(0, 0, map.width, map.height);
  const { scale, left, top } = placeOnMap(layout, map);
  const fill = (node: number, least: number) => {
    const { x, y, w, h } = layout.box(node);
    const [width, height] = [Math.max(w * scale, least), Math.max(h * scale, least)];
    const [middleX, middleY] = [left + (x + w / 2) * scale, top + (y + h / 2) * scale];
    context.fillRect(middleX - width / 2, middleY - height / 2, width, height);
  };
  context.fillStyle = palette.faint;
  for (const node of layout.nodes) if (layout.draws(node, model, state)) fill(node, kLeast_px);
  const mark = (nodes: Iterable<number>, colour: string) => {
    context.fillStyle = colour;
    for (const node of nodes) if (layout.has(node)) fill(node, kLeastChange_px);
  };
  mark(changes.removed, palette.removed);
  mark(changes.rewritten, palette.accent);
  mark(changes.made, palette.made);
}
