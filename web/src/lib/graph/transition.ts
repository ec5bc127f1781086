// The moment in which one layout gives way to another: boxes that both have move from the one place to the other, and
// the camera moves along, so that what both cameras hold in one place stays there.
import type { Camera } from "../camera";
import { PassLayout } from "./pass-layout";
import type { PassModel } from "./pass-model";

const kMove_ms = 260;
/** More boxes than this cannot be followed by eye, nor drawn often enough. */
const kMostBoxes = 4000;

export interface Transition {
  from: PassLayout;
  camera: Camera;
  since_ms: number;
}

/** Null where there is nothing to see on the way. */
export function startTransition(from: PassLayout, to: PassLayout, camera: Camera, now_ms: number): Transition | null {
  const isSame = from.isOfSame(to) && from.nodes.length === to.nodes.length;
  if (isSame || !from.hasRoutes || to.nodes.length > kMostBoxes) return null;
  return { from, camera, since_ms: now_ms };
}

/** The picture to draw now; null once the transition is over. */
export function followTransition(
  { from, camera, since_ms }: Transition,
  to: PassLayout,
  toCamera: Camera,
  model: PassModel,
  now_ms: number,
): { layout: PassLayout; camera: Camera } | null {
  const share = (now_ms - since_ms) / kMove_ms;
  if (share >= 1) return null;
  const t = easeInOut(Math.max(share, 0));
  return { layout: PassLayout.between(from, to, t, model), camera: mixCameras(camera, toCamera, t) };
}

function easeInOut(t: number): number {
  return t < 0.5 ? 2 * t * t : 1 - 2 * (1 - t) ** 2;
}

function mixCameras(a: Camera, b: Camera, t: number): Camera {
  return {
    x: a.x + (b.x - a.x) * t,
    y: a.y + (b.y - a.y) * t,
    zoom: a.zoom * (b.zoom / a.zoom) ** t,
  };
}
