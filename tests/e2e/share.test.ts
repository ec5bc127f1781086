// Taking away what is on screen: as a link, a picture, a table; and the document's title says where one is.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { Download, Page } from "playwright-core";
import { eventually, goToView, pathOfSaved, testPage } from "./harness";

const context = { permissions: ["clipboard-read", "clipboard-write"] };

async function copyLink(page: Page): Promise<URL> {
  await page.keyboard.press("y");
  await page.getByRole("button", { name: "copied", exact: true }).waitFor();
  return new URL(await page.evaluate(() => navigator.clipboard.readText()));
}

async function save(page: Page, what: RegExp, menu: RegExp = /^Export$/): Promise<Download> {
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: menu }).first().click();
  await page.getByRole("button", { name: what }).click();
  return download;
}

testPage("a link names all that is on screen, also at the default place", { context }, async ({ page, vizd }) => {
  await page.locator(".crumbs").waitFor();
  const link = await copyLink(page);
  assert.equal(link.origin + link.pathname, vizd.origin);
  const keys = new URLSearchParams(link.hash.slice(1));
  assert.equal(keys.get("capture"), "ramp");
  assert.equal(keys.get("view"), "rewrites");
  assert.match(keys.get("context") ?? "", /^\d+:/);
  assert.match(keys.get("pass") ?? "", /^\d+:/);
  assert.match(keys.get("match") ?? "", /^\d+$/);
  assert.equal(keys.get("token"), null, "the token is nobody else's");

  await goToView(page, "Timeline");
  await page.locator(".lane-head").first().waitFor();
  await page.getByRole("radio", { name: "by name and lane" }).click();
  const table = page.getByRole("table", { name: "Events by name" });
  await table.getByRole("button", { name: "Median" }).click();
  await page.waitForFunction(() => /table=lanes/.test(location.hash));
  const first = await table.locator("tbody tr").first().innerText();
  const there = await copyLink(page);
  await page.goto("about:blank");
  await page.goto(there.href);
  await table.locator("tbody tr").first().waitFor();
  await eventually(async () =>
    assert.equal(await table.locator("tbody tr").first().innerText(), first, "the table is as it was"),
  );
});

testPage("the title says where one is", {}, async ({ page }) => {
  await page.locator(".crumbs").waitFor();
  const title = () => page.title();
  await eventually(async () => assert.match(await title(), /^Schedule.* › .* – ramp – vizd$/));
  await page.keyboard.press("End");
  await goToView(page, "Program");
  await page.locator(".program-head h2").waitFor();
  await page.waitForFunction(() => document.title.startsWith(document.querySelector(".program-head h2")!.textContent!));
  await goToView(page, "Timeline");
  await page.waitForFunction(() => document.title === "Timeline – ramp – vizd");
});

