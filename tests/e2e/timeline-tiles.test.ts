// The timeline of a large profile, of which what is on screen comes tile by tile; and what the server answers of any.
// VIZD_LARGE_CAPTURE names a truly large one to measure with.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { goToView, testPage, type Capture, type Stage, eventually } from "./harness";
import { openSlowLink } from "./slow-link";

const large = process.env.VIZD_LARGE_CAPTURE;
const kTiles = "&view=timeline";
const kPython = join(process.env.VIZD_TOP ?? process.cwd(), "python");

/** Four lanes of 10,000 events of a microsecond each: too many to come at once. */
const kProgram = `
import sys
sys.path.insert(0, sys.argv[1])
from vizd import Capture
with Capture(sys.argv[2]) as writer:
    for name in ("GPU 0", "GPU 1", "GPU 2", "CPU"):
        lane = writer.lane(name)
        for i in range(10000):
            writer.event(lane, f"kernel {i % 17}", 1500 * i, 1000)
`;

function writeLarge({ folder }: Capture): string[] {
  const path = join(folder, "large.bin");
  execFileSync("python3", ["-B", "-c", kProgram, kPython, path]);
  return [large ?? path];
}

/** Until what has come is drawn. */
function settle(page: Page): Promise<void> {
  return page.evaluate(
    () => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))),
  );
}

function countTiles({ requests }: Stage): number {
  return requests.filter((path) => path.startsWith("/api/v1/tiles/")).length;
}

async function openTimeline(page: Page): Promise<void> {
  await page.locator(".lane-head").first().waitFor();
}

/** How many colours a part of the lanes' canvas has: one alone is blank. */
function countColours(page: Page, y: number, height: number): Promise<number> {
  return page.evaluate(
    ([from, tall]) => {
      const canvas = document.querySelector<HTMLCanvasElement>(".timeline-plot canvas")!;
      const { data } = canvas.getContext("2d")!.getImageData(0, from!, canvas.width, tall!);
      return new Set(new Uint32Array(data.buffer)).size;
    },
    [y, height],
  );
}

/**
 * Looks at a part of the profile, as a link does: how long until its tiles have come and are drawn, by the page's
 * clock.
 */
function lookAt(page: Page, from: number, to: number): Promise<number> {
  return page.evaluate(
    ([a, b]) =>
      new Promise<number>((resolve) => {
        performance.clearResourceTimings();
        const fields = new URLSearchParams(location.hash.slice(1));
        fields.set("time", `${a}..${b}`);
        const began_ms = performance.now();
        location.hash = fields.toString();
        const wait = () => {
          const entries = performance.getEntriesByType("resource") as PerformanceResourceTiming[];
          const isThere = entries.some(({ name, responseEnd }) => name.includes("/api/v1/tiles/") && responseEnd > 0);
          requestAnimationFrame(isThere ? () => resolve(performance.now() - began_ms) : wait);
        };
        wait();
      }),
    [Math.round(from), Math.round(to)],
  );
}

async function readDuration(page: Page): Promise<number> {
  const answer = await page.evaluate(() => fetch("/api/v1/lanes").then((response) => response.json()));
  return (answer as { dur_ns: number }).dur_ns;
}

testPage(
  "tiles draw the lanes, and moving among them asks for nothing",
  { args: writeLarge, fragment: kTiles },
  async (stage) => {
    const { page, requests } = stage;
    const first = page.waitForResponse((response) => response.url().includes("/api/v1/tiles/"));
    await openTimeline(page);
    await (await first).finished();
    await settle(page);
    assert.ok(!requests.some((path) => path.endsWith("/all")), "the profile is too large to come at once");
    await eventually(async () => assert.ok((await countColours(page, 30, 60)) > 4, "the first lane is drawn"));
    const before = countTiles(stage);
    for (const key of ["ArrowDown", "ArrowUp", "m", "q", "q"]) await page.keyboard.press(key);
    await settle(page);
    assert.equal(countTiles(stage), before);
  },
);

