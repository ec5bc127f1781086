// A place of the picture that a click means something at, from layout pixels to those of the view.
import type { Box } from "../../lib/graph/pass-layout";
import type { Hotspot } from "./renderer";
import type { Scene } from "./scene";

export function toHotspot(
  { camera, width, height }: Scene,
  { x, y, w, h }: Box,
  target: Hotspot["target"],
  title: string,
): Hotspot {
  return {
    x: (x - camera.x) * camera.zoom + width / 2,
    y: (y - camera.y) * camera.zoom + height / 2,
    w: w * camera.zoom,
    h: h * camera.zoom,
    target,
    title,
  };
}
