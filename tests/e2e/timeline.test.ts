// The timeline on a real capture: lanes, memory, search, ranges, the way to the rewrites and back, the URL.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { goToView, testPage, eventually } from "./harness";

const kAllocation = "&view=timeline&allocation=CPU%7C0";

async function openTimeline(page: Page): Promise<void> {
  await goToView(page, "Timeline");
  await page.locator(".lane-head").first().waitFor();
  await settle(page);
}

/** Until what was asked for is drawn. */
function settle(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

/** The colours of a part of the lanes' canvas: one alone is blank. */
function readColours(page: Page, y: number, height: number): Promise<number[]> {
  return page.evaluate(
    ([from, tall]) => {
      const canvas = document.querySelector<HTMLCanvasElement>(".timeline-plot canvas")!;
      const ratio = canvas.width / canvas.clientWidth;
      const copy = new OffscreenCanvas(canvas.width, tall! * ratio);
      const ctx = copy.getContext("2d", { willReadFrequently: true })!;
      ctx.drawImage(canvas, 0, -from! * ratio);
      const { data } = ctx.getImageData(0, 0, copy.width, copy.height);
      return [...new Set(new Uint32Array(data.buffer))];
    },
    [y, height],
  );
}

function readHash(page: Page): Promise<URLSearchParams> {
  return page.evaluate(() => location.hash.slice(1)).then((hash) => new URLSearchParams(hash));
}

async function waitForHash(page: Page, pattern: RegExp): Promise<void> {
  const source = pattern.source;
  await page.waitForFunction((s) => new RegExp(s).test(decodeURIComponent(location.hash)), source);
}

async function search(page: Page, text: string): Promise<void> {
  await page.keyboard.press("/");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
  await page.locator(".timeline-search input").blur();
}

testPage(
  "lanes show events and memory, and moving about does not ask for them again",
  {},
  async ({ page, requests }) => {
    await openTimeline(page);
    const names = await page.locator(".lane-name").allTextContents();
    assert.deepEqual(names, ["CPU", "TINY", "CPU memory", "PYTHON memory"]);
    await eventually(async () => assert.ok((await readColours(page, 30, 60)).length > 4, "the first lane is drawn"));
    const drawn = () => requests.filter((path) => /^\/api\/v1\/(lanes|tiles|memory)/.test(path));
    assert.deepEqual(
      drawn().map((path) => path.replace(/[0-9a-f]{16}/, "KEY")),
      ["/api/v1/lanes", "/api/v1/tiles/KEY/all"],
    );
    for (const key of ["w", "w", "d", "a", "s", "ArrowRight", "ArrowDown", "Shift+ArrowRight", "f", "Space", "."]) {
      await page.keyboard.press(key);
      await settle(page);
    }
    assert.equal(drawn().length, 2, "a small profile is there at once");
  },
);

testPage("an event is found, leads to its rewrites, and they lead back", {}, async ({ page }) => {
  await openTimeline(page);
  await search(page, "e_4n1");
  await waitForHash(page, /event=.*E_4n1/);
  await page.keyboard.press(".");
  await page.keyboard.press(",");
  await page.locator(".event-name").filter({ hasText: "E_4n1" }).waitFor();
  await eventually(async () =>
    assert.match(await page.locator(".facts").first().innerText(), /Duration\s+[\d.]+ (ns|µs|ms)/),
  );
  await page.keyboard.press("Enter");
  await waitForHash(page, /view=rewrites.*context=\d+:E_4n1/);
  await page.getByRole("button", { name: /^\d+ executions?/ }).click();
  await waitForHash(page, /view=timeline/);
  await page.locator(".event-name").filter({ hasText: "E_4n1" }).waitFor();
  await page.goBack();
  await waitForHash(page, /view=rewrites/);
});

testPage("a range of lanes is summed by name, and its worst event is a click away", {}, async ({ page }) => {
  await openTimeline(page);
  const plot = (await page.locator(".timeline-plot").boundingBox())!;
  const tiny = (await page.locator(".lane-head").filter({ hasText: "TINY" }).boundingBox())!;
  await page.mouse.move(plot.x + plot.width * 0.3, tiny.y + 20);
  await page.mouse.down();
  await page.mouse.move(plot.x + plot.width * 0.99, tiny.y + 26, { steps: 4 });
  await page.mouse.up();
  await waitForHash(page, /area=\d+\.\.\d+\|TINY(&|$)/);
  const table = page.getByRole("table", { name: "Events by name" });
  await page.locator(".drawer-summary").filter({ hasText: "TINY" }).waitFor();
  const counts = async () =>
    (await table.locator("tbody tr td:nth-child(2)").allTextContents()).map((text) => Number(text.replace(/,/g, "")));
  await table.getByRole("button", { name: "Count" }).click();
  const sorted = await counts();
  assert.ok(sorted.length > 3);
  assert.deepEqual(
    sorted,
    [...sorted].sort((a, b) => b - a),
  );
  await table.getByRole("button", { name: /→/ }).first().click();
  await waitForHash(page, /event=TINY\|/);
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => !/area=|event=/.test(location.hash));
});

