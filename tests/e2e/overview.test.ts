// The Overview: what any capture with a profile opens on, and where its figures lead.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import type { WireKernels } from "../../web/src/lib/devices";
import type { WireContexts } from "../../web/src/lib/wire";
import { goToView, testPage, type Capture, eventually } from "./harness";
import { writeRanks } from "./rank-traces";
import { getJson } from "./rewrites-stage";

const hashKey = (page: Page, name: string) =>
  page.evaluate((key) => new URLSearchParams(location.hash.slice(1)).get(key) ?? "", name);

testPage("a capture with rewrites and a profile opens on its overview", { fragment: "" }, async ({ page, vizd }) => {
  await page.locator(".overview").waitFor();
  const tabs = page.getByRole("navigation", { name: "Rooms" }).getByRole("button");
  await eventually(async () => assert.equal(await tabs.first().innerText(), "Overview"));
  // A link that names no view leads to the one whose keys it has.
  await page.goto("about:blank");
  await page.goto(`${vizd.origin}#pass=1:`);
  await page.locator(".graph-head").waitFor();
  await page.goto("about:blank");
  await page.goto(`${vizd.origin}#find=realize`);
  await page.locator(".lane-head").first().waitFor();
});

testPage("a pass with the most matches leads to where it matched most", { fragment: "" }, async ({ page }) => {
  const table = page.getByRole("table", { name: "Passes by matches" });
  const first = table.locator("tbody tr").first();
  const link = first.locator("button.link");
  const name = (await link.innerText()).trim();
  const { contexts, pass_names } = (await getJson(page, "/api/v1/contexts")) as WireContexts;
  const most = Math.max(
    ...contexts.flatMap(({ passes }) =>
      passes.name.flatMap((of, i) => (pass_names[of] === name ? [passes.matches[i]!] : [])),
    ),
  );
  await link.click();
  await page.locator(".graph-head", { hasText: name }).waitFor();
  const [context, pass] = await Promise.all(["context", "pass"].map((key) => hashKey(page, key)));
  assert.equal(contexts[parseInt(context!)]!.passes.matches[parseInt(pass!)], most);
});

testPage(
  "memory at its peak is a click from its room, also where its holders are not told",
  { fragment: "" },
  async ({ page }) => {
    const memory = page.locator(".overview-memory li").first();
    await memory.getByText("The capture does not tell what made the allocations that held it.").waitFor();
    await memory.locator("button").first().click();
    await page.waitForFunction(() => /view=memory/.test(location.hash));
    await page.locator('table[aria-label^="Who held it"]').waitFor();
  },
);

/** A function that is compiled, then compiled again, and a kernel. */
async function writeCompiles({ folder }: Capture): Promise<string[]> {
  const span = (cat: string, name: string, tid: number, ts: number, dur: number, args = {}) => ({
    ...{ ph: "X", cat, name, pid: tid === 7 ? 0 : 9, tid, ts, dur, args },
  });
  const traceEvents = [
    span("user_annotation", "_compile.compile_inner (dynamo_timed)", 9, 0, 700),
    span("cpu_op", "Torch-Compiled Region: 0/0", 9, 710, 50),
    span("cpu_op", "TorchDynamo Cache Lookup", 9, 800, 3),
    span("user_annotation", "_compile.compile_inner (dynamo_timed)", 9, 810, 400),
    span("cpu_op", "Torch-Compiled Region: 0/1", 9, 1220, 50),
    span("kernel", "triton_poi_fused_add_0", 7, 1230, 20, { device: 0 }),
  ];
  const path = join(folder, "compiled.json");
  await writeFile(path, JSON.stringify({ traceEvents }));
  return [path];
}

testPage(
  "what torch.compile did stands on the overview, and a function that was compiled again is a click away",
  { args: writeCompiles },
  async ({ page }) => {
    const table = page.getByRole("table", { name: "What torch.compile did" });
    await table.waitFor();
    await page.getByText("compiled again: 1").waitFor();
    const again = table.locator("tbody tr", { hasText: "recompile" });
    assert.match(await again.innerText(), /0\/1/);
    assert.match(await again.innerText(), /400/);
    await again.getByRole("button", { name: "recompile" }).click();
    await page.waitForFunction(() => /view=timeline/.test(location.hash));
    await page.getByText("_compile.compile_inner (dynamo_timed)").first().waitFor();
  },
);

