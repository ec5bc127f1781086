// Captures side by side on one time axis, as two that python/vizd writes: a second one that is slower.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { testPage, type Capture, eventually } from "./harness";

const kPython = join(process.env.VIZD_TOP ?? process.cwd(), "python");

/** One lane with two kernels of that many nanoseconds, from 1000 on. */
const kProgram = `
import sys
sys.path.insert(0, sys.argv[1])
from vizd import Capture
with Capture(sys.argv[2]) as writer:
    lane = writer.lane("GPU 0")
    for i in range(2):
        writer.event(lane, "gemm", 1000 + 2000 * i, int(sys.argv[3]))
`;

function writeCaptures({ folder }: Capture): string[] {
  return ["fast", "slow"].map((name) => {
    const path = join(folder, `${name}.bin`);
    execFileSync("python3", ["-B", "-c", kProgram, kPython, path, name === "fast" ? "500" : "1500"]);
    return path;
  });
}

testPage(
  "another capture is laid beside the one on screen, shifted by hand, and stays so over a reload",
  { args: writeCaptures, fragment: "&view=timeline" },
  async ({ page }) => {
    const names = page.locator(".lane-head .lane-name");
    await names.first().waitFor();
    await eventually(async () => assert.equal(await names.count(), 1));
    await page.locator(".beside-foot", { hasText: "add a capture" }).click();
    await page.getByRole("checkbox", { name: "slow" }).check();
    await names.nth(1).waitFor();
    const shift = page.getByRole("combobox", { name: "How slow is aligned" });
    await shift.selectOption("hand");
    const by = page.getByRole("spinbutton", { name: /Microseconds that slow/ });
    await by.fill("10");
    await by.press("Enter");
    await page.waitForFunction(() => decodeURIComponent(location.hash).includes("beside=slow~10000"));
    await page.keyboard.press("Escape");
    const ends = async () => await page.locator(".timeline-drawer").innerText();
    // The slow one's second kernel ends 10 µs + 3.5 µs after the first one's start.
    await page.waitForFunction(() =>
      /13\.5 µs.* 4 events/.test(document.querySelector(".timeline-drawer")?.textContent ?? ""),
    );
    await eventually(async () => assert.match(await ends(), /gemm · fast/));
    await eventually(async () => assert.match(await ends(), /gemm · slow/));

    await page.reload();
    await names.nth(1).waitFor();
    await page.waitForFunction(() => document.querySelector(".timeline-drawer")?.textContent?.includes("13.5 µs"));
    await page.locator(".beside-foot", { hasText: "1 capture added" }).click();
    await page.getByRole("checkbox", { name: "slow" }).uncheck();
    await page.waitForFunction(() => !location.hash.includes("beside"));
    await eventually(async () => assert.equal(await names.count(), 1));
  },
);

testPage(
  "an event of a capture beside is found, told in its own figures, and linked to",
  { args: writeCaptures, fragment: "&view=timeline&beside=slow~start&find=gemm" },
  async ({ page }) => {
    await page.locator(".lane-head .lane-name").nth(1).waitFor();
    await page.keyboard.press("/");
    const field = page.getByRole("textbox", { name: /Search events/ });
    await field.press("Enter");
    await page.waitForFunction(() => location.hash.includes("event=")); // it comes with the list of what is found
    const events = page.getByRole("tab", { name: "Event" });
    await events.click();
    const facts = page.locator(".event-tab");
    await facts.filter({ hasText: "500 ns" }).waitFor();
    const first = new URL(page.url()).hash;
    await field.press("Enter");
    await page.waitForFunction((hash) => location.hash !== hash && location.hash.includes("event=slow"), first);
    await events.click();
    await facts.filter({ hasText: "1.50 µs" }).waitFor();
    await page.waitForFunction(() => !location.hash.includes("details="));
    await page.reload();
    await page.locator(".event-tab").filter({ hasText: "1.50 µs" }).waitFor();
  },
);
