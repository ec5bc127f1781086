// The timeline as it opens on a trace of PyTorch: the device's work first, what is beside it folded; what a device waited
// for and what launched a kernel a click away; lanes seen in small windows.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { testPage, eventually } from "./harness";
import { kLongName, pointAt, writeLaunches } from "./launch-trace";

const options = { args: writeLaunches, fragment: "&view=timeline" };

/** Headings and lanes as they stand; folded ones with a plus. */
async function listHeads(page: Page): Promise<string[]> {
  const heads = await page.locator(".lane-heads > .track-heading, .lane-heads > .lane-head").evaluateAll((list) =>
    list.map((head) => ({
      top: (head as HTMLElement).offsetTop,
      name: head.querySelector(".track-name, .lane-name")!.textContent!,
      isOpen: (head.matches("[aria-expanded]") ? head : head.querySelector("[aria-expanded]"))!.getAttribute(
        "aria-expanded",
      ),
    })),
  );
  return heads.sort((a, b) => a.top - b.top).map(({ name, isOpen }) => `${isOpen === "true" ? "" : "+ "}${name}`);
}

/** How many colours the canvas has in a part of the plot beside a head. */
function countColours(page: Page, head: string): Promise<number> {
  return page.evaluate((wanted) => {
    const canvas = document.querySelector<HTMLCanvasElement>(".timeline-plot canvas")!;
    const heads = [...document.querySelectorAll<HTMLElement>(".track-heading, .lane-head")];
    const box = heads.find((each) => each.textContent!.includes(wanted))!.getBoundingClientRect();
    const ratio = canvas.width / canvas.clientWidth;
    const copy = new OffscreenCanvas(canvas.width, 1);
    const ctx = copy.getContext("2d", { willReadFrequently: true })!;
    const y = (box.top + box.height / 2 - canvas.getBoundingClientRect().top) * ratio;
    ctx.drawImage(canvas, 0, -Math.round(y));
    return new Set(new Uint32Array(ctx.getImageData(0, 0, copy.width, 1).data.buffer)).size;
  }, head);
}

/** Until what is folded shows how busy it is: idle and busy times, in the middle of its height. */
async function waitForStrip(page: Page, head: string): Promise<void> {
  await eventually(async () => assert.ok((await countColours(page, head)) >= 2, `the strip of ${head} is not drawn`));
}

const kAtFirst = ["GPU 0", "stream 7", "python 1", "thread 1", "+ thread 2", "+ process 3"];

testPage(
  "the timeline opens on the work, the rest folded to strips that a click unfolds",
  options,
  async ({ page }) => {
    await page.locator(".lane-head").first().waitFor();
    await eventually(async () => assert.deepEqual(await listHeads(page), kAtFirst));
    await page.locator(".timeline-legend").filter({ hasText: "compute" }).waitFor();
    const loader = page.locator(".lane-head").filter({ hasText: "thread 2" });
    const folded = (await loader.boundingBox())!.height;
    await waitForStrip(page, "thread 2");
    const { x, y } = await pointAt(page, "thread 2", 0, 100);
    await page
      .locator(".timeline-tooltip")
      .filter({ hasText: /% busy/ })
      .waitFor();
    await page.mouse.click(x, y);
    await page.waitForFunction(() => location.hash.includes("lanes.fold="));
    await eventually(async () => assert.ok((await loader.boundingBox())!.height > 3 * folded));
    await page.reload();
    await loader.waitFor();
    await eventually(async () => assert.ok((await loader.boundingBox())!.height > 3 * folded, "it stays so"));

    await page.keyboard.press("z");
    await page.waitForFunction(() => document.querySelectorAll(".lane-heads > .lane-head").length === 0);
    await eventually(async () => assert.deepEqual(await listHeads(page), ["+ GPU 0", "+ python 1", "+ process 3"]));
    await waitForStrip(page, "GPU 0");
    await page.keyboard.press("z");
    await loader.waitFor();
    await page.getByRole("button", { name: "View", exact: true }).click();
    await page.getByRole("button", { name: "Arrange the lanes as at first" }).click();
    await page.waitForFunction(() => !location.hash.includes("lanes"));
    await eventually(async () => assert.deepEqual(await listHeads(page), kAtFirst));
  },
);

