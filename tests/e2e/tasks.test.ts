// A kernel engineer's daily questions to the page, each in as few keys and clicks as it may take. A word typed counts
// as one. Those about what devices did are in tasks-of-work.test.ts.
import assert from "node:assert/strict";
import { join } from "node:path";
import { Hands } from "./hands";
import { goToView, testPage, eventually } from "./harness";
import { stripAnsi } from "../../web/src/lib/ansi";
import type { WireContexts } from "../../web/src/lib/wire";
import { getJson, getText, openPass, waitForMatch } from "./rewrites-stage";

const top = process.env.VIZD_TOP ?? process.cwd();
const failing = join(top, "tests/golden/tinygrad/rewrite_error/input/rewrite_error.rewrites.pkl");
const context = { permissions: ["clipboard-read", "clipboard-write"] };

/**
 * The middle of the first long run of the colour of made nodes, in pixels of the canvas's box; null where there is
 * none.
 */
function findMadeEdge(): { x: number; y: number } | null {
  const canvas = document.querySelector<HTMLCanvasElement>(".graph canvas")!;
  const probe = document.createElement("canvas").getContext("2d")!;
  probe.fillStyle = getComputedStyle(document.documentElement).getPropertyValue("--made");
  probe.fillRect(0, 0, 1, 1);
  const made = [...probe.getImageData(0, 0, 1, 1).data.slice(0, 3)];
  const { data, width, height } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
  const isMade = (at: number) => made.every((part, i) => Math.abs(data[at + i]! - part) < 12);
  for (let y = 0; y < height; y++) {
    for (let x = 0, run = 0; x < width; x++) {
      run = isMade(4 * (y * width + x)) ? run + 1 : 0;
      if (run === 24) return { x: (x / width) * canvas.clientWidth, y: (y / height) * canvas.clientHeight };
    }
  }
  return null;
}

testPage(
  "which rule changed this node: 2",
  { context: { reducedMotion: "reduce" } },
  async ({ page, vizd, expected }) => {
    // The browser's advice to a page that reads its canvas often: it is the test that reads.
    expected.push(/willReadFrequently/);
    const hands = new Hands(page);
    await openPass(page, vizd, "devectorize", "&match=5");
    // A node that this match made, by its outline's upper edge on the canvas. Where the graph was still on its way to
    // its place the click falls beside it, and is made again: what counts is the one that hits.
    const isHit = () => new URLSearchParams(location.hash.slice(1)).has("node");
    for (let tries = 0; tries < 10 && !(await page.evaluate(isHit)); tries++) {
      const { x, y } = (await (await page.waitForFunction(findMadeEdge)).jsonValue())!;
      const canvas = (await page.locator(".graph").boundingBox())!;
      await page.mouse.click(canvas.x + x, canvas.y + y + 12);
      await page.waitForFunction(isHit, null, { timeout: 1500 }).catch(() => undefined);
    }
    hands.count++;
    await page.waitForFunction(isHit);
    await hands.press("h");
    await page
      .locator(".biography li")
      .filter({ hasText: "made by" })
      .getByText(/\.py:\d+/)
      .first()
      .waitFor();
    assert.ok(hands.count <= 2, `${hands.count}`);
  },
);

testPage("the vectorised load, from any pass: 4", {}, async ({ page, vizd }) => {
  await page.getByRole("treeitem").first().waitFor();
  const { contexts } = (await getJson(page, "/api/v1/contexts")) as WireContexts;
  // All passes of a kernel, before and after those that have vectors, and the first of every other context.
  const kernel = contexts.findIndex(({ name }) => stripAnsi(name) === "E_4");
  const starts = contexts.flatMap(({ passes }, context) =>
    passes.name.flatMap((_, pass) => (context === kernel || pass === 0 ? [[context, pass] as const] : [])),
  );
  assert.ok(starts.length > 30);
  for (const [context, pass] of starts) {
    await page.goto("about:blank");
    await page.goto(`${vizd.origin}#view=rewrites&context=${context}:&pass=${pass}:`);
    await page.locator(".graph-head").waitFor();
    const hands = new Hands(page);
    await hands.press("/");
    await page.waitForFunction(() => document.activeElement?.closest(".find-box") !== null);
    await hands.type("op=LOAD dtype~vec");
    const hits = page.getByRole("listbox", { name: "Nodes found" }).getByRole("option");
    // Where there is none on screen: the match of this pass that made one, else the search of the other passes.
    const way = page.locator(".find-bisect").getByRole("button", { name: /^match |^look in the other passes/ });
    await hits.first().or(way.first()).first().waitFor();
    if ((await hits.count()) === 0) await hands.click(way.first());
    await hits.first().waitFor();
    await eventually(async () => assert.match(await hits.first().innerText(), /LOAD\s+dtypes\.int\.vec\(4\)/));
    assert.ok(hands.count <= 4, `${hands.count} from pass ${pass} of context ${context}`);
  }
});