testPage("memory opens, and an allocation tells its life", {}, async ({ page }) => {
  await openTimeline(page);
  const head = page.locator(".lane-head").filter({ hasText: "CPU memory" });
  const small = (await head.boundingBox())!.height;
  await head.locator(".lane-chevron").click();
  await waitForHash(page, /lanes=CPU\+?.?Memory/);
  const large = (await head.boundingBox())!;
  assert.ok(large.height > small + 50);
  await head.locator(".lane-main").click();
  await waitForHash(page, /view=memory.*mem\.lane=CPU/);
  const table = page.getByRole("table", { name: /Who held it/ });
  await eventually(async () => assert.match(await table.locator("tbody tr").first().innerText(), /B.*%/s));
});

testPage(
  "an allocation on the timeline leads to what was held with it",
  { fragment: kAllocation },
  async ({ page }) => {
    await page.locator(".event-tab .facts").filter({ hasText: "Share of the peak" }).waitFor();
    await page.getByRole("button", { name: /What else was held then/ }).click();
    await waitForHash(page, /view=memory.*mem\.allocation=0/);
    await page.getByRole("heading", { name: /^Allocation/ }).waitFor();
  },
);

testPage("a link leads to the same sight", {}, async ({ page }) => {
  await openTimeline(page);
  await page.locator(".lane-head").filter({ hasText: "PYTHON memory" }).locator(".lane-chevron").click();
  await search(page, "merge_views");
  await page.keyboard.press("f");
  await page.keyboard.press("m");
  await waitForHash(page, /time=.*marks=|marks=.*time=/);
  const before = await readHash(page);
  await page.reload();
  await page.locator(".lane-head").first().waitFor();
  await eventually(async () => assert.equal(await page.locator(".timeline-search input").inputValue(), "merge_views"));
  await page.getByRole("tab", { name: "Search", selected: true }).waitFor();
  await settle(page);
  const after = await readHash(page);
  for (const key of ["time", "event", "marks", "lanes", "find", "details"])
    assert.equal(after.get(key), before.get(key), key);
});

testPage("both themes draw the lanes", { context: { colorScheme: "light" } }, async ({ page }) => {
  await openTimeline(page);
  // The red of the lowest corner, beside everything that is drawn.
  const background = async () => ((await readColours(page, 300, 1))[0] ?? 0) & 255;
  await eventually(async () => assert.ok((await background()) > 200));
  await page.keyboard.press("Shift+D");
  await settle(page);
  await eventually(async () => assert.ok((await background()) < 60));
  await eventually(async () => assert.ok((await readColours(page, 30, 60)).length > 4));
});

testPage(
  "a narrow window keeps lanes and details in reach",
  { context: { viewport: { width: 900, height: 600 } } },
  async ({ page }) => {
    await openTimeline(page);
    const fits = await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);
    assert.ok(fits, "nothing sticks out");
    await page.keyboard.press("q");
    await page.locator(".drawer-body").waitFor({ state: "detached" });
    await page.keyboard.press("q");
    await page.locator(".drawer-body").waitFor();
  },
);

testPage("lanes are pinned, hidden, moved and found, and stay so", {}, async ({ page }) => {
  await openTimeline(page);
  const names = () => page.locator(".lane-name").allTextContents();
  const head = (name: string) => page.locator(".lane-head").filter({ has: page.getByText(name, { exact: true }) });
  await head("CPU").first().hover();
  await page.getByRole("button", { name: "Pin CPU", exact: true }).click();
  await eventually(async () => assert.deepEqual(await names(), ["CPU", "TINY", "CPU memory", "PYTHON memory"]));
  await page.locator(".lane-head").filter({ hasText: "PYTHON" }).hover();
  await page.getByRole("button", { name: "Hide PYTHON Memory" }).click();
  await page.locator(".lanes-foot").filter({ hasText: "3 lanes1 hidden" }).waitFor();
  await page.locator(".lane-main").filter({ hasText: "CPU memory" }).press("Alt+ArrowUp");
  await waitForHash(page, /pin=CPU(&|$).*order=|order=.*pin=CPU(&|$)/);
  await eventually(async () => assert.deepEqual(await names(), ["CPU", "CPU memory", "TINY"]));
  const plain = (await page.evaluate(() => location.href)).replace(/&lanes\.(pin|hide|order)=[^&]*/g, "");
  await page.goto("about:blank");
  await page.goto(plain);
  await page.locator(".lane-head").first().waitFor();
  await eventually(async () =>
    assert.deepEqual(await names(), ["CPU", "CPU memory", "TINY"], "remembered without the URL"),
  );
  await page.keyboard.press("Control+p");
  await page.getByRole("checkbox", { name: "PYTHON Memory" }).check();
  await page.getByPlaceholder("Find a lane").fill("memory");
  await page.getByRole("button", { name: "Show only" }).click();
  await page.keyboard.press("Escape");
  await page.locator(".lanes-foot").filter({ hasText: "2 filtered out" }).waitFor();
  await eventually(async () => assert.deepEqual(await names(), ["CPU memory", "PYTHON memory"]));
});
