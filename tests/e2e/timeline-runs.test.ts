// Runs in the timeline, of a capture that python/vizd writes: a ruler under the axis, and keys from one to
// the next.
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { testPage, type Capture } from "./harness";

const kPython = join(process.env.VIZD_TOP ?? process.cwd(), "python");

/** Ten steps of 1 µs. */
const kProgram = `
import sys
sys.path.insert(0, sys.argv[1])
from vizd import Capture
with Capture(sys.argv[2]) as writer:
    lane = writer.lane("GPU 0")
    for i in range(10):
        writer.event(lane, "gemm", 1000 * i, 900)
        writer.run("step", "warm-up" if i == 0 else "", i, 1000 * i, 1000 * i + 1000)
`;

function writeRuns({ folder }: Capture): string[] {
  const path = join(folder, "runs.bin");
  execFileSync("python3", ["-B", "-c", kProgram, kPython, path]);
  return [path];
}

testPage(
  "runs are told under the axis, a click zooms to exactly one, and keys lead to the next",
  { args: writeRuns, fragment: "&view=timeline" },
  async ({ page }) => {
    await page.locator(".lane-head").waitFor();
    const plot = (await page.locator(".timeline-plot").boundingBox())!;
    const ruler = plot.y + 37; // the axis is 30 px
    const tooltip = page.locator(".timeline-tooltip");
    await page.mouse.move(plot.x + plot.width * 0.35, ruler);
    await tooltip.filter({ hasText: /step 3\s*step 3 · 1.00 µs/ }).waitFor();
    await page.mouse.move(plot.x + plot.width * 0.05, ruler);
    await tooltip.filter({ hasText: /warm-up\s*step 0/ }).waitFor();
    await page.mouse.down();
    await page.mouse.up();
    const shows = (from: number, to: number) =>
      page.waitForFunction((time) => location.hash.includes(time), `time=${from}..${to}`);
    await shows(0, 1000);
    await page.keyboard.press("r");
    await shows(1000, 2000);
    await page.keyboard.press("r");
    await shows(2000, 3000);
    await page.keyboard.press("Shift+R");
    await shows(1000, 2000);
  },
);