testPage(
  "the straggler stands on the overview, and its worst collective is a click away",
  { args: writeRanks },
  async ({ page }) => {
    const line = page.getByRole("list", { name: "Stragglers" }).getByRole("button").first();
    await eventually(async () => assert.match(await line.innerText(), /^rank 1 comes late to 4 of 4 collectives/));
    await line.click();
    await page.waitForFunction(() => location.hash.includes("view=timeline") && location.hash.includes("scope.rank=1"));
    await page.goBack();
    // Ranks and steps as small multiples: a row of bars a rank.
    await eventually(async () => assert.equal(await page.locator(".step-bars.of-rank").count(), 2));
    const finding = page
      .getByRole("table", { name: "Findings by what they cost" })
      .getByText("the other ranks wait for rank 1 at collectives");
    await finding.waitFor();
  },
);

testPage(
  "every figure leads somewhere, and what a capture lacks leaves no hole",
  { args: writeRanks },
  async ({ page }) => {
    const figures = page.getByRole("list", { name: "Figures" }).getByRole("button");
    await figures.nth(3).waitFor();
    await eventually(async () => assert.equal(await figures.count(), 4));
    for (let at = 0; at < 4; at++) {
      await figures.nth(at).click();
      await page.waitForFunction(() => /view=(?!overview)/.test(location.hash));
      await page.goBack();
      await figures.nth(3).waitFor();
    }
  },
);

const kUntimed = () => {
  const samples = join(process.env.VIZD_TOP ?? process.cwd(), "tests/data/tinygrad-2026-08");
  return ["--kernels", join(samples, "ramp.rewrites.pkl"), "--profile", join(samples, "ramp.profile.pkl")];
};

testPage(
  "kernels without times are said to have none, with how to record them",
  { args: kUntimed, fragment: "" },
  async ({ page }) => {
    await page.getByRole("heading", { name: "No times of kernels were recorded" }).waitFor();
    // What to run stands here, and again in the list of what else was not recorded, which may come first.
    await page.getByRole("paragraph").filter({ hasText: "DEV=CPU HCQ2=1 VIZ=-1" }).waitFor();
    await eventually(async () => assert.equal(await page.getByText("idle: other").count(), 0));
    await page.getByRole("table", { name: "Kernels with the most rewrites" }).locator("tbody button").first().click();
    await page.waitForFunction(() => location.hash.includes("view=program"));
  },
);

testPage("going back while the timeline scrolls is no error", { args: writeRanks }, async ({ page }) => {
  await page.setViewportSize({ width: 900, height: 520 });
  await page.locator(".overview").waitFor();
  await page.getByRole("list", { name: "Stragglers" }).getByRole("button").first().click();
  await page.locator(".lane-head").first().waitFor();
  const scrolled = await page.evaluate(() => {
    const scroller = document.querySelector(".timeline-scroll")!;
    scroller.scrollTop += 40;
    // Its scroll event comes with the next frame, and finds the view gone.
    history.back();
    return scroller.scrollTop;
  });
  assert.ok(scrolled > 0);
  await page.locator(".overview").waitFor();
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
});

const kPeaks = [{ name: "CPU", fp32: 0.5, "GB/s": 100 }];
async function writePeaks({ folder, kernels, profile }: Capture): Promise<string[]> {
  const path = join(folder, "peaks.json");
  await writeFile(path, JSON.stringify(kPeaks));
  return ["--kernels", kernels, "--profile", profile, "--peaks", path];
}

testPage("--peaks gives a device that vizd does not know its roof", { args: writePeaks }, async ({ page }) => {
  await goToView(page, "Kernels");
  const table = page.getByRole("table", { name: "Kernels" });
  await table.locator("tbody tr").first().waitFor();
  const { rows } = (await getJson(page, "/api/v1/kernels")) as WireKernels;
  const measured = rows.filter(({ bytes_per_s }) => bytes_per_s !== null);
  assert.ok(measured.length > 0);
  for (const { bytes_per_s, peak_bytes_per_s, bytes_percent } of measured) {
    assert.equal(peak_bytes_per_s, 100e9);
    assert.ok(Math.abs(bytes_percent! - (100 * bytes_per_s!) / 100e9) < 1e-9);
  }
  await eventually(async () =>
    assert.ok((await page.locator(".roofline circle").count()) > 0, "the roof is drawn with its kernels under it"),
  );
});
