// Views of a match: around a node, its sources, between two nodes, like nodes folded, ops left out; each in the URL.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { goToView, testPage, eventually } from "./harness";
import { getJson, openPass, settledUrl } from "./rewrites-stage";

const waitForField = (page: Page, key: string, pattern: RegExp) =>
  page.waitForFunction(([k, p]) => new RegExp(p!).test(new URLSearchParams(location.hash.slice(1)).get(k!) ?? ""), [
    key,
    pattern.source,
  ] as const);
/** "5 of 11 nodes": how many are drawn, where not all are. */
const countDrawn = async (page: Page) => {
  const pill = page.locator(".graph-head .pill", { hasText: / of [\d,]+ nodes/ });
  await pill.waitFor();
  return Number((await pill.textContent())!.split(" ")[0]!.replace(",", ""));
};

testPage("a node's neighbourhood is shown alone, grows, and leads back", {}, async ({ page, vizd }) => {
  await openPass(page, vizd, "devectorize", "&tab=find&search=op=STORE");
  await page.getByRole("listbox", { name: "Nodes found" }).getByRole("option").first().click();
  await waitForField(page, "node", /\d/);
  await page.keyboard.press("f");
  await page.getByText(/^around STORE/).waitFor();
  const near = await countDrawn(page);
  await page.keyboard.press(".");
  await page.getByText("3 edges").waitFor();
  await waitForField(page, "focus", /^near:\d+:3$/);
  await page.waitForFunction((n) => !document.querySelector(".graph-head")!.textContent!.includes(`${n} of`), near);
  await eventually(async () => assert.ok((await countDrawn(page)) > near));
  await page.keyboard.press("Shift+I");
  const chip = page.locator(".chip", { hasText: /what STORE #\d+ is made from/ });
  await chip.waitFor();
  await waitForField(page, "focus", /^up:/);
  await waitForField(page, "camera", /,/);
  await countDrawn(page);
  const place = await settledUrl(page);
  await page.reload();
  await chip.waitFor();
  await countDrawn(page);
  assert.equal(await settledUrl(page), place, "the camera of a link stays");
  await page.keyboard.press("Escape"); // the selection
  await page.keyboard.press("Escape"); // the view
  await chip.waitFor({ state: "detached" });
});

testPage(
  "what a node reads that is only a line in its box becomes boxes, in the link too",
  {},
  async ({ page, vizd }) => {
    const { context, pass } = await openPass(page, vizd, "devectorize", "&tab=find&search=op=MUL&match=0");
    await page.getByRole("listbox", { name: "Nodes found" }).getByRole("option").first().click();
    await waitForField(page, "node", /\d/);
    await page.keyboard.press("h");
    const asBoxes = page.getByRole("button", { name: "as boxes" });
    await asBoxes.waitFor();
    await page.keyboard.press("Shift+U");
    const chip = page.locator(".chip", { hasText: "excluded sources of 1 node as boxes" });
    await chip.waitFor();
    await waitForField(page, "excluded", /^\d+$/);
    const node = new URLSearchParams(new URL(page.url()).hash.slice(1)).get("excluded");
    const view = (await getJson(page, `/api/v1/focus/${context}/${pass}/0?excluded_of=${node}`)) as {
      excluded: number[];
      layout: { id: number[] };
    };
    assert.ok(view.excluded.length > 0 && view.excluded.every((id) => view.layout.id.includes(id)));
    await page.reload();
    await chip.waitFor();
    await page.keyboard.press("Shift+U");
    await chip.waitFor({ state: "detached" });
  },
);

testPage("nodes that are alike fold into one, and ops are left out", {}, async ({ page, vizd }) => {
  const { context, pass, matches } = await openPass(page, vizd, "devectorize", "&match=23");
  const view = (await getJson(page, `/api/v1/focus/${context}/${pass}/${matches}?fold=4`)) as {
    folds: { ids: number[] }[];
  };
  assert.ok(view.folds.length > 0, "the pass has an unrolled loop");
  await page.keyboard.press("t");
  await page.getByText(/nodes folded into/).waitFor();
  await waitForField(page, "fold", /^4$/);
  const folded = await countDrawn(page);
  await page.keyboard.press("v");
  await page.getByRole("checkbox", { name: /^MUL/ }).check();
  await page.getByText(/nodes hidden/).waitFor();
  await waitForField(page, "hide", /^MUL$/);
  await eventually(async () => assert.ok((await countDrawn(page)) < folded));
  await page.getByRole("textbox", { name: "Name of the filter" }).fill("no products");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "no products", exact: true }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("w");
  await page.getByText(/nodes folded into/).waitFor({ state: "detached" });
  await page.reload();
  await page.locator(".graph-head").waitFor();
  await page.keyboard.press("v");
  await page.getByRole("button", { name: "no products", exact: true }).click();
  await waitForField(page, "hide", /^MUL$/);
});

testPage(
  "the graph is coloured by where values lie, with a legend, and the choice is in the link",
  { args: () => [join(process.env.VIZD_TOP ?? process.cwd(), "tests/data/tinygrad-2026-08/ramp.rewrites.pkl")] },
  async ({ page }) => {
    await goToView(page, "Rewrites");
    await page.locator(".graph-head").waitFor();
    await page.keyboard.press("v");
    await page.getByRole("combobox", { name: "Colour the graph by" }).selectOption("memory");
    const legend = page.locator(".measure-legend");
    await legend.getByText("GLOBAL").waitFor();
    await waitForField(page, "colour", /^memory$/);
    await page.reload();
    await legend.getByText("GLOBAL").waitFor();
  },
);

testPage("what has no box of its own unfolds where its user's sources are listed", {}, async ({ page, vizd }) => {
  await openPass(page, vizd, "devectorize", "&tab=find&search=op=MUL");
  await page.getByRole("listbox", { name: "Nodes found" }).getByRole("option").first().click();
  await waitForField(page, "node", /\d/);
  await page.keyboard.press("u"); // leads to the node's sources too
  const sources = page.locator(".section", { has: page.getByRole("heading", { name: "Sources" }) });
  const excluded = sources.locator(".excluded-node");
  await excluded
    .locator(".node-label", { hasText: /^CONST/ })
    .first()
    .waitFor();
  const count = await excluded.count();
  assert.equal(await sources.getByRole("button", { expanded: true }).count(), count);
  await page.keyboard.press("u");
  await excluded.first().waitFor({ state: "detached" });
  await sources.getByRole("button", { expanded: false }).first().click();
  assert.equal(await excluded.count(), 1, "one by one too");
  await excluded.getByRole("button", { name: /^its \d+ users? and biography$/ }).click();
  await page
    .locator(".node-label", { hasText: /^CONST/ })
    .first()
    .waitFor();
  const users = page.locator(".section", { has: page.getByRole("heading", { name: "Users" }) });
  await users.getByRole("button", { name: /^MUL/ }).first().click();
  await page.getByText(/^unfold \d+ excluded$/).waitFor();
});
