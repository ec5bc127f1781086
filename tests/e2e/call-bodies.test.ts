// The bodies of calls and programs: left out all together, or turned one by one on the box of the call.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { kPadX_px, kPadY_px } from "../../web/src/lib/graph/label";
import type { WireContexts } from "../../web/src/lib/wire";
import { testPage } from "./harness";
import { getJson, settledUrl } from "./rewrites-stage";

const kData = join(process.env.VIZD_TOP ?? process.cwd(), "tests/data/tinygrad-2026-08");
const args = () => ["--kernels", join(kData, "ramp.rewrites.pkl"), "--profile", join(kData, "ramp.profile.pkl")];

const drawn = (page: Page) => page.locator(".graph-head .pill", { hasText: / of [\d,]+ nodes/ });
const readDrawn = async (page: Page) =>
  (await drawn(page).innerText()).match(/[\d,]+/g)!.map((count) => Number(count.replace(",", "")));

/** The last pass of the name, whose graph has what its capture ends on. */
async function openLast(page: Page, origin: string, name: string): Promise<void> {
  await page.getByRole("treeitem").first().waitFor();
  const { contexts, pass_names } = (await getJson(page, "/api/v1/contexts")) as WireContexts;
  const context = contexts.findLastIndex(({ passes }) => passes.name.some((n) => pass_names[n] === name));
  const pass = contexts[context]!.passes.name.findIndex((n) => pass_names[n] === name);
  await page.goto("about:blank");
  await page.goto(`${origin}#context=${context}:&pass=${pass}:&tab=find`);
  await page.locator(".graph-head", { hasText: name }).waitFor();
  await page.waitForFunction(() => document.querySelector(".stream-line") === null);
}

/** Selects the first node of an op, and has it on screen. */
async function select(page: Page, op: string): Promise<void> {
  await page.getByRole("textbox", { name: /^Search; Enter/ }).fill(`op=${op}`);
  await page.getByRole("listbox", { name: "Nodes found" }).getByRole("option").first().click();
  await page.waitForFunction(() => /node=\d/.test(location.hash));
  await page.getByRole("tab", { name: "Node" }).click();
}

testPage("the bodies of calls are left out together, and one comes back by its call", { args }, async (stage) => {
  const { page, vizd } = stage;
  await openLast(page, vizd.origin, "View Kernel Graph");
  await page.keyboard.press("v");
  await page.getByRole("checkbox", { name: /^Bodies/ }).check();
  await page.waitForFunction(() => /hide=bodies/.test(location.hash));
  await drawn(page).waitFor();
  const [closed, whole] = await readDrawn(page);
  assert.ok(closed! < whole!, `${closed} of ${whole}`);
  await page.keyboard.press("Escape");
  await select(page, "CALL");
  await page.getByRole("button", { name: "+ its body too" }).click();
  await page.waitForFunction(() => /calls=\d+/.test(location.hash));
  await page.getByRole("button", { name: "− without its body" }).waitFor();
  await page.waitForFunction((n) => !document.querySelector(".graph-head")!.textContent!.includes(`${n} of`), closed);
  const place = await settledUrl(page);
  await page.reload();
  await page.getByRole("button", { name: "− without its body" }).waitFor();
  assert.equal(await settledUrl(page), place);
});

testPage("a program's making is left out by a click on its box", { args }, async ({ page, vizd }) => {
  await openLast(page, vizd.origin, "View Program");
  await select(page, "PROGRAM");
  await page.getByRole("button", { name: "− without its body" }).waitFor();
  await page.keyboard.press("z");
  await page.locator(".node-overlay").waitFor();
  await settledUrl(page);
  // It stands on the upper left corner of the program's box, which the text over the box begins a little inside of.
  const text = (await page.locator(".node-overlay").boundingBox())!;
  const zoom = await page.evaluate(() =>
    Number(new URLSearchParams(location.hash.slice(1)).get("camera")!.split(",")[2]),
  );
  const [x, y] = [text.x - kPadX_px * zoom, text.y - kPadY_px * zoom];
  await page.mouse.move(x, y);
  await page.waitForFunction(
    () => document.querySelector(".graph canvas")!.getAttribute("title") === "Leave its body out",
  );
  await page.mouse.click(x, y);
  await page.waitForFunction(() => /calls=\d+/.test(location.hash));
  await page.getByRole("button", { name: "+ its body too" }).waitFor();
  await drawn(page).waitFor();
});
