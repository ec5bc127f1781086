// The first sight of a capture, before anybody has touched anything, and where following a match leads.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { testPage } from "./harness";
import { writeLongGraph } from "./long-graph";
import { settledUrl } from "./rewrites-stage";

/** The camera as the URL has it, once something has moved it. */
async function readCamera(page: Page): Promise<{ x: number; y: number; zoom: number }> {
  await page.waitForFunction(() => location.hash.includes("camera="));
  const text = await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("camera"));
  const [x, y, zoom] = text!.split(",").map(Number);
  return { x: x!, y: y!, zoom: zoom! };
}

testPage(
  "the list opens on the first pass that has matches, its graph where names can be read",
  { args: writeLongGraph },
  async ({ page }) => {
    await page.locator(".graph-head", { hasText: "simplify" }).waitFor();
    await page.locator(".pass-row.current", { hasText: "simplify" }).waitFor();
    await page.waitForFunction(() => document.querySelector(".stream-line") === null);
    await page.keyboard.press("+");
    const { x, zoom } = await readCamera(page);
    assert.ok(zoom > 0.9 && zoom < 1.3, `names are read at ${zoom}`);
    assert.ok(x < 400, `the first match changes the chain's beginning, not what lies at ${x}`);
  },
);

testPage(
  "without following the view stays, and says that the change is elsewhere",
  { args: writeLongGraph },
  async ({ page }) => {
    await page.locator(".graph-head", { hasText: "simplify" }).waitFor();
    await page.waitForFunction(() => document.querySelector(".stream-line") === null);
    await page.keyboard.press("ArrowRight");
    const elsewhere = page.getByRole("button", { name: /the change is elsewhere/ });
    await page.keyboard.press("ArrowRight"); // to the chain's other end
    assert.equal(await elsewhere.count(), 0, "it is followed");
    await page.getByRole("button", { name: /^Follow/ }).click();
    await page.keyboard.press("ArrowLeft");
    await elsewhere.waitFor();
    await page.keyboard.press("c");
    await elsewhere.waitFor({ state: "detached" });
    await page.reload();
    await page.getByRole("button", { name: /^Follow/, pressed: false }).waitFor();
  },
);

testPage("a link to a match lands on its change", { args: writeLongGraph }, async ({ page, vizd }) => {
  await page.locator(".graph-head", { hasText: "simplify" }).waitFor();
  await page.goto("about:blank");
  await page.goto(`${vizd.origin}#context=1:kernel&pass=1:simplify&match=2`);
  await page.locator(".graph-head", { hasText: "match 2" }).waitFor();
  await page.waitForFunction(() => document.querySelector(".stream-line") === null);
  await page.keyboard.press("+");
  const { x, zoom } = await readCamera(page);
  assert.ok(x > 2000 && zoom > 0.9, `at ${x}, ${zoom}`);
});

testPage("the minimap shows where one is, and leads elsewhere", { args: writeLongGraph }, async ({ page }) => {
  const map = page.getByRole("img", { name: /^Map/ });
  await map.waitFor();
  const box = (await map.boundingBox())!;
  await page.mouse.click(box.x + box.width * 0.9, box.y + box.height / 2);
  const { x, zoom } = await readCamera(page);
  assert.ok(x > 3000, `the click on the right of the map leads to the right: ${x}`);
  assert.ok(zoom > 0.8, "at the zoom it had");
});

testPage(
  "a long graph is turned to run downward, and stays as somebody wants it",
  { args: writeLongGraph },
  async (stage) => {
    const { page } = stage;
    await page.locator(".graph-head", { hasText: "simplify" }).waitFor();
    const button = page.getByRole("button", { name: /^Down/ });
    const turned = page.waitForRequest((request) => request.url().includes("down=1"));
    const isDown = (await button.getAttribute("aria-pressed")) === "true";
    if (!isDown) await page.keyboard.press("a");
    await turned;
    await page.keyboard.press("Space");
    const whole = await readCamera(page);
    await page.keyboard.press("a");
    await page.getByRole("button", { name: /^Down/, pressed: isDown }).waitFor();
    await page.keyboard.press("Space");
    await page.waitForFunction((x) => !location.hash.includes(`camera=${x},`), whole.x);
    await page.reload();
    await page.getByRole("button", { name: /^Down/, pressed: isDown }).waitFor();
    await page.waitForFunction(() => document.querySelector(".stream-line") === null);
    await page.keyboard.press("a");
    await page.getByRole("button", { name: /^Down/, pressed: !isDown }).waitFor();
    await page.keyboard.press("Space");
    const place = await settledUrl(page);
    await page.reload();
    await page.getByRole("button", { name: /^Down/, pressed: !isDown }).waitFor();
    assert.equal(await settledUrl(page), place, "a link keeps its camera");
  },
);
