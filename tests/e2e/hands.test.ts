// Keys, wheel and panes: what the hands do without looking.
import assert from "node:assert/strict";
import type { Page } from "playwright-core";
import { goToView, testPage, eventually, canCompile } from "./harness";
import { openPass } from "./rewrites-stage";

const camera = async (page: Page) => {
  await page.waitForFunction(() => location.hash.includes("camera="));
  const text = await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("camera"));
  return text!.split(",").map(Number) as [x: number, y: number, zoom: number];
};
const range = async (page: Page) => {
  await page.waitForFunction(() => location.hash.includes("time="));
  const text = await page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("time"));
  return text!;
};

async function wheelOver(page: Page, selector: string, dx: number, dy: number): Promise<void> {
  const box = (await page.locator(selector).first().boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  await page.mouse.wheel(dx, dy);
}

testPage(
  "what is typed right after / is text, in every view, and Escape keeps what was found",
  {},
  async ({ page }) => {
    await page.getByRole("treeitem").first().waitFor();
    const type = async (text: string) => {
      await page.keyboard.press("/");
      await page.keyboard.type(text);
      await eventually(async () =>
        assert.equal(await page.evaluate(() => (document.activeElement as HTMLInputElement).value), text),
      );
      await page.keyboard.press("Escape");
      await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement?.tagName), "BODY"));
    };
    await type("op=copy");
    await page.getByText(/1 node at/).waitFor();
    await page.keyboard.press("["); // keys are keys again
    await page.locator(".pane.left").waitFor({ state: "detached" });
    await goToView(page, "Timeline");
    await page.locator(".lane-head").first().waitFor();
    await type("compile=");
    await page.getByText(/No event has “compile=”/).waitFor();
    await goToView(page, "Program");
    await page.getByText("Source", { exact: true }).waitFor();
    await type("mov+-");
  },
);

testPage("Escape closes the lanes panel, and keys of the page wait while a dialog is open", {}, async ({ page }) => {
  await goToView(page, "Timeline");
  await page.locator(".lane-head").first().waitFor();
  await page.keyboard.press("Control+p");
  const dialog = page.getByRole("dialog", { name: "Lanes" });
  await dialog.waitFor();
  await dialog.getByRole("button", { name: "go to" }).first().focus();
  await page.keyboard.press("q"); // would fold the details
  await page.keyboard.press("Shift+D"); // would change the theme
  await eventually(async () => assert.equal(await page.locator(".drawer-body").count(), 1));
  await eventually(async () => assert.equal(await page.evaluate(() => localStorage.getItem("vizd.theme")), null));
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
});

testPage("over the graph scrolling pans and Ctrl zooms by at most 1.25 a notch", {}, async ({ page, vizd }) => {
  await openPass(page, vizd, "devectorize");
  await wheelOver(page, ".graph canvas", 0, 40);
  const [x0, y0, zoom0] = await camera(page);
  await page.mouse.wheel(30, 0);
  await page.waitForFunction((x) => !location.hash.includes(`camera=${x}`), x0);
  const [x1, y1, zoom1] = await camera(page);
  assert.ok(x1 > x0, "to the right");
  assert.deepEqual([y1, zoom1], [y0, zoom0]);

  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -120);
  await page.keyboard.up("Control");
  await page.waitForFunction((before) => !location.hash.includes(`camera=${before}`), [x1, y1, zoom1].join(","));
  const [, , zoom2] = await camera(page);
  assert.ok(Math.abs(zoom2 / zoom1 - 1.25) < 0.01, `${zoom2 / zoom1}`);
});

testPage("over the lanes likewise; whoever wants it has a wheel that zooms", {}, async ({ page }) => {
  await goToView(page, "Timeline");
  await page.locator(".lane-head").first().waitFor();
  const whole = await page.evaluate(async () => {
    const lanes = (await (await fetch("/api/v1/lanes")).json()) as { dur_ns: number };
    return lanes.dur_ns;
  });
  const span = async () => {
    const [from, to] = (await range(page)).split("..").map(Number);
    return to! - from!;
  };
  const plot = ".timeline-plot canvas:last-child";
  await wheelOver(page, plot, 0, 120); // all lanes fit: nothing scrolls, nothing zooms
  const scroller = page.locator(".timeline-scroll");
  await eventually(async () => assert.equal(await scroller.evaluate((box) => box.scrollTop), 0));
  await eventually(async () =>
    assert.ok(await scroller.evaluate((box) => box.scrollHeight <= box.clientHeight), "no range to scroll"),
  );
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -120);
  await page.keyboard.up("Control");
  const once = await span();
  assert.ok(whole / once > 1.2 && whole / once < 1.35, `${whole / once}`); // all of it has a margin

  await page.keyboard.press("Control+k");
  await page.keyboard.type("wheel zoom");
  await page.keyboard.press("Enter");
  await wheelOver(page, plot, 0, -120);
  await page.waitForFunction((was) => {
    const [from, to] = new URLSearchParams(location.hash.slice(1)).get("time")!.split("..").map(Number);
    return to! - from! < was;
  }, once);
  await eventually(async () => assert.ok(Math.abs(once / (await span()) - 1.25) < 0.01));
});