testPage("the graph is saved as SVG and PNG, whole", {}, async ({ page }) => {
  await page.locator(".crumbs").waitFor();
  const svg = await save(page, /SVG/, /^View/);
  assert.match(svg.suggestedFilename(), /^Schedule-.*-match-\d+\.svg$/);
  const text = await readFile(await pathOfSaved(svg), "utf8");
  const problems = await page.evaluate((source) => {
    const parsed = new DOMParser().parseFromString(source, "image/svg+xml");
    return {
      broken: parsed.querySelector("parsererror")?.textContent ?? null,
      texts: [...parsed.querySelectorAll("text")].map((node) => node.textContent),
      strange: [...parsed.querySelectorAll("*")].filter((node) => !/^(svg|title|rect|path|text)$/.test(node.tagName))
        .length,
    };
  }, text);
  assert.equal(problems.broken, null);
  assert.equal(problems.strange, 0);
  assert.ok(problems.texts.includes("SINK"), "labels are text");
  const png = await save(page, /PNG/, /^View/);
  const bytes = await readFile(await pathOfSaved(png));
  assert.deepEqual([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  assert.ok(bytes.readUInt32BE(16) > 200, "as wide as the graph");
});

testPage("the lanes on screen are saved as PNG, with their names", {}, async ({ page }) => {
  await goToView(page, "Timeline");
  await page.locator(".lane-head").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to" }).fill("lanes on screen as PNG");
  const download = page.waitForEvent("download");
  await page.keyboard.press("Enter");
  const saved = await download;
  assert.equal(saved.suggestedFilename(), "ramp-lanes.png");
  const bytes = await readFile(await pathOfSaved(saved));
  const plot = (await page.locator(".timeline-plot").boundingBox())!;
  assert.equal(bytes.readUInt32BE(16), Math.round(plot.width + 204));
});

testPage("tables are taken as Markdown", { context }, async ({ page }) => {
  await goToView(page, "Timeline");
  await page.getByRole("table", { name: "Events by name" }).locator("tbody tr").first().waitFor();
  await page.getByRole("button", { name: "Export", exact: true }).click();
  await page.getByRole("button", { name: "Copy as Markdown" }).click();
  await page.getByRole("button", { name: "copied" }).waitFor();
  const text = await page.evaluate(() => navigator.clipboard.readText());
  const lines = text.trimEnd().split("\n");
  assert.match(lines[0]!, /^\| name \| count \| total_ns \|/);
  assert.match(lines[1]!, /^\| --- \| ---: \|/);
  const rows = await page.getByRole("table", { name: "Events by name" }).locator("tbody tr").count();
  assert.equal(lines.length - 2, rows);
});

testPage("lines of source open in the editor that is set", {}, async ({ page }) => {
  await page.locator(".source-line a").first().waitFor();
  const link = () => page.locator(".source-line a").first().getAttribute("href");
  await eventually(async () => assert.match((await link())!, /^vscode:\/\/file\/.*:\d+$/));
  await page.keyboard.press("Control+,");
  await page.getByLabel("ssh host").fill("box");
  await page.getByLabel("Editor").selectOption("cursor");
  await page.keyboard.press("Escape");
  await eventually(async () => assert.match((await link())!, /^cursor:\/\/vscode-remote\/ssh-remote\+box\/.*:\d+$/));
  await page.reload();
  await page.locator(".source-line a").first().waitFor();
  await eventually(async () => assert.match((await link())!, /^cursor:/, "remembered"));
});

testPage("a place is bookmarked with a note, gone to by name, and taken along as a file", {}, async ({ page }) => {
  await page.locator(".crumbs").waitFor();
  await page.keyboard.press("End");
  await page.waitForFunction(() => /match=\d/.test(location.hash));
  await page.keyboard.press("Shift+B");
  await page.getByLabel("Name of the bookmark").fill("the end");
  await page.getByLabel("Note", { exact: true }).fill("look here");
  await page.keyboard.press("Enter");
  await page.locator(".bookmarks li").filter({ hasText: "look here" }).waitFor();
  const download = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save as a file" }).click();
  const saved = await download;
  assert.equal(saved.suggestedFilename(), "ramp.bookmarks.json");
  const path = await pathOfSaved(saved);
  const { bookmarks } = JSON.parse(await readFile(path, "utf8")) as { bookmarks: { name: string; place: string }[] };
  assert.deepEqual(
    bookmarks.map(({ name }) => name),
    ["the end"],
  );
  await page.getByRole("button", { name: "Remove the end" }).click();
  await page.getByText("None yet.").waitFor();
  await page.getByLabel("A file of bookmarks").setInputFiles(path);
  await page.getByText("1 bookmark read").waitFor();
  await page.keyboard.press("Escape");
  await goToView(page, "Rules");
  await page.getByRole("table", { name: "Rules" }).waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to" }).fill("the end");
  await page.keyboard.press("Enter");
  await page.waitForFunction((place) => location.hash === place, bookmarks[0]!.place);
  await page.locator(".crumbs").waitFor();
});

testPage("on paper there is what is shown, and nothing to press", {}, async ({ page }) => {
  await goToView(page, "Timeline");
  const rows = page.getByRole("table", { name: "Events by name" }).locator("tbody tr");
  await rows.first().waitFor();
  await page.emulateMedia({ media: "print" });
  await eventually(async () => assert.equal(await page.getByRole("button", { name: "Copy link" }).isVisible(), false));
  await eventually(async () => assert.equal(await page.locator("nav").filter({ visible: true }).count(), 0));
  const last = (await rows.last().boundingBox())!;
  const drawer = (await page.locator(".timeline-drawer").boundingBox())!;
  assert.ok(last.y + last.height <= drawer.y + drawer.height + 1, "the whole table is there");
  const white = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  assert.equal(white, "rgb(255, 255, 255)");
});