testPage("an event is found, read and left, and found again after a reload", { fragment: kTiles }, async ({ page }) => {
  await openTimeline(page);
  await page.keyboard.press("/");
  await page.keyboard.type("e_4n1");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes("|@"));
  await page.locator(".timeline-search input").blur();
  // Faster than answers come: each key goes on from where the one before it leads.
  for (const key of [".", ".", ",", ","]) await page.keyboard.press(key);
  await page.locator(".event-name").filter({ hasText: "E_4n1" }).waitFor();
  await page
    .locator(".facts")
    .first()
    .filter({ hasText: /Self\s*[\d.]+ (ns|µs|ms)/ })
    .waitFor();
  await page.waitForFunction(() => /\|@[^|]+\|[^&]*E_4n1/.test(decodeURIComponent(location.hash)));
  await page.waitForFunction(() => !location.hash.includes("details="));
  await page.reload();
  await page.locator(".event-name").filter({ hasText: "E_4n1" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.includes("view=rewrites"));
});

testPage("no key is lost that is pressed faster than answers come", { fragment: kTiles }, async ({ page }) => {
  await openTimeline(page);
  const readIndex = () => page.evaluate(() => Number(/\|@(\d+)\./.exec(decodeURIComponent(location.hash))?.[1] ?? -1));
  const waitForIndex = (index: number) =>
    page.waitForFunction((at) => decodeURIComponent(location.hash).includes(`|@${at}.`), index);
  await page.keyboard.press(".");
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes("|@"));
  const first = await readIndex();
  await page.route("**/api/v1/event/**", async (route) => {
    await new Promise((resolve) => setTimeout(resolve, 50)); // as long as a link takes
    await route.continue();
  });
  for (const key of [".", ".", ".", ".", ","]) await page.keyboard.press(key);
  await waitForIndex(first + 3);
  for (const key of [",", ",", "."]) await page.keyboard.press(key);
  await waitForIndex(first + 2);
});

testPage("what is read of a capture is shown, and the rest swaps in without moving the view", {}, async ({ page }) => {
  // Small captures are read before anybody looks: the server's answer is held back as if this one were large.
  let isRead = false;
  await page.route("**/api/v1/lanes?*", async (route) => {
    const answer = await route.fetch();
    const progress = { what: "reading the files", unit: "bytes", done: 25_000_000, of: 65_000_000 };
    const beginning = { ...(await answer.json()), status: "opening", progress };
    await route.fulfill(isRead ? { response: answer } : { json: beginning });
  });
  const tiles = page.waitForResponse((response) => response.url().includes("/api/v1/tiles/"));
  await goToView(page, "Timeline");
  const strip = page.locator(".still-reading");
  await strip.filter({ hasText: /^[\d,]+ events so far.*25\.0 MB of 65\.0 MB/ }).waitFor();
  await (await tiles).finished();
  await settle(page);
  await eventually(async () => assert.ok((await countColours(page, 30, 60)) > 4, "the first lane is drawn"));
  for (const key of ["w", "w", "d", "."]) await page.keyboard.press(key);
  const name = await page.locator(".event-name > span").innerText();
  await page.waitForFunction(() => location.hash.includes("time=") && location.hash.includes("event="));
  const time = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("time"));
  const before = await time();
  isRead = true;
  await strip.waitFor({ state: "detached" });
  await page.locator(".event-name").filter({ hasText: name }).waitFor();
  await eventually(async () => assert.equal(await time(), before));
});

