// The page opened again and again in the first second of a start, while vizd still reads: it always comes to show the
// capture.
import assert from "node:assert/strict";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { BrowserContext, Page } from "playwright-core";
import type { SessionInfo } from "../../web/src/lib/wire";
import { copyCapture, launch, startVizd, stopVizd, type Capture, type Vizd } from "./harness";

/** Ten make a hundred pages: VIZD_STARTS=10, for whoever changes how a page opens. */
const kStarts = Number(process.env.VIZD_STARTS ?? 3);
const kOpensOfStart = 10;
const kSpread_ms = 90;
const kPatience_ms = 60_000;

/** A trace that takes about a second to read. */
async function writeLargeTrace({ folder }: Capture): Promise<string> {
  const events: string[] = [];
  for (let i = 0; i < 400_000; i++) {
    const name = `kernel_${i % 97}`;
    events.push(JSON.stringify({ ph: "X", cat: "kernel", name, pid: 0, tid: 7, ts: 10 * i, dur: 8, args: { n: i } }));
  }
  const path = join(folder, "large.json.gz");
  await writeFile(path, gzipSync(`{"traceEvents":[${events.join(",")}]}`, { level: 1 }));
  return path;
}

/** Half of the pages are tabs of one browser, which share a stream of events; the others are strangers to each other. */
async function openPages(): Promise<{ contexts: BrowserContext[]; pages: Page[] }> {
  const browser = await launch();
  const contexts: BrowserContext[] = [];
  const pages: Page[] = [];
  for (let i = 0; i < kOpensOfStart; i++) {
    if (i === 0 || i % 2 === 1) contexts.push(await browser.newContext({ viewport: { width: 700, height: 500 } }));
    pages.push(await (i % 2 === 0 ? contexts[0]! : contexts.at(-1)!).newPage());
  }
  return { contexts, pages };
}

async function isReading({ url, origin }: Vizd): Promise<boolean> {
  const token = /token=([^&]+)/.exec(url)![1]!;
  const answer = await fetch(`${origin}api/v1/session`, { headers: { Authorization: `Bearer ${token}` } });
  return !((await answer.json()) as SessionInfo).captures[0]!.has_profile;
}

test("a page that is opened in the first second of a start shows the capture, each time", async () => {
  const capture = await copyCapture();
  const trace = await writeLargeTrace(capture);
  let openedWhileReading = 0;
  for (let start = 0; start < kStarts; start++) {
    const { contexts, pages } = await openPages();
    // None has what the one before has kept.
    const cache = { XDG_CACHE_HOME: join(capture.folder, `cache-${start}`) };
    const vizd = await startVizd([trace], capture.folder, 0, cache);
    try {
      const complaints: string[] = [];
      await Promise.all(
        pages.map(async (page, i) => {
          page.on("console", (said) => {
            // The server refuses some of so many requests at once for now, and tiles of a part of the file are gone
            // with that.
            const isExpected = /503/.test(said.text()) || /\/tiles\/|[?&]key=/.test(said.location().url);
            if (said.type() === "error" && !isExpected) complaints.push(`${said.text()} (${said.location().url})`);
          });
          page.on("pageerror", (error) => complaints.push(String(error.stack)));
          await new Promise((resolve) => setTimeout(resolve, kSpread_ms * i));
          if (await isReading(vizd)) openedWhileReading++;
          const view = i % 2 === 0 ? "timeline" : "overview";
          await page.goto(`${vizd.url}&view=${view}`, { waitUntil: "commit" });
          const shown = page.locator(view === "timeline" ? ".lane-head" : ".overview-figures li");
          await shown.first().waitFor({ timeout: kPatience_ms });
        }),
      );
      assert.deepEqual(complaints, [], `start ${start}`);
    } finally {
      await Promise.all(contexts.map((context) => context.close()));
      await stopVizd(vizd);
    }
  }
  assert.ok(openedWhileReading > 0, "some were opened while there was nothing to show");
  await rm(capture.folder, { recursive: true, force: true });
});
