// DNS rebinding in a real browser: a page of evil.example, a name that leads to this machine by now, asks vizd for what
// captures hold. To the browser that is its own site; vizd, started without a token, must see through it.
import assert from "node:assert/strict";
import { rm } from "node:fs/promises";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { browserOptionsWith } from "../../web/browser.mjs";
import { copyCapture, startVizd, stopVizd } from "./harness";

const kSite = "evil.example";

/** Tries of a foreign page, and all that it got to read. */
async function attack(): Promise<{ plain: string[]; smuggled: string[] }> {
  const read = async (path: string, options?: RequestInit) => {
    try {
      return await (await fetch(path, options)).text();
    } catch (error) {
      return String(error);
    }
  };
  const plain: string[] = [];
  for (const path of ["/api/v1/session", "/api/v1/contexts", "/ctxs", "/api/v1/text/0/0/0", "/metrics"])
    plain.push(await read(path));
  // Bodies that are a request by themselves, after a line that the server answers before it has read the body. Where
  // the connection stays open, the next request that the browser sends on it gets the hidden one's answer.
  const smuggled: string[] = [];
  for (const path of ["/api/v1/rules", "/api/v1/rewrites/3/3", "/api/v1/events", "/api/v1/events"]) {
    const hidden = `GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`;
    const tries = [...Array(6)].map((_, i) => read(`/${"x".repeat(9000)}${i}`, { method: "POST", body: hidden }));
    const next = [...Array(24)].map((_, i) => read(`/y${i}`));
    smuggled.push(...(await Promise.all([...tries, ...next])));
  }
  return { plain, smuggled };
}

test("a rebound name reads nothing, neither by asking nor by requests hidden in bodies", async () => {
  const capture = await copyCapture();
  const vizd = await startVizd(["--no-token", capture.kernels], capture.folder);
  const origin = vizd.url.trim().replace(/\/$/, "");
  const site = `http://${kSite}:${new URL(origin).port}`;
  const browser = await chromium.launch(
    browserOptionsWith(
      `--host-resolver-rules=MAP ${kSite} 127.0.0.1`,
      // Newer browsers keep public sites from this machine by themselves: here vizd is to stand alone.
      "--disable-features=BlockInsecurePrivateNetworkRequests,PrivateNetworkAccessSendPreflights,LocalNetworkAccessChecks",
    ),
  );
  try {
    const page = await browser.newPage();
    // The page itself came while the name led elsewhere; all that it asks for goes to vizd.
    await page.route(`${site}/`, (route) => route.fulfill({ contentType: "text/html", body: "<h1>evil</h1>" }));
    await page.goto(`${site}/`);
    const { plain, smuggled } = await page.evaluate(attack);
    assert.equal(plain.length, 5);
    for (const text of plain) assert.match(text, /this server answers as localhost/);
    const leaked = [...plain, ...smuggled].filter((text) => /ramp|"revision"|event:/.test(text));
    assert.deepEqual(leaked, []);

    // vizd answers those who may ask: the silence above was no accident.
    const allowed = await (await fetch(`${origin}/api/v1/session`)).text();
    assert.match(allowed, /ramp/);
  } finally {
    await browser.close();
    await stopVizd(vizd);
    await rm(capture.folder, { recursive: true, force: true });
  }
});