testPage("a name's place, durations and busy share are told", { fragment: kTiles }, async ({ page }) => {
  await openTimeline(page);
  await page
    .locator(".drawer-summary")
    .filter({ hasText: /busy .*, [\d.]+ % of wall/ })
    .waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("e_");
  await page.keyboard.press("Enter");
  await page.keyboard.press("Enter");
  await page
    .locator(".timeline-search")
    .filter({ hasText: /^2 \/ \d+/ })
    .waitFor();
  await page.getByRole("tab", { name: "Event" }).click();
  await page
    .locator(".section-title")
    .filter({ hasText: /\d+ of \d+ of this name|only one of this name/ })
    .waitFor();
  await page.getByRole("tab", { name: "Selection" }).click();
  const table = page.getByRole("table", { name: "Events by name" });
  await table.getByRole("button", { name: "Count" }).click();
  await table.getByRole("button", { name: /→/ }).first().click();
  await page.locator(".histogram-bars .current").waitFor();
});

testPage(
  "the lanes stay scrolled over a reload",
  { fragment: kTiles, context: { viewport: { width: 900, height: 420 } } },
  async ({ page }) => {
    await openTimeline(page);
    for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
    await page.waitForFunction(() => location.hash.includes("lanes.top="));
    const readTop = () => page.evaluate(() => document.querySelector(".timeline-scroll")!.scrollTop);
    const before = await readTop();
    assert.ok(before > 0);
    await page.reload();
    await openTimeline(page);
    await page.waitForFunction((top) => document.querySelector(".timeline-scroll")!.scrollTop === top, before);
  },
);

testPage("the slowest of each name are ticked, listed and stepped through", { fragment: kTiles }, async ({ page }) => {
  await openTimeline(page);
  const tiles = page.waitForRequest((request) => request.url().includes("pick=slowest"));
  await page.keyboard.press("l");
  await tiles;
  await page
    .locator(".drawer-summary")
    .filter({ hasText: /^[\d,]+ events among the longest/ })
    .waitFor();
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes("find=:slowest"));
  const found = page.getByRole("table", { name: "Events found" });
  await found.locator("tbody").getByRole("button").first().click();
  await page.waitForFunction(() => decodeURIComponent(location.hash).includes("|@"));
  await page.keyboard.press("l");
  await page.waitForFunction(() => !location.hash.includes("find="));
});

testPage("a range of tiles is summed by the server", { fragment: kTiles }, async ({ page }) => {
  await openTimeline(page);
  const table = page.getByRole("table", { name: "Events by name" });
  await table.locator("tbody tr").first().waitFor();
  await table.getByRole("button", { name: /→/ }).first().click();
  await page.locator(".event-name").waitFor();
});

testPage(
  "over a slow link a view is one request, drawn soon after it is asked for",
  {
    fragment: "&view=timeline",
    args: writeLarge,
  },
  async (stage) => {
    const { page, vizd } = stage;
    const link = await openSlowLink(Number(new URL(vizd.origin).port), { roundTrip_ms: 100, bitsPerSecond: 10e6 });
    try {
      const url = new URL(vizd.url);
      url.port = String(link.port);
      await page.goto("about:blank");
      await page.goto(url.href + kTiles);
      await page.locator(".lane-head").first().waitFor({ timeout: 180_000 });
      await page.waitForFunction(() =>
        performance.getEntriesByType("resource").some(({ name }) => name.includes("/api/v1/tiles/")),
      );
      const dur_ns = await readDuration(page);
      const times_ms: number[] = [];
      for (let i = 0; i < 20; i++) {
        const span = dur_ns / 2 ** (i + 1); // each twice as close: none of its tiles is there yet
        const from = ((dur_ns - span) * ((i * 7) % 20)) / 20;
        const before = countTiles(stage);
        times_ms.push(await lookAt(page, from, from + span));
        assert.equal(countTiles(stage) - before, 1, `view ${i} is one request`);
      }
      times_ms.sort((a, b) => a - b);
      const p95_ms = times_ms[Math.ceil(times_ms.length * 0.95) - 1]!;
      console.log(`settled: median ${times_ms[10]!.toFixed(0)} ms, 95th percentile ${p95_ms.toFixed(0)} ms`);
    } finally {
      await page.goto("about:blank"); // what it still asks for is given up, not cut off
      link.close();
    }
  },
);
