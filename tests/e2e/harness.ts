// The ground of the page's tests: a real vizd on a free port, a real browser, and the wish that neither complains.
import assert from "node:assert/strict";
import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { after, test } from "node:test";
import {
  chromium,
  type Browser,
  type BrowserContextOptions,
  type Download,
  type Locator,
  type Page,
} from "playwright-core";
import { browserOptions } from "../../web/browser.mjs";

const top = process.env.VIZD_TOP ?? process.cwd();
/** A deadline for machines under load, not a time to expect. */
const kPatience_ms = 20_000;
const kLookAgain_ms = 50;

/** The capture of tests/data, copied to where a test may write over it. */
export interface Capture {
  folder: string;
  kernels: string;
  profile: string;
}

export interface Vizd {
  /** As printed: with the token in its fragment. */
  url: string;
  /** Without the fragment. */
  origin: string;
  process: ChildProcess;
}

export interface Stage {
  page: Page;
  vizd: Vizd;
  capture: Capture;
  /** Requests since the page was opened, by path. */
  requests: string[];
  /** Messages of the console that the test itself provokes. */
  expected: RegExp[];
}

interface StageOptions {
  /** Arguments of vizd; by default the capture's two files. */
  args?: (capture: Capture) => string[] | Promise<string[]>;
  context?: BrowserContextOptions;
  /** The environment of vizd, beside what it has from the test. */
  environment?: Record<string, string>;
  /** Appended to the printed URL; by default the view of rewrites, or where there are none what suits first. */
  fragment?: string;
}

let browser: Promise<Browser> | undefined;
const savedFolders: string[] = [];
after(async () => {
  await (await browser)?.close();
  for (const folder of savedFolders) await rm(folder, { recursive: true, force: true });
});

/** The browser that web/test.mjs keeps for this file and others, or one of its own. */
export function launch(): Promise<Browser> {
  const running = process.env.VIZD_BROWSER;
  browser ??= running ? chromium.connect(running) : chromium.launch(browserOptions);
  return browser;
}

export async function copyCapture(): Promise<Capture> {
  const folder = await mkdtemp(join(tmpdir(), "vizd-e2e-"));
  const data = join(top, "tests/data/tinygrad-2025-09");
  const capture = { folder, kernels: join(folder, "ramp.rewrites.pkl"), profile: join(folder, "ramp.profile.pkl") };
  await copyFile(join(data, "ramp.rewrites.pkl"), capture.kernels);
  await copyFile(join(data, "ramp.profile.pkl"), capture.profile);
  return capture;
}

export function findBinary(): string {
  const candidates = [process.env.VIZD_BINARY, join(top, "build/dev/vizd"), join(top, "build/release/vizd")];
  const found = candidates.find((path) => path !== undefined && existsSync(path));
  assert.ok(found !== undefined, "build vizd first: scripts/build");
  return found;
}

export async function startVizd(
  args: string[],
  folder: string,
  port = 0,
  environment: Record<string, string> = {},
): Promise<Vizd> {
  const env = { ...process.env, XDG_STATE_HOME: folder, TMPDIR: folder, ...environment };
  const child = spawn(findBinary(), ["--port", String(port), "--log-level", "error", ...args], {
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const line = once(createInterface(child.stdout!), "line") as Promise<[string]>;
  const exit = once(child, "exit").then(([code]) => Promise.reject(new Error(`vizd ended with ${code}`)));
  const [url] = await Promise.race([line, exit]);
  return { url, origin: url.slice(0, url.indexOf("#")), process: child };
}

export async function stopVizd(vizd: Vizd): Promise<void> {
  if (vizd.process.exitCode !== null) return;
  vizd.process.kill("SIGTERM");
  await once(vizd.process, "exit");
}

/**
 * Waits until a check of the page holds. What a click brings comes later, on a quick machine as on a slow one. It
 * throws the check's own complaint if it never does.
 */
export async function eventually(check: () => Promise<void>): Promise<void> {
  const end_ms = Date.now() + kPatience_ms;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end_ms) throw error;
      await new Promise((resolve) => setTimeout(resolve, kLookAgain_ms));
    }
  }
}

/** Timers that are set for longer keep no page from being at rest: they are for what the user may do meanwhile. */
const kSoon_ms = 1000;

/** Runs in the page before its own scripts: notes the frames and timers that it still waits for. */
function noteWaiting(soon_ms: number): void {
  const waiting = new Set<string>();
  (window as unknown as { waiting: typeof waiting }).waiting = waiting;
  const { setTimeout: set, clearTimeout: clear } = window;
  const { requestAnimationFrame: request, cancelAnimationFrame: cancel } = window;
  const later = ((run: (...values: unknown[]) => void, delay_ms = 0, ...values: unknown[]) => {
    const id = set(() => {
      waiting.delete(`timer ${id}`);
      run(...values);
    }, delay_ms);
    if (delay_ms <= soon_ms) waiting.add(`timer ${id}`);
    return id;
  }) as typeof set;
  window.setTimeout = later;
  window.clearTimeout = (id) => {
    waiting.delete(`timer ${id}`);
    clear(id);
  };
  window.requestAnimationFrame = (draw) => {
    const id = request((now_ms) => {
      waiting.delete(`frame ${id}`);
      draw(now_ms);
    });
    waiting.add(`frame ${id}`);
    return id;
  };
  window.cancelAnimationFrame = (id) => {
    waiting.delete(`frame ${id}`);
    cancel(id);
  };
}

