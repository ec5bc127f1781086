// From left to right or from top to bottom: which of two drawings of a graph is the larger one on screen.
import type { Size } from "../camera";

/** Large enough to be read: nobody gains by another one. */
const kLegible = 0.9;
/** From left to right is what people expect: the other has to be worth it. */
const kWorth = 1.25;

export function chooseDirection(right: Size, down: Size | null, view: Size): "right" | "down" {
  const zoomOf = ({ width, height }: Size) =>
    Math.min(view.width / Math.max(width, 1), view.height / Math.max(height, 1));
  if (down === null || zoomOf(right) >= kLegible) return "right";
  return zoomOf(down) > kWorth * zoomOf(right) ? "down" : "right";
}
