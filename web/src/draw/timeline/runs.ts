// Draws the capture's runs (iterations, steps) as a ruler under the axis, a thin row for each kind.
import { rowsOfRuns, titleOfRun, type Run } from "../../lib/timeline/runs";
import { kAxis_px, kLabelFont_px, kRunRow_px, timeOf, xOf, type TimelineScene } from "./scene";

/** Beside a name. */
const kRoom_px = 8;

export function drawRuns(ctx: CanvasRenderingContext2D, scene: TimelineScene): void {
  const { palette, scale } = scene;
  ctx.font = `${kLabelFont_px}px ${palette.mono}`;
  ctx.textBaseline = "middle";
  ctx.textAlign = "left";
  rowsOfRuns(scene.timeline.runs).forEach((runs, row) => {
    const y = kAxis_px + row * kRunRow_px;
    let drawn = -1; // runs narrower than a pixel: one a pixel
    runs.forEach((run, i) => {
      const x0 = Math.max(Math.round(xOf(scale, run.from)), 0);
      const x1 = Math.min(Math.max(Math.round(xOf(scale, run.to)), x0 + 1), scale.width_px);
      if (run.to <= scale.range.from || x0 >= x1 || x1 <= drawn) return;
      drawn = x1;
      ctx.fillStyle = i % 2 === 0 ? palette.raised : palette.line;
      ctx.fillRect(x0, y + 1, x1 - x0, kRunRow_px - 3);
      const title = titleOfRun(run);
      if (title.length * scene.letter_px + kRoom_px > x1 - x0) return;
      ctx.fillStyle = palette.dim;
      ctx.fillText(title, x0 + kRoom_px / 2, y + kRunRow_px / 2);
    });
  });
}

/** The run at a place on the canvas. */
export function runAt(scene: TimelineScene, x: number, y: number): Run | null {
  const row = rowsOfRuns(scene.timeline.runs)[Math.floor((y - kAxis_px) / kRunRow_px)];
  const at = timeOf(scene.scale, x);
  return row?.find((run) => run.from <= at && at < run.to) ?? null;
}
