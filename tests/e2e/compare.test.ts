// Two captures compared as the page shows it: the verdict, before and after as on the command line, and each row's own
// evidence. How few clicks lead to the first match that differs is counted in tasks-of-work.
import assert from "node:assert/strict";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { WireComparison } from "../../web/src/lib/devices";
import type { WireKernelPair } from "../../web/src/views/compare/wire";
import { testPage, type Capture, eventually } from "./harness";
import { getJson } from "./rewrites-stage";
import { copyVersions } from "./two-versions";

/** Eight steps, each with a product whose kernel takes longer by a factor, and is launched otherwise then. */
function makeTrace(factor: number): string {
  const events: object[] = [];
  for (let i = 0; i < 8; i++) {
    const at = 1000 * i;
    const span = (cat: string, name: string, tid: number, ts: number, dur: number, args: object) =>
      events.push({ ph: "X", cat, name, pid: cat === "kernel" ? 0 : 9, tid, ts: at + ts, dur, args });
    span("user_annotation", `ProfilerStep#${i}`, 9, 0, 400 + 100 * factor + (i % 3), {});
    span("cpu_op", "aten::mm", 9, 5, 40, {
      "External id": i + 1,
      "Input Dims": [
        [64 * factor, 128],
        [128, 256],
      ],
    });
    span("cuda_runtime", "cudaLaunchKernel", 9, 10, 5, { correlation: i + 100 });
    const launch = { device: 0, correlation: i + 100, "External id": i + 1, grid: [factor, 1, 1], block: [128, 1, 1] };
    span("kernel", "sgemm_kernel", 7, 30, 100 * factor + (i % 2), launch);
    if (factor > 1) span("kernel", "new_kernel", 7, 350, 5, { device: 0 });
    else span("kernel", "old_kernel", 7, 350, 9, { device: 0 });
  }
  return JSON.stringify({ deviceProperties: [{ id: 0, name: "NVIDIA H100 80GB HBM3" }], traceEvents: events });
}

async function writeTraces({ folder }: Capture): Promise<string[]> {
  const paths = ["before", "after"].map((name) => join(folder, name, "trace.json"));
  for (const [at, path] of paths.entries()) {
    await mkdir(join(path, ".."));
    await writeFile(path, makeTrace(at + 1));
  }
  return paths;
}

const table = (page: Page) => page.getByRole("table", { name: "What changed" });

testPage(
  "the first capture is before and the second after; the verdict comes first, and swapping turns it",
  { args: writeTraces, fragment: "&view=compare" },
  async ({ page }) => {
    const verdict = page.getByRole("region", { name: "Verdict" });
    await verdict.getByText(/Slower by 20\.0 %/).waitFor();
    await eventually(async () =>
      assert.match(await verdict.innerText(), /median step of 8 steps each · 95 % interval \+19\.\d % to \+20\.\d %/),
    );
    await eventually(async () => assert.match(await verdict.innerText(), /mostly compute, \+\d+\.\d µs/));
    const { verdict: wire, rows } = (await getJson(page, "/api/v1/compare?capture=c1&with=c0")) as WireComparison;
    assert.equal(wire!.word, "slower");
    assert.equal(rows[wire!.causes[0]!.row]!.name, "sgemm_kernel");
    const texts = await table(page).locator("tbody tr").allInnerTexts();
    assert.match(
      texts.find((text) => text.includes("sgemm_kernel"))!,
      /^changed/,
    );
    assert.match(
      texts.find((text) => text.includes("new_kernel"))!,
      /^added/,
    );
    assert.match(
      texts.find((text) => text.includes("old_kernel"))!,
      /^removed/,
    );
    // No ratio against nothing, and no time of what never ran.
    assert.doesNotMatch(
      texts.find((text) => text.includes("new_kernel"))!,
      /0\.00|∞|NaN|\b0 ns/,
    );
    // Both are called "trace": their folders tell them apart.
    const before = page.getByLabel("before (A)");
    await eventually(async () =>
      assert.deepEqual(await before.locator("option").allInnerTexts(), ["trace · before", "trace · after"]),
    );
    await page.keyboard.press("x");
    await verdict.getByText(/Faster by 16\.6 %/).waitFor();
    await eventually(async () => assert.equal(await before.locator("option:checked").innerText(), "trace · after"));
    await page.waitForFunction(() => location.hash.includes("against=trace+%282%29"));
    await page.getByRole("button", { name: "Only added and removed" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".comparison-main tbody tr[data-row]").length === 2);
    await page.getByRole("combobox", { name: "joined by" }).selectOption("operator");
    await page.waitForFunction(() => location.hash.includes("join=operator"));
  },
);

testPage(
  "a row opens its launches on both sides, how they were launched otherwise, and leads to the timeline of either",
  { args: writeTraces, fragment: "&view=compare" },
  async ({ page }) => {
    await page.getByRole("region", { name: "Verdict" }).getByRole("button", { name: "sgemm_kernel" }).click();
    const row = page.getByRole("region", { name: "The row on both sides" });
    await row.getByRole("img", { name: "A: 8 launches over time" }).waitFor();
    const pair = (await getJson(page, "/api/v1/compare/kernel?capture=c1&with=c0&name=sgemm_kernel")) as WireKernelPair;
    assert.equal(pair.a.drawn.length, 8);
    assert.equal(pair.b.median_ns, 200_500);
    const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
    assert.deepEqual([sum(pair.bins.a), sum(pair.bins.b)], [8, 8]);
    assert.deepEqual(
      pair.arguments.filter(({ differs }) => differs).map(({ name, of }) => `${of} ${name}`),
      ["launch grid", "operator Input Dims"],
    );
    const differing = row.locator("table.values").first();
    await eventually(async () => assert.match(await differing.innerText(), /grid\s+\[1,1,1\]\s+\[2,1,1\]/));
    await row.getByText(/1 the same/).waitFor();
    await page.waitForFunction(() => location.hash.includes("comparerow=sgemm_kernel"));
    await row.locator("rect.launch.of-b[height='56']").first().click();
    await page.waitForFunction(() => location.hash.includes("view=timeline"));
    await page.waitForFunction(() => location.hash.includes("capture=trace+%282%29"));
    await page.getByRole("tab", { name: "Event" }).waitFor();
    await page.goBack();
    await row.waitFor();
    await page.keyboard.press("Escape");
    await row.waitFor({ state: "detached" });
  },
);

testPage(
  "a kernel's source and machine code stand side by side, and an old link to its rewrites opens its row",
  { args: copyVersions, fragment: "&view=compare&rewritesof=E_4" },
  async ({ page }) => {
    const row = page.getByRole("region", { name: "The row on both sides" });
    await row.getByRole("button", { name: "Source and machine code side by side" }).click();
    await page.waitForFunction(() => location.hash.includes("panel=compare"));
    await page
      .getByRole("heading", { name: "Source" })
      .or(page.getByText("Source", { exact: true }))
      .first()
      .waitFor();
    assert.match(await page.locator("main").innerText(), /Median execution|Source/);
  },
);
