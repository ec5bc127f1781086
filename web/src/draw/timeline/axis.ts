// Draws the time axis, its grid through the lanes, and the capture's markers.
import { makeAxisTicks } from "../../lib/timeline/clock";
import { makeCycleTicks } from "../../lib/timeline/cycle-axis";
import type { TimeTick } from "../../lib/time";
import type { Bars } from "./bar-layer";
import { kAxis_px, kLabelFont_px, kMarkerStrip_px, xOf, type TimelineScene } from "./scene";

function ticksOf({ scale, timeline: { trace }, clock }: TimelineScene): TimeTick[] {
  return trace === undefined
    ? makeAxisTicks(scale.range, scale.width_px, clock)
    : makeCycleTicks(scale.range, scale.width_px, trace);
}

export function addGrid(layer: Bars, scene: TimelineScene): void {
  for (const tick of ticksOf(scene)) {
    layer.add(scene.palette.raised, Math.round(xOf(scene.scale, tick.at)), scene.top_px, 1, scene.height_px);
  }
}

export function drawAxis(ctx: CanvasRenderingContext2D, scene: TimelineScene): void {
  const { palette, scale } = scene;
  ctx.fillStyle = palette.panel;
  ctx.fillRect(0, 0, scale.width_px, scene.top_px);
  ctx.fillStyle = palette.line;
  ctx.fillRect(0, scene.top_px - 1, scale.width_px, 1);
  ctx.font = `11px ${palette.font}`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  for (const tick of ticksOf(scene)) {
    const x = Math.round(xOf(scale, tick.at));
    ctx.fillStyle = palette.line;
    ctx.fillRect(x, kAxis_px - 7, 1, 6);
    if (x + 4 + tick.label.length * scene.letter_px > scene.axisEnd_px) continue; // it would be cut
    ctx.fillStyle = palette.dim;
    ctx.fillText(tick.label, x + 4, kAxis_px / 2);
  }
}

/** Dashed lines through the lanes with their names above; a name that would lie on the last one is left out. */
export function drawMarkers(ctx: CanvasRenderingContext2D, scene: TimelineScene): void {
  ctx.save();
  ctx.font = `${kLabelFont_px}px ${scene.palette.mono}`;
  ctx.textBaseline = "middle";
  ctx.lineWidth = 1;
  let named = -Infinity;
  for (const marker of scene.timeline.markers) {
    const x = Math.round(xOf(scene.scale, marker.at)) + 0.5;
    if (x < -1 || x > scene.scale.width_px) continue;
    const colour = readableColour(ctx, scene, marker.colour);
    ctx.strokeStyle = colour;
    ctx.setLineDash([3, 3]);
    ctx.beginPath();
    ctx.moveTo(x, kAxis_px);
    ctx.lineTo(x, scene.height_px);
    ctx.stroke();
    if (x < named) continue;
    ctx.fillStyle = colour;
    ctx.fillText(marker.name, x + 4, scene.top_px - kMarkerStrip_px / 2 - 1);
    named = x + marker.name.length * scene.letter_px + 10;
  }
  ctx.restore();
}

/** A colour as a capture has it (any that CSS knows), such that it can be read in this theme. */
function readableColour(ctx: CanvasRenderingContext2D, scene: TimelineScene, colour: string): string {
  ctx.fillStyle = scene.palette.marker; // stays where the colour is none
  ctx.fillStyle = colour;
  return scene.palette.tune(String(ctx.fillStyle));
}
