// A start over a slow link: the theme and "Loading" before there is any code, few requests one after another, and nothing
// lost that happens while an answer is on its way.
import assert from "node:assert/strict";
import { copyFile, truncate } from "node:fs/promises";
import { join } from "node:path";
import type { SessionInfo } from "../../web/src/lib/wire";
import { goToView, testPage, type Capture, type Stage, eventually } from "./harness";

testPage(
  "the first paint has the theme and says Loading, before there is code",
  { context: { colorScheme: "light" } },
  async ({ page }) => {
    await page.evaluate(() => localStorage.setItem("vizd.theme", JSON.stringify("dark")));
    let bring = () => {};
    const isWanted = new Promise<void>((resolve) => (bring = resolve));
    await page.route("**/app.js", async (route) => {
      await isWanted;
      await route.continue();
    });
    await page.reload({ waitUntil: "commit" });
    await page.getByText("Loading").waitFor();
    const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(colour, "rgb(14, 17, 22)", "as chosen, not the system's");
    bring();
    await page.locator(".graph-head").waitFor();
    await eventually(async () => assert.equal(await page.getByText("Loading").count(), 0));
  },
);

testPage("the session comes with the contexts, asked for in the head, and views bring no code", {}, async (stage) => {
  const { page, requests } = stage;
  await page.locator(".graph-head").waitFor();
  const code = () => requests.filter((path) => /\.(js|css)$/.test(path));
  const before = code();
  assert.deepEqual([...new Set(before)].sort(), ["/app.css", "/app.js", "/first.js"]);
  assert.ok(!requests.includes("/api/v1/contexts"), "they came with the session");
  assert.equal(requests.filter((path) => path === "/api/v1/session").length, 1);
  for (const view of ["Rules", "Timeline", "Program", "Info"]) {
    await goToView(page, view);
  }
  await page.locator(".info").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  assert.deepEqual(code(), before);
});

/** A capture that is cut off at first, and made whole by the test. */
async function cutCapture(capture: Capture): Promise<string[]> {
  await truncate(capture.kernels, 1000);
  return ["--kernels", capture.kernels];
}

/** Makes the capture whole, and waits until the server has read it: by requests that the page's routes do not see. */
async function makeWhole({ page, capture, vizd }: Stage): Promise<void> {
  const data = join(process.env.VIZD_TOP ?? process.cwd(), "tests/data/tinygrad-2025-09/ramp.rewrites.pkl");
  await copyFile(data, capture.kernels);
  for (;;) {
    const session = (await (await page.request.get(`${vizd.origin}api/v1/session`)).json()) as SessionInfo;
    if (session.captures[0]?.has_rewrites) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

for (const late of ["session", "events"] as const) {
  const title = `a capture that is read while the answer of /api/v1/${late} is on its way is shown`;
  testPage(title, { args: cutCapture, fragment: "" }, async (stage) => {
    const { page } = stage;
    await page.getByText("cannot be read").first().waitFor();
    let bring = () => {};
    const isWanted = new Promise<void>((resolve) => (bring = resolve));
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    let isFirst = true;
    await page.route(`**/api/v1/${late}*`, async (route) => {
      if (!isFirst) return route.continue();
      isFirst = false;
      // The session as it is when it is asked for; a stream cannot be kept, so that is asked for late.
      const answer = late === "session" ? await route.fetch() : undefined;
      asked();
      await isWanted;
      await (answer === undefined ? route.continue() : route.fulfill({ response: answer }));
    });
    await page.reload({ waitUntil: "commit" });
    await isAsked;
    if (late === "events") await page.getByText("cannot be read").first().waitFor();
    await makeWhole(stage);
    bring();
    await page.locator(".graph-head, .overview").first().waitFor();
  });
}
