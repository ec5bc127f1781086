// The page shows the server's figures (docs/figures.md): the same in the timeline's table, at an event and in the list
// of programs, as copied and as saved.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { eventually, goToView, pathOfSaved, testPage } from "./harness";

interface Line {
  label: string;
  lane: number;
  count: number;
  total_ns: number;
  self_ns: number;
  mean_ns: number;
  median_ns: number;
}

function askLines(page: Page, lanes: readonly number[] | null): Promise<Line[]> {
  return page.evaluate(async (wanted) => {
    const { dur_ns } = (await (await fetch("/api/v1/lanes")).json()) as { dur_ns: number };
    const query = `from=0&to=${dur_ns}&by=lane${wanted === null ? "" : `&lanes=${wanted.join(",")}`}`;
    const { names } = (await (await fetch(`/api/v1/range?${query}`)).json()) as { names: Line[] };
    return names;
  }, lanes);
}

function readCsv(text: string): Record<string, string>[] {
  const [heads, ...lines] = text.trimEnd().split("\n");
  return lines.map((line) => Object.fromEntries(line.split(",").map((cell, i) => [heads!.split(",")[i], cell])));
}

async function saveCsv(page: Page): Promise<Record<string, string>[]> {
  await page.getByRole("button", { name: "Export", exact: true }).click();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as CSV" }).click();
  const saved = await download;
  const text = await readFile(await pathOfSaved(saved), "utf8");
  assert.match(saved.suggestedFilename(), /\.csv$/);
  return readCsv(text);
}

testPage("the table of a whole profile has the API's figures, by name and lane", {}, async ({ page }) => {
  await goToView(page, "Timeline");
  await page.getByRole("radio", { name: "by name and lane" }).click();
  await page.getByRole("button", { name: "Lane", exact: true }).waitFor();
  const rows = await saveCsv(page);
  const lines = await askLines(page, null);
  assert.equal(rows.length, lines.length);
  const strip = (label: string) => label.replace(/\u001b\[\d+m/g, "");
  for (const key of ["count", "total_ns", "self_ns", "mean_ns", "median_ns"] as const) {
    assert.deepEqual(
      rows.map((row) => `${row.name} ${row.lane} ${row[key]}`).sort(),
      lines.map((line) => `${strip(line.label)} ${["TINY", "CPU"][line.lane]} ${line[key]}`).sort(),
      key,
    );
  }
  assert.ok(
    rows.every((row) => Number(row.share) >= Number(row.wall_share)),
    "busy time is part of wall time",
  );
  await page.getByText(/busy .* over 2 lanes, .* of wall/).waitFor();
});

testPage("a program has one median: in the list, above its code, and at its event", {}, async ({ page }) => {
  await goToView(page, "Program");
  const current = page.locator(".program-row.current");
  await current.waitFor();
  await page.keyboard.press("l");
  await current.locator(".column-total_ns").waitFor();
  const rows = await saveCsv(page);
  const totals = rows.map((row) => Number(row.total_ns));
  assert.ok(totals.length > 3);
  assert.deepEqual(
    totals,
    [...totals].sort((a, b) => b - a),
    "L lists the slowest first",
  );
  const slowest = rows[0]!;
  await eventually(async () => assert.equal(await current.locator(".column-name").innerText(), slowest.name));
  const median = (await page.locator(".figures dt:text-is('Median') + dd").innerText()).trim();
  await page.getByRole("button", { name: "Rewrites" }).first().waitFor();
  const count = Number(slowest.count);
  await page.locator(".program-head").getByText(`${count} × ${median}`).waitFor();
  await page.getByTitle("Show it in the timeline").first().click();
  await page.locator(".event-name").filter({ hasText: slowest.name! }).waitFor();
  if (count > 1)
    await eventually(async () =>
      assert.equal(await page.locator(".facts dt:text-is('Median') + dd").innerText(), median),
    );
  const lines = await askLines(page, [1]);
  const line = lines.find(({ label }) => label.replace(/\u001b\[\d+m/g, "") === slowest.name)!;
  assert.deepEqual([line.count, line.total_ns, line.median_ns].map(String), [
    slowest.count,
    slowest.total_ns,
    slowest.median_ns,
  ]);
});
