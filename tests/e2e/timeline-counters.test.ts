// Counters and clocks in the timeline, of a capture that python/vizd writes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { testPage, type Capture, eventually } from "./harness";

const kPython = join(process.env.VIZD_TOP ?? process.cwd(), "python");

/** Ten events of 900 ns, one each 1000 ns, timed at 1.6 GHz, and a clock that is 10 MHz higher in each. */
const kProgram = `
import sys
sys.path.insert(0, sys.argv[1])
from vizd import Capture
with Capture(sys.argv[2]) as writer:
    lane = writer.lane("GPU 0", hertz=1.6e9)
    clock = writer.counter(lane, "SM clock", "MHz")
    for i in range(10):
        writer.event(lane, "gemm", 1000 * i, 900)
        writer.sample(clock, 1000 * i, 1900 + 10 * i)
`;

function writeCapture({ folder }: Capture): string[] {
  const path = join(folder, "counters.bin");
  execFileSync("python3", ["-B", "-c", kProgram, kPython, path]);
  return [path];
}

testPage(
  "a counter is drawn under its lane, comes with its rows, and tells its value under the pointer",
  { args: writeCapture, fragment: "&view=timeline" },
  async ({ page, requests }) => {
    const heads = page.locator(".lane-head");
    await heads.nth(1).waitFor();
    await eventually(async () => assert.equal(await heads.nth(1).locator(".lane-name").innerText(), "SM clock GPU 0"));
    await eventually(async () =>
      assert.equal(await heads.nth(1).locator(".lane-note").innerText(), "1,900 to 1,990 MHz"),
    );
    const [head, plot] = [await heads.nth(1).boundingBox(), await page.locator(".timeline-plot").boundingBox()];
    const tooltip = page.locator(".timeline-tooltip");
    const values: string[] = [];
    for (const part of [0.25, 0.5, 0.75]) {
      await page.mouse.move(plot!.x + plot!.width * part, head!.y + head!.height / 2);
      const next = tooltip.filter({ hasNotText: values.at(-1) ?? "none" }).locator("b");
      values.push(await next.innerText());
    }
    await eventually(async () => assert.match(await tooltip.innerText(), /SM clock\s+low 1,900 MHz · high 1,990 MHz/));
    for (const value of values) assert.match(value, /^1,9\d0 MHz$/);
    assert.deepEqual([...values].sort(), values, "the clock rises");
    const tiles = requests.filter((path) => path.startsWith("/api/v1/tiles/"));
    assert.equal(tiles.length, 1, "events and counters come together");
  },
);

testPage(
  "the axis counts cycles of the capture's clock, and does so again after a reload",
  { args: writeCapture, fragment: "&view=timeline" },
  async ({ page }) => {
    const clock = page.locator(".axis-clock");
    await clock.filter({ hasText: "time" }).waitFor();
    await page.keyboard.press("c");
    await clock.filter({ hasText: "1.6 GHz" }).waitFor();
    await page.waitForFunction(() => location.hash.includes("clock=1600000000"));
    await page.reload();
    await clock.filter({ hasText: "1.6 GHz" }).waitFor();
    await page.keyboard.press(".");
    await page
      .locator(".facts")
      .filter({ hasText: /Cycles\s*1,440 at 1600 MHz/ })
      .waitFor();
    await clock.click();
    await clock.filter({ hasText: "time" }).waitFor();
  },
);
