// Kinds of events in the timeline, of a capture that python/vizd writes: an instant is a mark, an error is
// red.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { testPage, type Capture, eventually } from "./harness";

const kPython = join(process.env.VIZD_TOP ?? process.cwd(), "python");

/** From 0 to 10 µs, a lane each: spans, one of which failed; an instant in the middle; one that has not ended. */
const kProgram = `
import sys
sys.path.insert(0, sys.argv[1])
from vizd import Capture
with Capture(sys.argv[2]) as writer:
    spans, instants, unfinished = (writer.lane(name) for name in ("spans", "instants", "unfinished"))
    writer.event(spans, "gemm", 0, 4000, arguments={"details": '{"tb": [["/src/train.py", 12, "step", "loss.backward()"]]}'})
    writer.event(spans, "broken", 5000, 5000, error=True)
    writer.instant(instants, "signal", 5000, arguments={"bytes": (1 << 20, "B")})
    writer.event(unfinished, "server", 0, 10000, kind="unfinished")
`;

function writeKinds({ folder }: Capture): string[] {
  const path = join(folder, "kinds.bin");
  execFileSync("python3", ["-B", "-c", kProgram, kPython, path]);
  return [path];
}

/** Pixels of a part of a lane's row that are of a colour token, by how near each is to it. */
async function countPixels(page: Page, lane: string, from: number, to: number, token: string): Promise<number> {
  const head = page.locator(".lane-head").filter({ hasText: lane });
  const top_px = await head.evaluate((box) => box.getBoundingClientRect().top);
  return page
    .locator(".timeline-plot canvas")
    .first()
    .evaluate(
      (canvas: HTMLCanvasElement, { top_px, from, to, token }) => {
        const ratio = canvas.width / canvas.clientWidth;
        const box = canvas.getBoundingClientRect();
        const y = Math.round((top_px - box.top + 6) * ratio);
        const x = Math.round(canvas.width * from);
        const width = Math.round(canvas.width * (to - from));
        const probe = document.createElement("i");
        probe.style.color = `var(--${token})`;
        document.body.append(probe);
        const wanted = getComputedStyle(probe).color.match(/\d+/g)!.map(Number);
        probe.remove();
        const { data } = canvas.getContext("2d")!.getImageData(x, y, width, Math.round(16 * ratio));
        let count = 0;
        for (let i = 0; i < data.length; i += 4) {
          if (wanted.every((part, channel) => Math.abs(part - data[i + channel]!) < 8)) count++;
        }
        return count;
      },
      { top_px, from, to, token },
    );
}

testPage(
  "an instant is a mark, an unfinished event is open at its end, and an error is red in the lane and in lists",
  { args: writeKinds, fragment: "&view=timeline&lanes.fold=%7C" },
  async ({ page, expected }) => {
    expected.push(/willReadFrequently/); // of the pixels that this reads
    await page.locator(".lane-head").filter({ hasText: "unfinished" }).waitFor();
    // The lanes are drawn once their tiles are there: a failed event has a red line under it, others have none.
    await eventually(async () =>
      assert.ok((await countPixels(page, "spans", 0.6, 0.8, "removed")) >= 100, "the error is not red"),
    );
    await eventually(async () => assert.equal(await countPixels(page, "spans", 0.1, 0.3, "removed"), 0));

    const row = 16;
    const all = async (lane: string, from: number, to: number) => countPixels(page, lane, from, to, "background");
    const blank = await all("instants", 0.1, 0.3);
    const withInstant = await all("instants", 0.4, 0.6);
    assert.ok(blank - withInstant > 2 * row, "the instant is more than a line of a pixel");
    assert.ok(blank - withInstant < 8 * row, "and no bar");
    await eventually(async () =>
      assert.ok((await all("unfinished", 0.94, 1)) > (await all("unfinished", 0.5, 0.56)), "its end is open"),
    );

    await page.keyboard.press("/");
    await page.keyboard.type("broken");
    await page.locator(".timeline-drawer .name.error").filter({ hasText: "broken" }).waitFor();
  },
);

testPage(
  "an event that tells where it was called from shows the stack",
  { args: writeKinds, fragment: "&view=timeline" },
  async ({ page }) => {
    await page.locator(".lane-head").filter({ hasText: "spans" }).waitFor();
    await page.keyboard.press("/");
    await page.keyboard.type("gemm");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => location.hash.includes("event="));
    await page.getByRole("tab", { name: "Event" }).click();
    await page.getByRole("heading", { name: "Called from" }).waitFor();
    const frame = page.locator(".call-stack li");
    await frame.getByText("train.py:12").waitFor();
    await frame.getByText("loss.backward()").waitFor();
  },
);
