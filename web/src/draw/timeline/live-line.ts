// The line of live bytes over a lane's memory.
import type { LiveStep } from "../../lib/timeline/memory-picture";
import { StepLine } from "../step-line";
import type { TimelineScene } from "./scene";

/** Where a pixel has several values the line goes from the least to the most of them. */
export function drawLiveLine(
  ctx: CanvasRenderingContext2D,
  scene: TimelineScene,
  steps: readonly LiveStep[],
  xAt: (column: number) => number,
  yAt: (bytes: number) => number,
): void {
  ctx.save();
  ctx.fillStyle = scene.palette.marker;
  const line = new StepLine(ctx);
  for (let i = 0; i < steps.length;) {
    const first = steps[i]!;
    const x = xAt(first.column);
    let [low, high, after] = [first.low, first.high, first.after];
    for (i++; i < steps.length && Math.floor(xAt(steps[i]!.column)) === Math.floor(x); i++) {
      low = Math.min(low, steps[i]!.low);
      high = Math.max(high, steps[i]!.high);
      after = steps[i]!.after;
    }
    if (i < steps.length && xAt(steps[i]!.column) < 0) continue; // what is left of the view ends at its last step
    line.to(x, yAt(first.before));
    if (low !== high) {
      line.to(x, yAt(low));
      line.to(x, yAt(high));
    }
    line.to(x, yAt(after));
    if (x > scene.scale.width_px) break;
  }
  ctx.restore();
}