testPage(
  "a narrow window folds its panes by itself, and opens one at a time",
  { context: { viewport: { width: 900, height: 700 } } },
  async ({ page }) => {
    await page.locator(".graph").waitFor();
    await eventually(async () => assert.equal(await page.locator(".pane.left, .pane.right").count(), 0));
    await page.keyboard.press("[");
    await page.locator(".pane.left").waitFor();
    await page.keyboard.press("]");
    await page.locator(".pane.right").waitFor();
    await eventually(async () => assert.equal(await page.locator(".pane.left").count(), 0));
    await page.setViewportSize({ width: 1400, height: 700 });
    await page.locator(".pane.left").waitFor();
  },
);

testPage(
  "a tall window gives what is left to memory and to the details",
  { context: { viewport: { width: 2560, height: 1440 } } },
  async ({ page }) => {
    await goToView(page, "Timeline");
    const memory = page.locator(".lane-head").filter({ hasText: "CPU memory" });
    await eventually(async () => assert.ok((await memory.boundingBox())!.height > 200));
    await eventually(async () => assert.ok((await page.locator(".timeline-drawer").boundingBox())!.height > 330));
  },
);

testPage("a lane's name scopes the table to it, its chevron takes its height away", {}, async ({ page }) => {
  await goToView(page, "Timeline");
  const head = page.locator(".lane-head").filter({ has: page.getByText("TINY", { exact: true }) });
  const summary = page.locator(".drawer-summary");
  await summary.filter({ hasText: "TINY, CPU" }).waitFor();
  await head.locator(".lane-main").click();
  await summary.filter({ hasText: /· TINY ·/ }).waitFor();
  await head.locator(".lane-main").click();
  await summary.filter({ hasText: "TINY, CPU" }).waitFor();
  const before = (await head.boundingBox())!.height;
  await head.locator(".lane-chevron").click();
  await page.waitForFunction(() => location.hash.includes("lanes.fold=TINY"));
  await eventually(async () => assert.ok((await head.boundingBox())!.height < before / 2));
});

testPage("a table is one stop for Tab, with arrows inside", {}, async ({ page }) => {
  await goToView(page, "Timeline");
  const table = page.getByRole("table", { name: "Events by name" });
  await table.getByRole("button").first().waitFor();
  await eventually(async () => assert.equal(await table.locator("[tabindex='0']").count(), 1));
  await table.locator("[tabindex='0']").focus();
  const text = () => page.evaluate(() => document.activeElement!.textContent);
  const first = await text();
  await page.keyboard.press("ArrowDown");
  await eventually(async () => assert.notEqual(await text(), first));
  await page.keyboard.press("ArrowUp");
  await eventually(async () => assert.equal(await text(), first));
  await page.keyboard.press("ArrowUp");
  await eventually(async () => assert.equal(await text(), "Name", "the head"));
  await page.keyboard.press("Tab");
  await eventually(async () => assert.equal(await page.evaluate(() => document.activeElement!.closest("table")), null));
});

// Where there is no machine code the source takes its room, and there is no bar to move.
if (canCompile()) {
  testPage(
    "the bar between source and machine code is moved, and stays so",
    { args: ({ kernels, profile }) => ["--compile", "--kernels", kernels, "--profile", profile] },
    async ({ page }) => {
      await goToView(page, "Program");
      await page.locator(".code-row").first().waitFor();
      const source = page.getByRole("region", { name: "source", exact: true });
      const before = (await source.boundingBox())!.width;
      await page.getByRole("separator", { name: "Width of the source" }).focus();
      for (let i = 0; i < 5; i++) await page.keyboard.press("ArrowRight");
      await eventually(async () => assert.ok((await source.boundingBox())!.width > before + 60));
      await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
      const after = (await source.boundingBox())!.width;
      await page.reload();
      await page.locator(".code-row").first().waitFor();
      await eventually(async () => assert.ok(Math.abs((await source.boundingBox())!.width - after) < 2));
    },
  );
}

testPage(
  "lanes with nothing in view say where the nearest events are, one click away",
  { fragment: "&view=timeline&time=100000000..200000000" },
  async ({ page }) => {
    const note = page.locator(".nothing-here");
    await note.getByRole("button", { name: /later$/ }).click();
    await note.waitFor({ state: "detached" });
    await page.locator(".event-tab").waitFor();
  },
);

testPage("a search that finds nothing offers what would, and a dtype is found as it is shown", {}, async (stage) => {
  const { page, vizd } = stage;
  await openPass(page, vizd, "devectorize");
  await page.keyboard.press("/");
  await page.keyboard.type("op=idnex");
  await page.getByRole("button", { name: "op=INDEX" }).click();
  await page.getByText(/\d+ nodes? at/).waitFor();
  await page.getByRole("option").first().click();
  await page.getByRole("tab", { name: "Node" }).click();
  const label = await page.locator(".node-label").innerText();
  const dtype = label.split("\n").find((line) => line.startsWith("dtypes."))!;
  for (const query of [dtype, `dtype=${dtype}`]) {
    await page.keyboard.press("/");
    await page.keyboard.type(query);
    await page.getByText(/[1-9]\d* nodes? at/).waitFor();
    await page.keyboard.press("Escape");
  }
  await goToView(page, "Timeline");
  await page.locator(".lane-head").first().waitFor();
  await page.keyboard.press("/");
  await page.keyboard.type("compielE");
  await page.getByRole("button", { name: "compile E", exact: true }).first().click();
  await page.getByText(/events? with/).waitFor();
});