testPage("from a slow kernel to the match that changed it the most: 3", {}, async ({ page }) => {
  await goToView(page, "Kernels");
  const rows = page.getByRole("table", { name: "Kernels" }).locator("tbody tr");
  await rows.first().waitFor();
  const hands = new Hands(page);
  await hands.click(rows.filter({ hasText: /E_\d/ }).first());
  await page.getByRole("button", { name: /^its rewrites/ }).waitFor();
  await hands.press("g");
  await page.locator(".graph-head").waitFor();
  await hands.press("Shift+C");
  // The pass with the most matches of the kernel, and its match that made and removed the most nodes, by SQL.
  const readPlace = (key: string) => page.evaluate((k) => new URLSearchParams(location.hash.slice(1)).get(k), key);
  const query = `SELECT place || ',' || state FROM match m JOIN pass p ON p.id = m.pass_id
    WHERE p.context_id = ${parseInt((await readPlace("context"))!)}
    ORDER BY match_count DESC, place, added + removed DESC, state LIMIT 1`;
  const answer = await getText(page, `/api/v1/sql?format=tsv&q=${encodeURIComponent(query)}`);
  const [pass, match] = answer.trim().split("\n").at(-1)!.split(",");
  await waitForMatch(page, Number(match));
  await eventually(async () => assert.equal(parseInt((await readPlace("pass"))!), Number(pass)));
  await page
    .locator(".match-line")
    .getByText(/\.py:\d+/)
    .waitFor();
  assert.ok(hands.count <= 3, `${hands.count}`);
});

testPage(
  "the slowest kernel and its machine code: 3",
  { args: ({ kernels, profile }) => ["--compile", "--kernels", kernels, "--profile", profile] },
  async ({ page }) => {
    const hands = new Hands(page);
    await page.locator(".crumbs").waitFor();
    hands.count += await goToView(page, "Program");
    await page.locator(".program-row.current .column-total_ns").waitFor();
    await hands.press("l");
    await page.waitForFunction(() => location.hash.includes("programs=total_ns"));
    const first = page.locator(".program-row[role=option]").first();
    await page
      .locator(".program-row.current")
      .filter({ hasText: await first.locator(".column-name").innerText() })
      .waitFor();
    // Its machine code, or, where there is no compiler, what to install.
    await page.locator(".code-row, .no-code").first().waitFor();
    assert.ok(hands.count <= 3, `${hands.count}`);
  },
);

testPage("an event's source and machine code: a key each", {}, async ({ page }) => {
  await goToView(page, "Timeline");
  await page.locator(".lane-head").first().waitFor();
  const hands = new Hands(page);
  await hands.press("l");
  const hits = page.getByRole("table", { name: "Events found" }).locator("tbody tr");
  await hits.first().waitFor();
  const durations = await hits
    .locator("td:nth-child(4) button")
    .evaluateAll((all) => all.map((each) => Number(/^(\d+) ns/.exec(each.getAttribute("title")!)![1])));
  assert.deepEqual(
    durations,
    durations.toSorted((a, b) => b - a),
    "L lists by duration",
  );
  const kernel = hits
    .filter({ hasText: /^\s*[Er]_/ })
    .filter({ has: page.getByRole("cell", { name: "CPU", exact: true }) })
    .first();
  await kernel.getByRole("button").first().click();
  await page.getByRole("tab", { name: "Event" }).click();
  await page.getByRole("button", { name: /^machine code/ }).waitFor();
  for (const [key, pane] of [
    ["o", "source"],
    ["i", "machine code"],
  ] as const) {
    await page.keyboard.press(key);
    await page.waitForFunction(() => location.hash.includes("view=program"));
    await page.waitForFunction(
      (name) =>
        document.activeElement?.closest(".program-pane")?.getAttribute("aria-label") === name ||
        document.querySelector(".no-code") !== null,
      pane,
    );
    await page.goBack(); // to the timeline as it was left
    await page.getByRole("button", { name: /^machine code/ }).waitFor();
  }
});

testPage("who held the memory at the peak: 1", {}, async ({ page }) => {
  const hands = new Hands(page);
  await page.locator(".crumbs").waitFor();
  hands.count += await goToView(page, "Memory");
  await page
    .getByRole("table", { name: /Who held it/ })
    .locator("tbody tr")
    .first()
    .waitFor();
  assert.equal(hands.count, 1);
  await page.getByRole("table", { name: "Allocations" }).locator("tbody tr").first().click();
  await page.getByText("Made in").first().waitFor();
  await page.getByText("The capture does not tell which kernels touch a buffer.").waitFor();
});

testPage("two states compared: 1", {}, async ({ page, vizd }) => {
  const hands = new Hands(page);
  await openPass(page, vizd, "devectorize");
  await hands.press("e");
  await page.waitForFunction(() => location.hash.includes("diff="));
  assert.equal(hands.count, 1);
});

testPage("a link to exactly this: 1", { context }, async ({ page, vizd }) => {
  const hands = new Hands(page);
  await openPass(page, vizd, "devectorize", "&match=5");
  await hands.press("y");
  await page.getByRole("button", { name: "copied", exact: true }).waitFor();
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(decodeURIComponent(link), /capture=ramp.*match=5/);
  assert.equal(hands.count, 1);
});

testPage("all matches of a rule: 1", {}, async ({ page, vizd }) => {
  const hands = new Hands(page);
  await openPass(page, vizd, "devectorize", "&match=5");
  await page.locator(".match-line").getByText(/\.py:/).waitFor();
  await hands.press("g");
  await page.getByRole("listbox", { name: "Matches of the rule" }).getByRole("option").first().waitFor();
  assert.equal(hands.count, 1);
});

testPage("the failing rewrite: 1", { args: () => ["--kernels", failing] }, async ({ page }) => {
  const hands = new Hands(page);
  await hands.click(page.getByRole("button", { name: "1 error" }));
  await page.getByText("The rule raised here:").waitFor();
  assert.equal(hands.count, 1);
});
