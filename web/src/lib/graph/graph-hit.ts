// The node at a point of the layout.
import type { Point } from "../camera";
import type { PassLayout } from "./pass-layout";
import type { PassModel } from "./pass-model";

/** The box at the point or within slack pixels of it; null where there is none. */
export function findNodeAt(
  layout: PassLayout,
  model: PassModel,
  state: number,
  at: Point,
  slack: number,
): number | null {
  const around = { left: at.x - slack, top: at.y - slack, right: at.x + slack, bottom: at.y + slack };
  const isHit = (node: number) => {
    const { x, y, w, h } = layout.box(node);
    return x <= around.right && around.left <= x + w && y <= around.bottom && around.top <= y + h;
  };
  return layout.findNodes(around).find((node) => isHit(node) && layout.draws(node, model, state)) ?? null;
}
