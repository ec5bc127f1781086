// The line of live bytes over a lane's memory, whether its steps were taken here or came from the server.
import type { LiveStep } from "../../lib/timeline/memory-steps";
import type { TimelineScene } from "./scene";

/** Where a column has several values the line goes from the least to the most of them. */
export function strokeLive(
  ctx: CanvasRenderingContext2D,
  scene: TimelineScene,
  steps: readonly LiveStep[],
  xAt: (column: number) => number,
  yAt: (bytes: number) => number,
): void {
  ctx.save();
  ctx.strokeStyle = scene.palette.marker;
  ctx.lineWidth = 1.25;
  ctx.beginPath();
  for (const step of steps) {
    const x = xAt(step.column);
    ctx.lineTo(x, yAt(step.before));
    if (step.low !== step.high) {
      ctx.lineTo(x, yAt(step.low));
      ctx.lineTo(x, yAt(step.high));
    }
    ctx.lineTo(x, yAt(step.after));
  }
  ctx.stroke();
  ctx.restore();
}
