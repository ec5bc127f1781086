// JupyterLab in a real browser, for scripts/test-jupyter: node lab.mjs URL FOLDER WAY: a notebook shows the capture in
// FOLDER, by WAY ("proxy" or "port"), and shows it anew when that is written anew; the launcher opens vizd.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { browserOptionsWith } from "../../web/browser.mjs";

const [url, folder, way] = process.argv.slice(2);
const { chromium } = createRequire(new URL("../../web/", import.meta.url))("playwright-core");
const kPatience_ms = 120_000;

/** Writes a capture with one event of that name, whole or not at all. */
function record(name) {
  const program = `
import os, sys, vizd
with vizd.Capture(sys.argv[1] + ".part") as c:
    c.event(c.track("main", "thread"), sys.argv[2], 0, 1000)
os.replace(sys.argv[1] + ".part", sys.argv[1])`;
  execFileSync(process.env.PYTHON, ["-B", "-c", program, join(folder, "run.bin"), name]);
}

async function showInNotebook(page) {
  await page.goto(`${url}lab/workspaces/notebook/tree/show.ipynb?reset&token=test`);
  const shown = page.locator('iframe[title="vizd"]');
  // A cell that is run before its kernel is there, or its editor, is not run.
  let begin_ms = Date.now();
  for (
    const end_ms = begin_ms + kPatience_ms;
    (await shown.count()) === 0 && begin_ms < end_ms;
    begin_ms = Date.now()
  ) {
    await page.locator(".jp-Notebook .cm-content").first().click();
    begin_ms = Date.now();
    await page.keyboard.press("Shift+Enter");
    if (
      await shown.waitFor({ timeout: 5000 }).then(
        () => true,
        () => false,
      )
    )
      break;
  }
  const src = new URL(await shown.getAttribute("src"));
  const wanted = way === "proxy" ? new RegExp(`^${new URL(url).pathname}proxy/\\d+/$`) : /^\/$/;
  assert.match(src.pathname, wanted);
  const frame = page.frameLocator('iframe[title="vizd"]');
  await frame.getByText("before it").first().waitFor();
  console.log(`holds: by its ${way} a notebook shows the capture, after ${Date.now() - begin_ms} ms`);
  record("after it");
  await frame.getByText("after it").first().waitFor();
  console.log("holds: written anew, it is shown anew");
}

async function openFromLauncher(context, page) {
  await page.goto(`${url}lab/workspaces/launcher?reset&token=test`);
  const popup = context.waitForEvent("page");
  await page.locator(".jp-LauncherCard", { hasText: "vizd" }).click();
  const opened = await popup;
  opened.setDefaultTimeout(kPatience_ms);
  await opened.getByText("after it").first().waitFor();
  assert.equal(new URL(opened.url()).pathname, `${new URL(url).pathname}vizd/`);
  console.log("holds: the launcher opens the folder's captures");
}

const browser = await chromium.launch(browserOptionsWith("--host-resolver-rules=MAP hub.example 127.0.0.1"));
try {
  const context = await browser.newContext({ viewport: { width: 1400, height: 1000 } });
  context.setDefaultTimeout(kPatience_ms);
  const page = await context.newPage();
  record("before it");
  await showInNotebook(page);
  if (way === "proxy") await openFromLauncher(context, page);
} finally {
  await browser.close();
}
