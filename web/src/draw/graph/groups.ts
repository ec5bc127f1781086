// Labels of groups, over a graph that is seen from too far away for the names of its boxes; a click on one leads near.
import { groupNodes, sayGroup } from "../../lib/graph/groups";
import type { Hotspot } from "./renderer";
import { toHotspot } from "./hotspot";
import { kLeastText_px, type Scene } from "./scene";

const kLine_px = kLeastText_px + 3;
const kPad_px = 4;

/** Where they cover what they name, that shows through. */
const kGround = 0.86;

export function drawGroups(scene: Scene): Hotspot[] {
  const { context, layout, model, state, camera, palette } = scene;
  const px = 1 / camera.zoom;
  context.font = `${kLeastText_px * px}px ${palette.mono}`;
  context.textBaseline = "middle";
  context.textAlign = "left";
  return groupNodes(scene.nodes, layout, model, state, camera.zoom).map((group) => {
    const lines = sayGroup(group);
    const { left, top, right, bottom } = group.bounds;
    const width = Math.max(...lines.map(({ text }) => context.measureText(text).width)) + 2 * kPad_px * px;
    const height = (lines.length * kLine_px + kPad_px) * px;
    const [x, y] = [(left + right - width) / 2, (top + bottom - height) / 2];
    context.globalAlpha = kGround;
    context.beginPath();
    context.roundRect(x, y, width, height, 3 * px);
    context.fillStyle = palette.background;
    context.fill();
    context.globalAlpha = 1;
    context.strokeStyle = palette.line;
    context.lineWidth = px;
    context.stroke();
    lines.forEach(({ text, kind }, i) => {
      context.fillStyle = kind === null ? palette.dim : palette.tune(kind.colour);
      context.fillText(text, x + kPad_px * px, y + (kPad_px / 2 + (i + 0.5) * kLine_px) * px);
    });
    return toHotspot(scene, { x, y, w: width, h: height }, { kind: "group", bounds: group.bounds }, "Look at these");
  });
}
