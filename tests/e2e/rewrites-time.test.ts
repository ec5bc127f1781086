// Time in the rewrites view: comparing matches of one pass and of two, a node's life, the matches that touch it.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import type { WireMatches } from "../../web/src/lib/graph/wire";
import { testPage, eventually } from "./harness";
import { openPass, shownMatch, waitForMatch } from "./rewrites-stage";

const note = (page: Page, title: string) =>
  page
    .locator(".section", { has: page.getByRole("heading", { name: title, exact: true }) })
    .locator(".section-note")
    .textContent();
const waitForField = (page: Page, key: string, pattern: RegExp) =>
  page.waitForFunction(([k, p]) => new RegExp(p!).test(new URLSearchParams(location.hash.slice(1)).get(k!) ?? ""), [
    key,
    pattern.source,
  ] as const);

/** The changes of a pass's matches, as the server tells them. */
async function readMatches(page: Page, context: number, pass: number): Promise<WireMatches> {
  const stream = await page.evaluate(async (p) => (await fetch(p)).text(), `/api/v1/rewrites/${context}/${pass}`);
  return JSON.parse(/^event: matches\ndata: (.*)$/m.exec(stream)![1]!) as WireMatches;
}

testPage("two matches of a pass are compared, and the comparison follows the scrubber", {}, async ({ page, vizd }) => {
  const { matches } = await openPass(page, vizd, "devectorize", "&match=3");
  await page.keyboard.press("m");
  await page.getByText("marked match 3").waitFor();
  await page.keyboard.press("d");
  await page.getByRole("heading", { name: "Compared with" }).waitFor();
  await eventually(async () => assert.equal(await note(page, "Made"), "0", "a match differs in nothing from itself"));
  await page.keyboard.press("End");
  await waitForMatch(page, matches);
  const [made, removed] = [await note(page, "Made"), await note(page, "Removed")];
  assert.ok(Number(made) > 0 && Number(removed) > 0);
  await page.locator(".diff .added").first().waitFor();
  await waitForField(page, "mark", /^3\|/);
  await page.waitForFunction((m) => location.hash.includes(`match=${m}`), matches);

  await page.reload();
  await page.getByRole("heading", { name: "Compared with" }).waitFor();
  await waitForMatch(page, matches);
  await eventually(async () => assert.equal(await note(page, "Made"), made, "the comparison stands in the URL"));
  await page.keyboard.press("x");
  await waitForMatch(page, 3);
  await page.getByText(`compared with match ${matches}`).waitFor();
  await eventually(async () =>
    assert.deepEqual([await note(page, "Made"), await note(page, "Removed")], [removed, made], "the other way round"),
  );
  await page.keyboard.press("d");
  await page.getByRole("heading", { name: "Rule" }).waitFor();
});

testPage("a pass's ends are compared with one key", {}, async ({ page, vizd }) => {
  const { matches } = await openPass(page, vizd, "devectorize");
  await page.keyboard.press("e");
  await waitForMatch(page, matches);
  await page.getByText("compared with the input").waitFor();
});

testPage("matches of two passes are compared", {}, async ({ page, vizd }) => {
  await openPass(page, vizd, "expander", "&match=2");
  await page.keyboard.press("m");
  await page.getByText("marked match 2").waitFor();
  await page
    .getByRole("treeitem", { name: /^devectorize/ })
    .first()
    .click();
  await page.locator(".graph-head", { hasText: "devectorize" }).waitFor();
  await page.keyboard.press("d");
  await page.getByText(/compared with match 2 of .* › expander/).waitFor();
  await page.getByRole("heading", { name: "Only in the other" }).waitFor();
  await page.locator(".diff .added, .diff .removed").first().waitFor();
  await page.keyboard.press("x");
  await page.locator(".graph-head", { hasText: "expander" }).waitFor();
  await waitForMatch(page, 2);
});

testPage("a node's life leads to who made it and who removed it", {}, async ({ page, vizd }) => {
  const { context, pass } = await openPass(page, vizd, "devectorize");
  const told = await readMatches(page, context, pass);
  const at = told.nodes.id.findIndex((id, i) => told.deaths.id.includes(id) && told.nodes.inlined[i] === 0);
  const node = told.nodes.id[at]!;
  const born = told.nodes.born[at]!;
  const gone = told.deaths.state[told.deaths.id.indexOf(node)]!;
  await openPass(page, vizd, "devectorize", `&node=${node}&tab=node`);
  await page.locator(".biography li").first().waitFor();
  await page.keyboard.press("p");
  await waitForMatch(page, born);
  await page.locator(".biography li.current", { hasText: "made by" }).waitFor();
  await page.getByRole("button", { name: `gone ${gone}` }).click();
  await waitForMatch(page, gone);
  await page.getByText(`It is not in the graph at match ${gone}.`).waitFor();
  await page.locator(".graph").focus(); // the inspector keeps the keys that scroll it
  await page.keyboard.press("Home");
  await waitForMatch(page, 0);
  await page.keyboard.press("Shift+ArrowRight");
  await waitForMatch(page, born);
  await page.keyboard.press("Shift+P");
  await waitForMatch(page, gone);
  await eventually(async () => assert.equal(await shownMatch(page), String(gone)));
});
