// The page's frame: the token, states without a graph, help, palette, themes, the list.
import assert from "node:assert/strict";
import { readFile, rm, writeFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { goToView, startVizd, stopVizd, testPage, type Capture, eventually } from "./harness";

testPage("the token leaves the URL and its cookie serves the next visit", {}, async ({ page, vizd }) => {
  await page.getByRole("treeitem").first().waitFor();
  assert.ok(!page.url().includes("token"), page.url());
  await page.goto(vizd.origin);
  await page.reload();
  await page.locator(".overview").waitFor();
});

testPage("without the token the page says what it wants", {}, async ({ page, vizd, expected }) => {
  expected.push(/401/);
  await page.getByRole("treeitem").first().waitFor();
  await page.goto("about:blank"); // what is still under way would bring the cookie back
  await page.context().clearCookies();
  await page.goto(vizd.origin);
  await page.getByText("open the URL that it printed").waitFor();
});

testPage("no capture: how to make one", { args: () => [] }, async ({ page }) => {
  await page.getByText("There is no capture yet").waitFor();
  await page.getByText("DEV=CPU VIZ=-1 python").waitFor();
});

async function writeBroken({ folder }: Capture): Promise<string[]> {
  await writeFile(`${folder}/broken.pkl`, Uint8Array.of(0x80, 4, 0x95, 99, 0, 0, 0, 0, 0, 0, 0, 0x8c));
  return ["--kernels", `${folder}/broken.pkl`];
}

testPage("a broken capture: what is wrong and where", { args: writeBroken }, async ({ page }) => {
  // By title: the top bar says it in words of its own.
  await page.getByRole("heading", { name: "broken cannot be read" }).waitFor();
  await page
    .getByText(/broken\.pkl:\d+: .+/)
    .first()
    .waitFor();
});

testPage("the list unfolds, filters and follows the keys", {}, async ({ page }) => {
  const rows = page.getByRole("treeitem");
  await rows.filter({ hasText: "create_kernels" }).first().waitFor();
  await page.keyboard.press("l");
  await page.keyboard.type("n7 merge");
  await page.waitForFunction(() => document.querySelectorAll('[role="treeitem"]').length < 8);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.includes("n7") && location.hash.includes("merge_views"));
  await page.keyboard.press("l");
  await page.keyboard.press("Escape");
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => location.hash.includes("pass=1:"));
  await page.keyboard.press("Enter");
  await page.waitForFunction(
    () => document.querySelector(".pass-row.current")?.getAttribute("aria-expanded") === "false",
  );
});

testPage("help lists every key and closes", {}, async ({ page }) => {
  await page.getByRole("treeitem").first().waitFor();
  await page.keyboard.press("?");
  const help = page.getByRole("dialog", { name: "Keys" });
  await help.getByText("Fit the graph into the view").waitFor();
  await page.keyboard.press("Escape");
  await help.waitFor({ state: "detached" });
});

testPage("the palette goes to a pass by a few letters", {}, async ({ page }) => {
  await page.getByRole("treeitem").first().waitFor();
  await page.keyboard.press("Control+k");
  await page.locator("dialog input:focus").waitFor();
  await page.keyboard.type("E_4n1 devec");
  await page.getByRole("option", { selected: true }).filter({ hasText: "devectorize" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.includes("devectorize"));
  await page.getByRole("dialog").waitFor({ state: "detached" });
});

testPage(
  "the theme follows the system until it is chosen, and is remembered",
  { context: { colorScheme: "light" } },
  async ({ page }) => {
    await page.getByRole("treeitem").first().waitFor();
    await waitForTheme(page, "light");
    await page.emulateMedia({ colorScheme: "dark" });
    await waitForTheme(page, "dark");
    await page.keyboard.press("Shift+D");
    await waitForTheme(page, "light");
    await page.reload();
    await page.getByRole("treeitem").first().waitFor();
    await waitForTheme(page, "light");
  },
);

function waitForTheme(page: Page, theme: string) {
  return page.waitForFunction((wanted) => document.documentElement.dataset.theme === wanted, theme);
}

testPage("a server that goes away and comes back is told of and found again", {}, async (stage) => {
  const { page, vizd, capture, expected } = stage;
  expected.push(/ERR_|Failed to load/);
  await page.getByText("● live").waitFor();
  await stopVizd(vizd);
  await page.getByText(/○ offline since \d/).waitFor();
  const again = await startVizd(["--kernels", capture.kernels], capture.folder, Number(new URL(vizd.url).port));
  try {
    await page.getByText("● live").waitFor();
  } finally {
    await stopVizd(again);
  }
});

testPage(
  "a capture whose file is gone or broken is not live, and what was read stays",
  {},
  async ({ page, capture }) => {
    await page.getByText("● live").waitFor();
    const whole = await readFile(capture.kernels);
    await rm(capture.kernels);
    await page.getByText(/○ file gone since \d/).waitFor();
    await page.locator(".graph-head").waitFor();
    await writeFile(capture.kernels, whole.subarray(0, 1000));
    await page.getByText(/○ cannot be read since \d/).waitFor();
    await page.locator(".graph-head").waitFor();
    await writeFile(capture.kernels, whole);
    await page.getByText("● live").waitFor();
  },
);

testPage("a second tab hears of reloads through the first", {}, async ({ page, vizd, requests }) => {
  await page.getByText("● live").waitFor();
  const second = await page.context().newPage();
  const ofSecond: string[] = [];
  second.on("request", (request) => ofSecond.push(new URL(request.url()).pathname));
  await second.goto(vizd.origin);
  await second.getByText("● live").waitFor();
  assert.ok(requests.includes("/api/v1/events"));
  assert.ok(!ofSecond.includes("/api/v1/events"), "one event stream a browser");
});

/** Where everything of the view on screen is, once that has stood still for a while. */
function readLayout(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const kStill = 30; // frames
    const read = () =>
      [...document.querySelectorAll("main *:not(canvas)")].map((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const box = [x, y, width, height].map(Math.round).join(" ");
        return `${element.tagName} ${element.getAttribute("class") ?? ""} ${box}`;
      });
    let last = read();
    for (let frames = 0; frames < kStill; frames++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const next = read();
      if (JSON.stringify(next) !== JSON.stringify(last)) frames = 0;
      last = next;
    }
    return last;
  });
}

testPage("a view looks the same whatever views were shown before it", {}, async ({ page, vizd }) => {
  await page.locator(".graph-head").waitFor();
  const views = {
    rules: "Rules",
    program: "Program",
    timeline: "Timeline",
    kernels: "Kernels",
    "call-tree": "Call tree",
    info: "Info",
  };
  const alone = new Map<string, string[]>();
  for (const view of Object.keys(views)) {
    await page.goto("about:blank");
    await page.goto(`${vizd.origin}#view=${view}`);
    await page.locator("main *").first().waitFor();
    alone.set(view, await readLayout(page));
  }
  for (const [view, title] of Object.entries(views)) {
    await goToView(page, title);
    await eventually(async () => assert.deepEqual(await readLayout(page), alone.get(view), title));
  }
});
