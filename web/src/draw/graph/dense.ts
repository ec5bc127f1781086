// The graph from far away: thousands of boxes of a few pixels each, over the density of their edges.
import { mixColours, parseColour, type Rgb } from "../../lib/colour";
import { kBlockOpacity } from "./boxes";
import { colourOfNode, type Scene } from "./scene";
import { packPixel, type PixelLayer } from "../pixel-layer";

const kBlack: Rgb = { r: 0, g: 0, b: 0 };

export function drawDense(scene: Scene, layer: PixelLayer, ratio: number, on: CanvasRenderingContext2D): void {
  const { layout, model, camera, palette, state } = scene;
  const scale = camera.zoom * ratio;
  const offsetX = layer.width / 2 - camera.x * scale;
  const offsetY = layer.height / 2 - camera.y * scale;

  const background = parseColour(palette.background) ?? kBlack;
  layer.clear();
  for (const edge of scene.edges) {
    if (layout.edges.isCut(edge)) continue;
    const [source, user] = [layout.edges.sourceOf(edge, model), layout.edges.userOf(edge, model)];
    // Out of the right side, or the lower one, into the left side, or the upper one.
    const [outX, outY] = layout.isDown ? [0.5, 1] : [1, 0.5];
    layer.addLine(
      (layout.x[source]! + layout.w[source]! * outX) * scale + offsetX,
      (layout.y[source]! + layout.h[source]! * outY) * scale + offsetY,
      (layout.x[user]! + layout.w[user]! * (1 - outX)) * scale + offsetX,
      (layout.y[user]! + layout.h[user]! * (1 - outY)) * scale + offsetY,
    );
  }
  const lineOpacity = scene.selection === null ? 0.35 : 0.15;
  layer.mixLines(background, parseColour(palette.faint) ?? kBlack, lineOpacity);

  const pixels = new Map<string, number>();
  for (const node of scene.nodes) {
    const colour = colourOfNode(scene, node, state);
    let pixel = pixels.get(colour);
    if (pixel === undefined) {
      pixel = packPixel(mixColours(background, parseColour(colour) ?? kBlack, kBlockOpacity));
      pixels.set(colour, pixel);
    }
    layer.fillRect(
      layout.x[node]! * scale + offsetX,
      layout.y[node]! * scale + offsetY,
      layout.w[node]! * scale,
      layout.h[node]! * scale,
      pixel,
    );
  }
  layer.putOn(on);
}
