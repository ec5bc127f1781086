// A capture is handed to the running vizd: chosen, or dropped on the page; it opens beside the others.
import assert from "node:assert/strict";
import { mkdtempSync, readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { testPage, eventually } from "./harness";

const top = process.env.VIZD_TOP ?? process.cwd();
const folder = join(top, "tests/golden/tinygrad/rewrite_error/input");
const files = ["rewrites", "profile"].map((role) => join(folder, `rewrite_error.${role}.pkl`));
const cache = mkdtempSync(join(tmpdir(), "vizd-cache-"));
const environment = { XDG_CACHE_HOME: cache };

/** As if they were dragged from a folder. */
async function drop(page: Page, names: readonly string[]): Promise<void> {
  const contents = await Promise.all(names.map(async (name) => [name, (await readFile(name)).toString("base64")]));
  await page.evaluate((list) => {
    const data = new DataTransfer();
    for (const [name, text] of list) {
      const bytes = Uint8Array.from(atob(text!), (c) => c.charCodeAt(0));
      data.items.add(new File([bytes], name!.split("/").pop()!));
    }
    for (const type of ["dragover", "drop"])
      window.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
  }, contents);
}

testPage("a chosen pair opens as one capture, beside the first", { environment }, async ({ page }) => {
  await page.locator(".crumbs").waitFor();
  await page.getByLabel("Captures to open").setInputFiles(files);
  await page.waitForFunction(() => location.hash.includes("capture=rewrite_error"));
  await page.getByRole("button", { name: "1 error" }).waitFor();
  const names = await page.getByLabel("Capture", { exact: true }).locator("option").allInnerTexts();
  assert.deepEqual(names, ["ramp", "rewrite_error"]);
  const runs = readdirSync(join(cache, "vizd/uploads"));
  assert.equal(runs.length, 1, "a folder for this vizd alone");
  assert.deepEqual(readdirSync(join(cache, "vizd/uploads", runs[0]!, "contents/captures")).sort(), [
    "rewrite_error.profile.pkl",
    "rewrite_error.rewrites.pkl",
  ]);
});

testPage("a dropped file opens; one of no known format says so", { environment }, async ({ page, expected }) => {
  const runs = readdirSync(join(cache, "vizd/uploads"));
  assert.equal(runs.length, 1, "what the last vizd was sent went with it");
  await page.locator(".crumbs").waitFor();
  await drop(page, [join(top, "README.md")]);
  expected.push(/400 \(Bad Request\)/);
  await page.getByRole("alert").filter({ hasText: "README.md: this is not a format that vizd reads" }).waitFor();
  await drop(page, [files[0]!]);
  await page.waitForFunction(() => /capture=rewrite_error/.test(location.hash));
  await eventually(async () => assert.equal(await page.getByRole("alert").count(), 0));
});

testPage(
  "with --no-upload there is no way in",
  { environment, args: ({ kernels }) => ["--no-upload", "--kernels", kernels] },
  async ({ page, expected }) => {
    await page.locator(".crumbs").waitFor();
    await eventually(async () => assert.equal(await page.getByRole("button", { name: "Open…" }).count(), 0));
    const status = await page.evaluate(async () => {
      const headers = { "Content-Type": "application/octet-stream" };
      return (await fetch("/api/v1/captures?name=x", { method: "POST", body: "x", headers })).status;
    });
    assert.equal(status, 405);
    expected.push(/405 \(Method Not Allowed\)/);
    await drop(page, [files[0]!]);
    await page.getByRole("alert").filter({ hasText: "takes no captures" }).waitFor();
  },
);
