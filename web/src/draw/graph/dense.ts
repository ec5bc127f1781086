// The graph from far away: thousands of boxes of a few pixels each, over the density of their edges.
import { mixColours, parseColour, type Rgb } from "../../lib/colour";
import { kBlockOpacity } from "./boxes";
import type { Scene } from "./scene";
import { packPixel, type PixelLayer } from "../pixel-layer";

const kBlack: Rgb = { r: 0, g: 0, b: 0 };

export function drawDense(scene: Scene, layer: PixelLayer, ratio: number): void {
  const { layout, model, camera, palette, state } = scene;
  const scale = camera.zoom * ratio;
  const offsetX = layer.width / 2 - camera.x * scale;
  const offsetY = layer.height / 2 - camera.y * scale;

  const background = parseColour(palette.background) ?? kBlack;
  layer.clear();
  for (const edge of scene.edges) {
    if (layout.edges.isCut(edge)) continue;
    const [source, user] = [layout.edges.sourceOf(edge, model), layout.edges.userOf(edge, model)];
    layer.addLine(
      (layout.x[source]! + layout.w[source]!) * scale + offsetX,
      (layout.y[source]! + layout.h[source]! / 2) * scale + offsetY,
      layout.x[user]! * scale + offsetX,
      (layout.y[user]! + layout.h[user]! / 2) * scale + offsetY,
    );
  }
  const lineOpacity = scene.selection === null ? 0.35 : 0.15;
  layer.mixLines(background, parseColour(palette.faint) ?? kBlack, lineOpacity);

  const pixels = new Map<number, number>();
  for (const node of scene.nodes) {
    const kind = model.versionKind.at(model.versionAt(node, state));
    let pixel = pixels.get(kind);
    if (pixel === undefined) {
      const colour = parseColour(palette.tune(model.kinds[kind]?.colour ?? "")) ?? kBlack;
      pixel = packPixel(mixColours(background, colour, kBlockOpacity));
      pixels.set(kind, pixel);
    }
    layer.fillRect(
      layout.x[node]! * scale + offsetX,
      layout.y[node]! * scale + offsetY,
      layout.w[node]! * scale,
      layout.h[node]! * scale,
      pixel,
    );
  }
  layer.putOn(scene.context);
}
