// Times that are marked through a picture of memory, each by a line and what it is.
import { xOf, type TimelineScene } from "./scene";

export interface DrawnMoment {
  at_ns: number;
  text: string;
  look: "faint" | "dim" | "chosen";
}

export function drawMoments(
  ctx: CanvasRenderingContext2D,
  scene: TimelineScene,
  moments: readonly DrawnMoment[],
): void {
  const { palette, scale, top_px, height_px } = scene;
  ctx.save();
  ctx.font = `11px ${palette.font}`;
  ctx.textBaseline = "top";
  for (const { at_ns, text, look } of moments) {
    const x = Math.round(xOf(scale, at_ns)) + 0.5;
    if (x < -1 || x > scale.width_px + 1) continue;
    ctx.strokeStyle = look === "chosen" ? palette.accent : palette.dim;
    ctx.lineWidth = look === "chosen" ? 2 : 1;
    ctx.setLineDash(look === "chosen" ? [] : [3, 3]);
    ctx.beginPath();
    ctx.moveTo(x, top_px);
    ctx.lineTo(x, height_px);
    ctx.stroke();
    if (text === "") continue;
    const width_px = ctx.measureText(text).width;
    const left = x + 6 + width_px > scale.width_px ? x - 6 - width_px : x + 6;
    ctx.fillStyle = palette.background;
    ctx.globalAlpha = 0.8;
    ctx.fillRect(left - 2, top_px + 2, width_px + 4, 15);
    ctx.globalAlpha = 1;
    ctx.fillStyle = palette.text;
    ctx.fillText(text, left, top_px + 4);
  }
  ctx.restore();
}
