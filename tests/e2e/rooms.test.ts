// Rooms and the scope: which rooms a capture has, where they lead back to, where old links lead; and what is chosen as
// the scope, how it stands in the URL and is asked for, and how it goes away again.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { WireDevices } from "../../web/src/lib/devices";
import { goToView, roomOfView, tabOfView, testPage, type Capture, eventually } from "./harness";
import { getJson } from "./rewrites-stage";
import { writeSteps } from "./step-trace";

const top = process.env.VIZD_TOP ?? process.cwd();
const etdump = () => [join(top, "tests/golden/etdump/delegate_int/input")];

const rooms = (page: Page) => page.getByRole("navigation", { name: "Rooms" }).getByRole("button").allTextContents();
const tabs = (page: Page) => page.getByRole("navigation", { name: "Views" }).getByRole("button").allTextContents();
const chips = (page: Page) => page.locator(".scope-chip").evaluateAll((all) => all.map((chip) => chip.textContent));
const hashHas = (page: Page, text: string) =>
  page.waitForFunction((wanted) => decodeURIComponent(location.hash).includes(wanted), text);

testPage("a capture with rewrites and a profile has no room for what it lacks", {}, async ({ page }) => {
  await page.locator(".graph-head").waitFor();
  const shown = await rooms(page);
  for (const room of ["Overview", "Timeline", "Kernels", "Compiler"]) assert.ok(shown.includes(room), room);
  for (const room of ["Compare", "Model", "Fleet"]) assert.ok(!shown.includes(room), room);
  assert.deepEqual((await tabs(page)).slice(0, 3), ["Rewrites", "Rules", "Program"]);
  await goToView(page, "Kernels");
  await page.getByRole("table", { name: "Kernels" }).waitFor();
  await eventually(async () => assert.ok(!(await tabs(page)).includes("Collectives"), "no ranks, no collectives"));
});

testPage("a model's export has the room Model", { args: etdump }, async ({ page }) => {
  await goToView(page, "Inspector");
  await eventually(async () => assert.ok((await rooms(page)).includes("Model")));
  await eventually(async () => assert.ok((await tabs(page)).includes("Values")));
});

testPage(
  "rewrites alone have the compiler's room alone",
  { args: ({ kernels }) => ["--kernels", kernels], fragment: "" },
  async ({ page }) => {
    await page.locator(".graph-head").waitFor();
    await eventually(async () => assert.deepEqual(await rooms(page), ["Compiler"]));
  },
);

testPage("a second capture brings the room Compare", { args: writeTwo, fragment: "" }, async ({ page }) => {
  await page.locator(".overview").waitFor();
  await eventually(async () => assert.ok((await rooms(page)).includes("Compare")));
});

async function writeTwo(capture: Capture): Promise<string[]> {
  const [first] = await writeSteps(capture);
  return [first!, ...etdump()];
}

testPage("a room opens on its view that was shown last, and a key leads to the next", {}, async ({ page }) => {
  await goToView(page, "Rules");
  await goToView(page, "Timeline");
  await roomOfView(page, "Rules").click();
  await page.getByRole("table", { name: "Rules" }).waitFor();
  await page.keyboard.press("Shift+V");
  await tabOfView(page, "Program").and(page.locator("[aria-current]")).waitFor();
  await page.goBack();
  await page.getByRole("table", { name: "Rules" }).waitFor();
});

testPage("old links lead to where things are now", { args: writeSteps, fragment: "" }, async ({ page, vizd }) => {
  await page.locator(".overview").waitFor();
  for (const [shown, view] of [
    ["tree", "Call tree"],
    ["sequences", "Sequences"],
  ] as const) {
    await page.goto("about:blank");
    await page.goto(`${vizd.origin}#view=kernels&shown=${shown}`);
    await tabOfView(page, view).and(page.locator("[aria-current]")).waitFor();
  }
});

testPage("a step is the scope of all figures, until Escape", { args: writeSteps, fragment: "" }, async (stage) => {
  const { page } = stage;
  await page.getByRole("button", { name: /^ProfilerStep#2/ }).click();
  await page.waitForFunction(() => location.hash.includes("view=timeline"));
  await eventually(async () => assert.deepEqual(await chips(page), ["step 2 ×"]));
  // Exactly the step: no padding in what is selected, nor in what is seen.
  const { steps } = (await getJson(page, "/api/v1/devices")) as WireDevices;
  const step = steps.find(({ number }) => number === 2)!;
  await hashHas(page, `time=${step.from_ns}..${step.to_ns}`);
  await page.locator(".drawer-summary").getByText("wall 1.00 ms").waitFor();

  const asked = page.waitForRequest((request) => /\/api\/v1\/kernels\?.*step=2/.test(request.url()));
  await goToView(page, "Kernels");
  await asked;
  const table = page.getByRole("table", { name: "Kernels" });
  const gemm = table.locator("tbody tr").filter({ hasText: "gemm" });
  await page.waitForFunction(() => document.querySelectorAll(".work tbody tr").length === 4);
  // One launch of the four steps' four, on each of two devices.
  for (const row of await gemm.all())
    await eventually(async () => assert.equal(await row.locator("td").nth(2).innerText(), "1"));

  // It is in the URL.
  await page.reload();
  await page.getByRole("group", { name: "Scope" }).getByText("step 2").waitFor();
  // Escape takes the row first, then the step.
  await table.locator("tbody tr").first().click();
  await hashHas(page, "kernel=");
  await page.keyboard.press("Escape");
  await eventually(async () => assert.deepEqual(await chips(page), ["step 2 ×"]));
  await page.keyboard.press("Escape");
  await page.locator(".scope").waitFor({ state: "detached" });
  await page.waitForFunction(() => !location.hash.includes("scope."));
});

testPage(
  "devices, kernels and idle times are chosen where they stand",
  { args: writeSteps, fragment: "" },
  async (s) => {
    const { page } = s;
    await page.getByRole("button", { name: "Scope to GPU 1" }).click();
    await eventually(async () => assert.deepEqual(await chips(page), ["GPU 1 ×"]));
    await goToView(page, "Kernels");
    const table = page.getByRole("table", { name: "Kernels" });
    await table.locator("tbody tr").filter({ hasText: "gemm" }).first().click();
    await page.keyboard.press("s");
    await page.waitForFunction(() => document.querySelectorAll(".scope-chip").length === 2);
    await eventually(async () => assert.deepEqual(await chips(page), ["GPU 1 ×", "gemm ×"]));
    // A file says what its figures are of.
    await page.getByRole("button", { name: "Export", exact: true }).last().click();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).click();
    assert.match((await saved).suggestedFilename(), /GPU-1-gemm\.csv$/);
    await page.locator(".menu-panel").waitFor({ state: "detached" });
    for (const left of [2, 1, 0]) {
      await page.keyboard.press("Escape"); // the row, the kernel, the device
      await page.waitForFunction((count) => document.querySelectorAll(".scope-chip").length === count, left);
    }

    await goToView(page, "Overview");
    const gap = page.getByRole("table", { name: "Longest times with nothing running" }).locator("tbody tr").first();
    await gap.locator("button.link").first().click();
    await hashHas(page, "scope.range=");
    await page.locator(".timeline-stage").waitFor();
    await page.locator(".gap-tab").filter({ hasText: "Idle for" }).waitFor();
  },
);