/** Waits until the page is at rest: it draws nothing and waits for no timer, as that which writes the camera's place. */
export async function atRest(page: Page): Promise<void> {
  await page.waitForFunction(() => (window as unknown as { waiting: Set<string> }).waiting.size === 0);
}

/** A file that the page saved, copied to where this test reads it: the browser's own folder is another process's. */
export async function pathOfSaved(saved: Download): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "vizd-e2e-saved-"));
  savedFolders.push(folder);
  const path = join(folder, saved.suggestedFilename());
  await saved.saveAs(path);
  return path;
}

/** Whether vizd compiles here: it needs clang, and a kernel that keeps a compiler from files (Landlock's version). */
export function canCompile(): boolean {
  const asked = "import ctypes, sys; sys.exit(ctypes.CDLL(None).syscall(444, None, 0, 1) < 1)";
  return existsSync("/usr/bin/clang") && spawnSync("python3", ["-c", asked]).status === 0;
}

/** A test with the page open on vizd. Fails on any error of the page or its console. */
export function testPage(name: string, options: StageOptions, body: (stage: Stage) => Promise<void>): void {
  test(name, async () => {
    const capture = await copyCapture();
    const args = (await options.args?.(capture)) ?? ["--kernels", capture.kernels, "--profile", capture.profile];
    const vizd = await startVizd(args, capture.folder, 0, options.environment);
    const context = await (await launch()).newContext(options.context ?? {});
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(kPatience_ms);
      await page.addInitScript(noteWaiting, kSoon_ms);
      const complaints: string[] = [];
      const stage: Stage = { page, vizd, capture, requests: [], expected: [] };
      page.on("console", (message) => {
        if (message.text().includes("willReadFrequently")) return; // tests look at pixels again and again
        if (message.type() === "error" || message.type() === "warning")
          complaints.push(`${message.text()} (${message.location().url})`);
      });
      page.on("pageerror", (error) => complaints.push(String(error.stack)));
      page.on("request", (request) => stage.requests.push(new URL(request.url()).pathname));
      await page.goto(vizd.url + (options.fragment ?? "&view=rewrites"));
      await body(stage);
      const unexpected = complaints.filter((text) => !stage.expected.some((pattern) => pattern.test(text)));
      assert.deepEqual(unexpected, [], "the console is quiet");
    } finally {
      await context.close();
      await stopVizd(vizd);
      await rm(capture.folder, { recursive: true, force: true });
    }
  });
}

/** The rooms of views that stand in one with others, and what their tabs say there. */
const kRooms: Readonly<Record<string, readonly [room: string, tab: string]>> = {
  Kernels: ["Kernels", "Table"],
  "Call tree": ["Kernels", "Call tree"],
  Collectives: ["Kernels", "Collectives"],
  Operators: ["Kernels", "Operators"],
  Sequences: ["Kernels", "Sequences"],
  Graph: ["Kernels", "Graph"],
  Layers: ["Kernels", "Layers"],
  Steps: ["Kernels", "Steps"],
  "Nodes compared": ["Compare", "Nodes"],
  Rewrites: ["Compiler", "Rewrites"],
  Rules: ["Compiler", "Rules"],
  Program: ["Compiler", "Program"],
  "Kernel graph": ["Compiler", "Kernel graph"],
  Inspector: ["Model", "Inspector"],
  Delegation: ["Model", "Delegation"],
  Values: ["Model", "Values"],
  Counters: ["Kernels", "Counters"],
};

/** The tab of a view among those of its room, which is on screen; of one that is alone in its room, that room's. */
export function tabOfView(page: Page, view: string): Locator {
  const [, tab] = kRooms[view] ?? ["", view];
  const nav = view in kRooms ? page.getByRole("navigation", { name: "Views" }) : page.locator(".top-bar nav");
  return nav.getByRole("button", { name: tab, exact: true });
}

/** The tab of a view's room. */
export function roomOfView(page: Page, view: string): Locator {
  const [room] = kRooms[view] ?? [view];
  return page.locator(".top-bar nav").getByRole("button", { name: room, exact: true });
}

/** Goes to a view as a person does: into its room, and to its tab there. Returns how many clicks that took. */
export async function goToView(page: Page, view: string): Promise<number> {
  const room = roomOfView(page, view);
  await room.waitFor();
  let clicks = 0;
  if ((await room.getAttribute("aria-current")) === null || !(view in kRooms)) {
    await room.click();
    clicks++;
  }
  await page.locator('.top-bar nav [aria-current="page"]').and(room).waitFor();
  const tab = tabOfView(page, view);
  if (view in kRooms && (await tab.getAttribute("aria-current")) === null) {
    await tab.click();
    clicks++;
  }
  await tab.and(page.locator('[aria-current="page"]')).waitFor();
  return clicks;
}