testPage("colours are of classes of work, and of names when asked for", options, async ({ page }) => {
  await page.locator(".timeline-legend li").filter({ hasText: "idle: host late" }).waitFor();
  await page.getByRole("button", { name: "View", exact: true }).click();
  await page.getByRole("radio", { name: "Colours by name" }).check();
  await page.waitForFunction(() => location.hash.includes("colours=name"));
  await page.locator(".timeline-legend").filter({ hasText: "a colour for each name" }).waitFor();
  await page.reload();
  await page.locator(".timeline-legend").filter({ hasText: "a colour for each name" }).waitFor();
});

testPage("a click on idle time tells what the device waited for, down to the call", options, async ({ page }) => {
  await page.locator(".lane-head").first().waitFor();
  const { x, y } = await pointAt(page, "stream 7", 0, 500);
  await page.locator(".timeline-tooltip").filter({ hasText: "400 µs idle: host late" }).waitFor();
  await page.mouse.click(x, y);
  const panel = page.locator(".gap-tab");
  await panel.filter({ hasText: "the host launched the next work only after the device had finished" }).waitFor();
  await eventually(async () => assert.match(await panel.innerText(), /Launched by\s+cudaLaunchKernel/));
  await eventually(async () => assert.match(await panel.innerText(), /Launched after\s+300 µs of idling/));
  await eventually(async () => assert.match(await panel.innerText(), /Host was in\s+aten::copy_/));
  await page.waitForFunction(() => /idle=.*stream/.test(decodeURIComponent(location.hash)));
  // It is the scope then, exactly, until Esc.
  const chip = page.locator(".scope").getByText("…");
  await chip.waitFor();
  const [, from, to] = /scope\.range=(\d+)\.\.(\d+)/.exec(decodeURIComponent(page.url()))!;
  assert.equal(Number(to) - Number(from), 400_000);
  await page.keyboard.press("Escape");
  await chip.waitFor({ state: "detached" });
  await page.reload();
  await panel.waitFor();
  await panel.getByRole("button", { name: "cudaLaunchKernel" }).first().click();
  await page.locator(".event-name").filter({ hasText: "cudaLaunchKernel" }).waitFor();
  await page.waitForFunction(() => !location.hash.includes("idle="));
});

testPage("a kernel with a name of thousands of letters shows who launched it", options, async ({ page }) => {
  await page.locator(".lane-head").first().waitFor();
  const { x, y } = await pointAt(page, "stream 7", 0, 200);
  await page.mouse.click(x, y);
  const launched = page.locator(".launched-in");
  await launched.waitFor();
  const text = await launched.innerText();
  assert.match(text, /Call\s+cudaLaunchKernel/);
  assert.match(text, /Operator\s+aten::mm/);
  assert.match(text, /Module\s+Linear_0/);
  assert.match(text, /Python stack\s+main\.py\(7\): run/);
  await page.getByRole("button", { name: "aten::mm" }).scrollIntoViewIfNeeded();
  const drawer = (await page.locator(".drawer-body").boundingBox())!;
  const name = page.locator(".event-name");
  await eventually(async () =>
    assert.ok((await name.boundingBox())!.height < drawer.height / 2, "the name leaves room"),
  );
  await name.getByRole("button", { name: /more: [\d,]+ characters/ }).click();
  await eventually(async () => assert.equal((await name.locator(".long-name").innerText()).includes(kLongName), true));
});

for (const [what, width, height] of [
  ["a page of 1,400 pixels at twice its size", 700, 420],
  ["a window of 900 pixels", 900, 560],
] as const) {
  testPage(`lanes are seen in ${what}`, { ...options, context: { viewport: { width, height } } }, async ({ page }) => {
    await page.locator(".lane-head").first().waitFor();
    const scroll = (await page.locator(".timeline-scroll").boundingBox())!;
    const plot = (await page.locator(".timeline-plot").boundingBox())!;
    assert.ok(scroll.height > 120, `${scroll.height} px for lanes`);
    assert.ok(plot.width > 0.75 * width, `${plot.width} px of ${width}`);
    const lane = (await page.locator(".lane-head").first().boundingBox())!;
    assert.ok(lane.y + lane.height <= scroll.y + scroll.height, "the device's lane is seen whole");
    const [head, cell] = await page
      .getByRole("table", { name: "Events by name" })
      .evaluate((table) =>
        ["th:nth-child(2)", "td:nth-child(2)"].map((part) => getComputedStyle(table.querySelector(part)!).paddingRight),
      );
    assert.equal(head, cell, "heads of columns stand over them");
    await eventually(async () =>
      assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)),
    );
  });
}
