// The table of rules on a real capture: its order and filter, and the way to a match and back.
import assert from "node:assert/strict";
import { goToView, testPage, eventually } from "./harness";
import { openPass, settledUrl, waitForMatch } from "./rewrites-stage";

testPage("rules are listed, sorted, filtered, and lead to their matches and back", {}, async ({ page }) => {
  await goToView(page, "Rules");
  const table = page.getByRole("table", { name: "Rules" });
  await table.waitFor();
  const rows = table.locator("tbody tr");
  const count = await rows.count();
  assert.ok(count > 5);
  const readColumn = (n: number) =>
    rows.evaluateAll((all, c) => all.map((row) => Number(row.children[c]!.textContent.replace(/\D/g, ""))), n);
  const matches = await readColumn(1);
  assert.deepEqual(
    matches,
    matches.toSorted((a, b) => b - a),
    "most matches first",
  );
  await table.getByRole("button", { name: "Made" }).click();
  await page.waitForFunction(() => location.hash.includes("by=-added"));
  const made = await readColumn(2);
  assert.deepEqual(
    made,
    made.toSorted((a, b) => b - a),
  );

  await page.keyboard.press("/");
  await page.keyboard.insertText("symbolic.py");
  await page.waitForFunction((n) => document.querySelectorAll("table.details tbody tr").length < n, count);
  await page.keyboard.press("Enter");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => location.hash.includes("rule="));
  const place = await settledUrl(page);
  const name = await table.locator("tr.current .rule-name").textContent();
  assert.match(name!, /^symbolic\.py:\d+$/);

  const first = page.getByRole("listbox", { name: "Matches of the rule" }).getByRole("option").first();
  const match = Number(/match ([\d,]+)/.exec((await first.textContent())!)![1]);
  await first.click();
  await waitForMatch(page, match);
  await page.locator(".section", { hasText: "among all rules" }).getByText(name!).waitFor();
  await page.goBack();
  await table.locator("tr.current").waitFor();
  assert.equal(await settledUrl(page), place);
});

testPage("the table of rules is shown while passes are replayed, and grows", {}, async ({ page }) => {
  let isDone = false;
  await page.route(/\/api\/v1\/rules(\?|$)/, async (route) => {
    let answer = await route.fetch();
    while (answer.status() === 202) answer = await route.fetch();
    if (isDone) return route.fulfill({ response: answer });
    const whole = (await answer.json()) as { matches: number; rules: Record<string, unknown[] | null> };
    const rules = Object.fromEntries(
      Object.entries(whole.rules).map(([name, all]) => [name, all?.slice(0, 3) ?? null]),
    );
    const soFar = { ...whole, rules, undoes: [], progress: { done: 21, of: whole.matches } };
    return route.fulfill({ status: 202, json: soFar });
  });
  await goToView(page, "Rules");
  const rows = page.getByRole("table", { name: "Rules" }).locator("tbody tr");
  await page.getByText("3 rules · so far, 21 of").waitFor();
  assert.equal(await rows.count(), 3);
  await page.getByRole("progressbar", { name: "Counting what every rule did" }).waitFor();
  isDone = true;
  await page.getByText("in the capture").waitFor();
  assert.ok((await rows.count()) > 5);
  await page.getByRole("progressbar").waitFor({ state: "detached" });
});

testPage("from a match to its rule among all", {}, async ({ page, vizd }) => {
  await openPass(page, vizd, "devectorize", "&match=4");
  const rule = await page.locator(".source-line a").first().textContent();
  await page.keyboard.press("g");
  await page.getByRole("table", { name: "Rules" }).locator("tr.current", { hasText: rule! }).waitFor();
});

testPage("matches are found by their rule, over the whole capture", {}, async ({ page, vizd }) => {
  await openPass(page, vizd, "devectorize", "&tab=find&in=matches&search=symbolic.py");
  const found = page.getByRole("listbox", { name: "Matches found" }).getByRole("option");
  await found.first().waitFor();
  await page.keyboard.press("n");
  await page.locator(".hit.current").waitFor();
  const match = Number((await page.locator(".hit.current .number").textContent())!.replace(",", ""));
  await waitForMatch(page, match);
});

testPage(
  "G shows the match's rule among all rules, wherever in the table it stands",
  { context: { viewport: { width: 1280, height: 330 } } },
  async ({ page, vizd }) => {
    await openPass(page, vizd, "devectorize", "&match=5");
    await page.keyboard.press("g");
    const row = page.getByRole("table", { name: "Rules" }).locator("tr.current");
    await row.waitFor();
    const isSeen = () => {
      const { top, bottom } = document.querySelector("tr.current")!.getBoundingClientRect();
      const view = document.querySelector(".rules .scroll")!.getBoundingClientRect();
      return top >= view.top && bottom <= view.bottom + 1;
    };
    await page.waitForFunction(isSeen);
    await page.keyboard.press("ArrowDown");
    for (let i = 0; i < 12; i++) await page.keyboard.press("ArrowDown");
    await page.waitForFunction(isSeen);
    await eventually(async () =>
      assert.ok(
        await page.evaluate(() => document.querySelector(".rules .scroll")!.scrollTop > 0),
        "there was a need to",
      ),
    );
  },
);
