// Questions in SQL: typed with completion, run, their rows followed, their history, and what is said of a wrong one.
import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { eventually, pathOfSaved, testPage, type Capture } from "./harness";

const onSql = { fragment: "&view=sql" };

testPage("a query is typed, run, and its row leads to the match it names", onSql, async ({ page }) => {
  const editor = page.getByRole("textbox", { name: "Query" });
  await editor.click();
  await page.keyboard.press("Control+A");
  await page.keyboard.insertText("SELECT id, state, rule FROM mat");
  await page.keyboard.type("c");
  await page.getByRole("option", { name: "match" }).waitFor();
  await page.keyboard.press("Tab");
  await eventually(async () => assert.equal(await editor.inputValue(), "SELECT id, state, rule FROM match"));
  await page.keyboard.insertText("\nWHERE state = 2 LIMIT 3");
  await page.keyboard.press("Control+Enter");
  const rows = page.getByRole("table", { name: "Result" }).locator("tbody tr");
  await rows.first().waitFor();
  await eventually(async () => assert.equal(await rows.count(), 3));
  assert.match(page.url(), /sql=SELECT/);
  await rows.first().getByRole("button", { name: "Go to the match" }).click();
  await page.waitForFunction(() => location.hash.includes("view=rewrites") && location.hash.includes("match=2"));
  await page.goBack();
  await rows.first().waitFor();
  await eventually(async () => assert.equal(await rows.count(), 3));
});

testPage("questions are asked, charted, exported, and back goes to the one before", onSql, async ({ page }) => {
  await page.clock.install();
  await page.reload();
  await page.getByRole("button", { name: "Which passes make the most matches?" }).click();
  const table = page.getByRole("table", { name: "Result" });
  await table.getByText("matches", { exact: true }).waitFor();
  await page.clock.fastForward(400); // what is asked within 0.3 s is one step of the history
  await page.getByRole("button", { name: "How much memory is in use over time?" }).click();
  await page.getByRole("img", { name: "Chart of bytes over ts" }).waitFor();
  await page.getByRole("button", { name: "Export" }).click();
  const saving = page.waitForEvent("download");
  await page.getByRole("button", { name: "Save all rows as CSV" }).click();
  const text = await readFile(await pathOfSaved(await saving), "utf8");
  assert.match(text, /^ts,bytes\n\d+,\d+\n/);
  await page.goBack();
  await table.getByText("passes", { exact: true }).waitFor();
  const editor = page.getByRole("textbox", { name: "Query" });
  await eventually(async () => assert.match(await editor.inputValue(), /FROM pass p/));
});

testPage("a wrong query is told where and why, and an endless one is cancelled", onSql, async ({ page, expected }) => {
  expected.push(/400/);
  const editor = page.getByRole("textbox", { name: "Query" });
  await editor.fill("SELECT *\nFORM slice");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("alert").getByText("line 2, column 1").waitFor();
  await editor.fill("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT count(*) FROM n");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("button", { name: "Run", exact: true }).waitFor();
  await editor.fill("SELECT 1 AS one");
  await page.keyboard.press("Control+Enter");
  await page.getByRole("table", { name: "Result" }).getByText("one", { exact: true }).waitFor();
});

const linked = { fragment: "&view=sql&sql=" + encodeURIComponent("SELECT 41 + 1 AS answer") };

testPage("a query that came with a link is shown and waits; once run, a reload runs it", linked, async ({ page }) => {
  const asked: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === "/api/v1/sql") asked.push(request.url());
  });
  const editor = page.getByRole("textbox", { name: "Query" });
  const waits = page.getByText("This query came with a link");
  const answer = page.getByRole("table", { name: "Result" }).getByText("42", { exact: true });
  await waits.waitFor();
  await page.reload();
  await waits.waitFor();
  await eventually(async () => assert.equal(await editor.inputValue(), "SELECT 41 + 1 AS answer"));
  // A link that is pasted into the open page, likewise.
  await page.evaluate(() => (location.hash = location.hash.replace("41", "40")));
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "SELECT 40 + 1 AS answer");
  await waits.waitFor();
  await page.goBack();
  await page.waitForFunction(() => document.querySelector("textarea")?.value === "SELECT 41 + 1 AS answer");
  assert.deepEqual(asked, []);
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await answer.waitFor();
  assert.equal(asked.length, 1);
  await page.reload();
  await answer.waitFor();
  assert.equal(asked.length, 2);
});

const top = process.env["VIZD_TOP"] ?? process.cwd();
const several = {
  args: (capture: Capture) => [capture.kernels, join(top, "tests/data/tinygrad-2026-08/ramp.rewrites.pkl")],
  fragment: "&view=sql",
};

testPage("several captures are asked as one, and a row leads into the one that it is of", several, async ({ page }) => {
  const run = async (query: string) => {
    await page.getByRole("textbox", { name: "Query" }).fill(query);
    await page.keyboard.press("Control+Enter");
  };
  const rows = page.getByRole("table", { name: "Result" }).locator("tbody tr");
  await run("SELECT id, name FROM capture ORDER BY id");
  await rows.first().waitFor();
  await eventually(async () => assert.equal(await rows.count(), 1));
  const { captures } = await page.evaluate(async () => (await fetch("/api/v1/session")).json());
  const [first, second] = captures.map((capture: { name: string }) => capture.name);
  await page.getByRole("button", { name: first, exact: true }).click();
  await page.getByRole("checkbox", { name: second, exact: true }).check();
  await page.keyboard.press("Escape");
  // The same query is asked again of both.
  await rows.nth(1).getByText(second).waitFor();
  await page.getByText(`${first}, ${second}`).waitFor();
  await page.waitForFunction(() => location.hash.includes("sqlwith="));
  await page.reload();
  await rows.nth(1).getByText(second).waitFor();

  await run("SELECT max(id) AS match_id FROM match");
  await page.getByRole("button", { name: `Go to the match of ${second}` }).click();
  await page.waitForFunction((name) => {
    const keys = new URLSearchParams(location.hash.slice(1));
    return keys.get("view") === "rewrites" && keys.get("capture") === name && keys.has("match");
  }, second);
  await page.goBack();
  await page.getByText(`${first}, ${second}`).waitFor();
});
