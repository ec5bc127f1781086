// The rewrites view on a real capture: the graph and its nodes, scrubbing, the inspector, the place in the URL,
// reloads.
import assert from "node:assert/strict";
import { appendFile, copyFile, readFile, rename, utimes, writeFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { fitRect, toView } from "../../web/src/lib/camera";
import type { WireContexts } from "../../web/src/lib/wire";
import type { WireGraph } from "../../web/src/lib/graph/wire";
import { goToView, testPage, eventually } from "./harness";
import { getJson, openPass, settledUrl, shownMatch, waitForMatch } from "./rewrites-stage";

/** Whether the canvas shows anything besides its background. */
const isDrawn = (page: Page) =>
  page.waitForFunction(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".graph canvas")!;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set<number>();
    for (let i = 0; i < data.length && colours.size < 8; i += 4)
      colours.add((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!);
    return colours.size >= 8;
  });

testPage("a click on a node selects it and lights up its surroundings", {}, async ({ page }) => {
  // It had no match, as its neighbours: they are one row, until it is unfolded.
  await page.getByRole("treeitem", { name: "3 passes without a match" }).first().click();
  await page.getByRole("treeitem", { name: "merge_views" }).first().click();
  await isDrawn(page);
  // The first graph as the server placed it, and the camera that shows it whole.
  const stream = await page.evaluate(async () => (await fetch("/api/v1/rewrites/0/0")).text());
  const graph = JSON.parse(/^event: graph\ndata: (.*)$/m.exec(stream)![1]!) as WireGraph;
  const boxes = graph.nodes.id
    .map((id, i) => ({ id, x: graph.x[i]!, y: graph.y[i]!, w: graph.w[i]!, h: graph.h[i]! }))
    .filter((b) => b.w > 0);
  const view = (await page.locator(".graph").boundingBox())!;
  const bounds = {
    left: Math.min(...boxes.map((b) => b.x)),
    top: Math.min(...boxes.map((b) => b.y)),
    right: Math.max(...boxes.map((b) => b.x + b.w)),
    bottom: Math.max(...boxes.map((b) => b.y + b.h)),
  };
  const copy = boxes.find((b) => graph.labels[graph.nodes.label[graph.nodes.id.indexOf(b.id)]!]!.startsWith("COPY"))!;
  const at = toView(fitRect(bounds, view, 32), view, { x: copy.x + copy.w / 2, y: copy.y + copy.h / 2 });
  await page.mouse.click(view.x + at.x, view.y + at.y);
  await page.waitForFunction((id) => location.hash.includes(`node=${id}`), copy.id);
  await eventually(async () =>
    assert.match((await page.locator(".node-overlay").innerText())!, /^COPY\n/, "its label is there as text"),
  );
  await page.getByRole("tab", { name: "Node" }).click();
  const sources = page.locator(".section", { hasText: "Sources" });
  await sources.getByRole("button", { name: /^BUFFER/ }).click();
  await page.locator(".node-label", { hasText: "BUFFER" }).waitFor();
  await eventually(async () =>
    assert.match((await page.locator("#graph-summary").textContent())!, /^BUFFER[^]*0 sources, 1 user$/),
  );
  await page.mouse.click(view.x + 20, view.y + view.height - 20);
  await page.getByText("Click a node of the graph").waitFor();
});

testPage(
  "scrubbing asks for no graph, and for the text of the match it stops at only",
  {},
  async ({ page, vizd, requests }) => {
    const { matches } = await openPass(page, vizd, "initial symbolic");
    requests.length = 0;
    for (let i = 0; i < matches + 3; i++) await page.keyboard.press("ArrowRight");
    await waitForMatch(page, matches);
    const countAsked = (part: string | RegExp) => requests.filter((path) => path.match(part) !== null).length;
    await eventually(async () => assert.equal(countAsked(RegExp(`^/api/.*/${matches}$`)), 1));
    await page.locator(".diff .added, .diff .removed").first().waitFor();
    assert.equal(countAsked("/rewrites/"), 0);
    await page.keyboard.press("Home");
    await waitForMatch(page, 0);
    await page.getByText("The graph as this pass found it").waitFor();
  },
);

testPage(
  "a pass is asked for only once its view is shown",
  { fragment: "&view=timeline" },
  async ({ page, requests }) => {
    await page.locator(".lane-head").first().waitFor();
    const streams = () => requests.filter((path) => path.includes("/rewrites/")).length;
    assert.equal(streams(), 0);
    await goToView(page, "Rewrites");
    await page.locator(".graph-head").waitFor();
    assert.equal(streams(), 1);
  },
);

