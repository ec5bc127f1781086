// The palette goes to anything: commands of every view, rules, programs, lanes, event names, lines of source.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { testPage, eventually } from "./harness";

/** Opens the palette, types, and takes the first entry of that detail. */
async function goTo(page: Page, text: string, detail: RegExp): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to" }).fill(text);
  const entry = page.getByRole("option").filter({ has: page.locator(".dim", { hasText: detail }) });
  await entry.first().click();
}

function waitForHash(page: Page, pattern: RegExp): Promise<unknown> {
  return page.waitForFunction((s) => new RegExp(s).test(decodeURIComponent(location.hash)), pattern.source);
}

testPage("anything is gone to by its name", {}, async ({ page }) => {
  await page.locator(".crumbs").waitFor();
  await goTo(page, "e_4n1", /^program$/);
  await waitForHash(page, /view=program.*context=\d+:E_4n1/);
  await goTo(page, "cpu memory", /^memory$/);
  await waitForHash(page, /view=timeline.*lanes\.top=CPU\+?.?Memory/);
  await goTo(page, "merge_views", /^events$/);
  await waitForHash(page, /find="merge_views"/);
  await page.getByRole("table", { name: "Events found" }).locator("tbody tr").first().waitFor();
  const rule = await page.evaluate(async () => {
    const wire = await (await fetch("/api/v1/contexts")).json();
    const used = new Set(wire.contexts.flatMap((c: { passes: { location: number[] } }) => c.passes.location));
    const at = wire.locations.findIndex((_: unknown, i: number) => !used.has(i));
    return `${wire.locations[at][0]}:${wire.locations[at][1]}` as string;
  });
  await goTo(page, rule, /^rule/);
  await waitForHash(page, /view=rules.*rule=/);
  await eventually(async () => assert.ok(decodeURIComponent(await page.evaluate(() => location.hash)).includes(rule)));
});

/** The first entries that the palette finds. */
async function findFirst(page: Page, text: string, count: number): Promise<string[]> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to" }).fill(text);
  const found = await page.getByRole("option").allInnerTexts();
  await page.keyboard.press("Escape");
  return found.slice(0, count).map((line) => line.replaceAll("\n", " "));
}

testPage(
  "what the view can do comes first, by the words that people use, and its own graph's passes",
  {},
  async (stage) => {
    const { page } = stage;
    await page.locator(".crumbs").waitFor();
    const saves = await findFirst(page, "export picture", 2);
    assert.match(saves.join(), /Save the graph as SVG.*Save the graph as PNG/);
    for (const words of ["idle", "memory peak", "stack"]) {
      const found = await findFirst(page, words, 3);
      assert.match(found.join(), /(Overview|Timeline|Memory) view/, words);
    }
    await goTo(page, "e_4n1 devectorize", /match/);
    await waitForHash(page, /context=\d+:E_4n1/);
    const [first, second] = await findFirst(page, "devectorize", 2);
    assert.match(first!, /^E_4n1 › devectorize/);
    assert.match(second!, /› devectorize [1-9]\d* match/, "then one with matches, of another graph");
  },
);

testPage("a command of another view opens that view first", {}, async ({ page }) => {
  await page.locator(".crumbs").waitFor();
  await goTo(page, "list programs by the time", /^Program/);
  await page.locator(".program-row.current").waitFor();
  await waitForHash(page, /programs=total_ns/);
});
