// Searching a pass by query, with the states at which a query becomes true; one match laid out by itself.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { testPage, eventually } from "./harness";
import { openPass, shownMatch, waitForMatch } from "./rewrites-stage";

const readField = (page: Page, key: string) =>
  page.evaluate((k) => new URLSearchParams(location.hash.slice(1)).get(k), key);
const waitForField = (page: Page, key: string, value: string | null) =>
  page.waitForFunction(([k, v]) => new URLSearchParams(location.hash.slice(1)).get(k!) === v, [key, value] as const);

testPage("nodes are found by query, in a list, and n walks through them", {}, async ({ page, vizd }) => {
  await openPass(page, vizd, "devectorize");
  await page.keyboard.press("/");
  const box = page.getByRole("search").getByRole("textbox");
  await page.waitForFunction(() => document.activeElement?.closest(".find-box") !== null);
  await page.keyboard.insertText("fanin>0 -op=SINK");
  const hits = page.getByRole("listbox", { name: "Nodes found" }).getByRole("option");
  await hits.first().waitFor();
  const count = await hits.count();
  assert.ok(count > 1);
  await eventually(async () =>
    assert.match((await page.locator(".find-count").textContent())!, new RegExp(`^${count} nodes at the input`)),
  );
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.includes("node="));
  const first = await readField(page, "node");
  await box.blur();
  await page.keyboard.press("n");
  await page.waitForFunction((node) => new URLSearchParams(location.hash.slice(1)).get("node") !== node, first);
  await page.keyboard.press("Shift+N");
  await waitForField(page, "node", first);
  await eventually(async () => assert.equal(await readField(page, "search"), "fanin>0 -op=SINK"));

  await page.reload();
  await hits.first().waitFor();
  await eventually(async () => assert.equal(await hits.count(), count, "the search stands in the URL"));
});

testPage("a query that is not understood is shown where it fails", {}, async ({ page, vizd }) => {
  await openPass(page, vizd, "devectorize", "&tab=find");
  await page.getByRole("search").getByRole("textbox").fill("op=ADD colour=red");
  const mark = page.locator(".find-tab mark");
  await mark.waitFor();
  await eventually(async () => assert.match((await page.locator(".find-tab .removed").textContent())!, /colour/));
});

testPage("the match at which a query becomes true is one click away", {}, async ({ page, vizd }) => {
  const { matches } = await openPass(page, vizd, "devectorize", "&tab=find&search=born>0");
  const link = page.locator(".find-bisect").getByRole("button").first();
  await link.waitFor();
  const named = Number(/match ([\d,]+)/.exec((await link.textContent())!)![1]);
  assert.ok(named >= 1 && named <= matches);
  await link.click();
  await waitForMatch(page, named);
  await page.waitForFunction(() => /^[1-9]/.test(document.querySelector(".find-count")?.textContent ?? ""));
  await page.keyboard.press("ArrowLeft");
  await waitForMatch(page, named - 1);
  await page.waitForFunction(() => document.querySelector(".find-count")?.textContent?.startsWith("0 nodes"));
});

testPage("one match is laid out by itself, and put back", {}, async ({ page, vizd, requests }) => {
  const { context, pass } = await openPass(page, vizd, "devectorize", "&match=5");
  requests.length = 0;
  await page.keyboard.press("r");
  await page.getByText("this match alone, compact").waitFor();
  await waitForField(page, "compact", "5");
  await page.waitForFunction(() => document.querySelector(".stream-line") === null);
  assert.deepEqual(
    requests.filter((path) => path.includes("/rewrites/")),
    [`/api/v1/rewrites/${context}/${pass}`],
  );
  await page.keyboard.press("ArrowRight");
  await waitForMatch(page, 6);
  await eventually(async () =>
    assert.equal(await page.getByText("this match alone, compact").count(), 0, "the others stand where they stood"),
  );
  await page.keyboard.press("ArrowLeft");
  await page.getByText("this match alone, compact").waitFor();
  await page.keyboard.press("r");
  await waitForField(page, "compact", null);
  await eventually(async () => assert.equal(await shownMatch(page), "5"));
});

testPage("a layout that takes long can be given up", {}, async ({ page, vizd }) => {
  await openPass(page, vizd, "devectorize", "&match=5");
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route(/compact_state/, async (route) => {
    await held;
    await route.abort().catch(() => {}); // the page has given it up
  });
  await page.keyboard.press("r");
  await page.getByRole("button", { name: /^Cancel/ }).waitFor();
  await waitForField(page, "compact", "5");
  await page.keyboard.press("Escape");
  await waitForField(page, "compact", null);
  await page.getByRole("button", { name: /^Cancel/ }).waitFor({ state: "detached" });
  await eventually(async () => assert.equal(await shownMatch(page), "5"));
  release();
});