testPage("reload, back and a pasted link lead to the same place", {}, async ({ page, vizd }) => {
  await openPass(page, vizd, "initial symbolic", "&match=3&node=1&camera=100,50,0.8&tab=text");
  await page.locator(".long-text").waitFor();
  await eventually(async () => assert.equal(await shownMatch(page), "3"));
  const place = await settledUrl(page);
  assert.match(place, /context=\d+:&pass=\d+:/);
  await page.reload();
  await waitForMatch(page, 3);
  await page.locator(".long-text").waitFor();
  assert.equal(await settledUrl(page), place);
  await page
    .getByRole("treeitem", { name: /^lower all index/ })
    .first()
    .click();
  await page.waitForFunction(() => location.hash.includes("lower"));
  await page.goBack();
  await waitForMatch(page, 3);
  assert.equal(await settledUrl(page), place);
});

testPage("the wheel zooms at the pointer and Space fits", {}, async ({ page, vizd }) => {
  await openPass(page, vizd, "initial symbolic");
  await isDrawn(page);
  const view = (await page.locator(".graph").boundingBox())!;
  await page.mouse.move(view.x + 100, view.y + 100);
  await page.mouse.wheel(0, -400);
  await page.waitForFunction(() => location.hash.includes("camera="));
  const zoomed = page.url();
  await page.mouse.down();
  await page.mouse.move(view.x + 220, view.y + 160, { steps: 5 });
  await page.mouse.up();
  await page.waitForFunction((before) => location.href !== before, zoomed);
  assert.ok(!page.url().includes("node="), "a drag is no click");
  const moved = page.url();
  await page.keyboard.press("Space");
  await page.waitForFunction((before) => location.href !== before, moved);
});

testPage("a kernel's node leads to its code generation, and its source is shown", {}, async ({ page }) => {
  await page.getByRole("treeitem", { name: "View Kernel Graph" }).first().waitFor();
  const contexts = (await getJson(page, "/api/v1/contexts")) as WireContexts;
  const context = contexts.contexts.findIndex((c) => c.program);
  assert.ok(context > 0);
  await page
    .getByRole("treeitem")
    .filter({ hasText: contexts.contexts[context]!.name.replace(/\u001b\[\d*m/g, "") })
    .first()
    .click();
  await page.getByRole("tab", { name: "Source" }).click();
  await page.locator(".long-text .code-keyword").first().waitFor();
  await eventually(async () => assert.match((await page.locator(".long-text").textContent())!, /void E/));
});

testPage(
  "texts can be copied",
  { context: { permissions: ["clipboard-read", "clipboard-write"] } },
  async ({ page, vizd }) => {
    await openPass(page, vizd, "initial symbolic", "&match=1");
    await page.getByRole("button", { name: "Copy the diff" }).click();
    await page.getByText("copied").waitFor();
    const copied = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(copied, /^\+ *UOp\(/m);
    assert.match(copied, /^- *UOp\(/m);
  },
);

testPage(
  "a reload of the capture keeps the place; a broken one is told of and mended",
  {},
  async ({ page, vizd, capture }) => {
    await openPass(page, vizd, "initial symbolic", "&match=2");
    await page.getByText("● live").waitFor();
    const place = await settledUrl(page);
    const whole = await readFile(capture.kernels);
    const reload = page.waitForResponse((response) => response.url().includes("/api/v1/contexts"));
    await copyFile(capture.kernels, `${capture.kernels}.new`);
    await utimes(`${capture.kernels}.new`, new Date(), new Date());
    await rename(`${capture.kernels}.new`, capture.kernels);
    await reload;
    await waitForMatch(page, 2);
    assert.equal(await settledUrl(page), place);
    await writeFile(capture.kernels, whole.subarray(0, whole.length / 2));
    await page.getByRole("alert").filter({ hasText: "ramp.rewrites.pkl" }).waitFor();
    await eventually(async () => assert.equal(await shownMatch(page), "2", "the old graph stays up"));
    await appendFile(capture.kernels, whole.subarray(whole.length / 2));
    await page.getByRole("alert").waitFor({ state: "detached" });
    await eventually(async () => assert.equal(await shownMatch(page), "2"));
  },
);

testPage("panes fold and keep their width", {}, async ({ page }) => {
  const left = page.getByRole("region", { name: "contexts and passes" });
  await left.waitFor();
  const bar = page.getByRole("separator", { name: "Width of contexts and passes" });
  const before = (await left.boundingBox())!.width;
  await bar.focus();
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((w) => document.querySelector(".pane.left")!.clientWidth > w, before);
  const widened = (await left.boundingBox())!.width;
  await page.keyboard.press("[");
  await left.waitFor({ state: "detached" });
  await page.reload();
  await page.locator(".pane.middle").waitFor();
  await eventually(async () => assert.equal(await left.count(), 0));
  await page.keyboard.press("[");
  await left.waitFor();
  await eventually(async () => assert.equal((await left.boundingBox())!.width, widened));
});
