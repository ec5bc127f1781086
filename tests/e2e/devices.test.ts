// The devices' work as the page shows it: the overview of a trace, the table of kernels with its roofline, and two
// captures compared; each figure the server's.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { WireCallNode, WireDevices, WireKernels, WireOperators, WirePath } from "../../web/src/lib/devices";
import { goToView, testPage, type Capture, eventually } from "./harness";
import { getJson } from "./rewrites-stage";

/** A training step's beginnings: an operator with a product's kernel, a copy, a collective; slower by a factor. */
function makeTrace(factor: number): string {
  const events: object[] = [];
  const dims = {
    "Input Dims": [
      [64, 128],
      [128, 256],
    ],
    "Input type": ["float", "float"],
  };
  for (let i = 0; i < 20; i++) {
    const ts = 1000 * i;
    const span = (cat: string, name: string, pid: number, tid: number, at: number, dur: number, args: object) =>
      events.push({ ph: "X", cat, name, pid, tid, ts: ts + at, dur, args });
    span("cpu_op", "aten::mm", 9, 9, 0, 50, { "External id": i + 1, ...dims });
    span("cuda_runtime", "cudaLaunchKernel", 9, 9, 10, 5, { correlation: i + 100 });
    span("kernel", "sgemm_kernel", 0, 7, 30, 40 * factor, { device: 0, correlation: i + 100, "External id": i + 1 });
    span("kernel", "ncclKernel_AllReduce", 0, 8, 60, 30, { device: 0 });
    span("gpu_memcpy", "Memcpy HtoD", 0, 7, 300, 20, { device: 0, bytes: 1024 });
    if (factor > 1) span("kernel", "new_kernel", 0, 7, 400, 5, { device: 0 });
  }
  return JSON.stringify({ deviceProperties: [{ id: 0, name: "NVIDIA H100 80GB HBM3" }], traceEvents: events });
}

async function writeTraces({ folder }: Capture): Promise<string[]> {
  const paths = [join(folder, "before.json"), join(folder, "after.json")];
  await writeFile(paths[0]!, makeTrace(1));
  await writeFile(paths[1]!, makeTrace(2));
  return paths;
}

const args = writeTraces;

testPage(
  "a trace opens on its overview: busy and idle by cause, most time, longest idle",
  { args },
  async ({ page }) => {
    await page.getByRole("heading", { name: "Where the devices' time went" }).waitFor();
    const { breakdown, gaps } = (await getJson(page, "/api/v1/devices")) as WireDevices;
    const device = breakdown.find(({ stream }) => stream === null)!;
    assert.equal(device.busy_ns + device.idle_ns, device.span_ns);
    const share = `${((100 * device.busy_ns) / device.span_ns).toFixed(1)} %`;
    await page.locator(".device-bar-row").getByText(share, { exact: true }).waitFor();
    const most = page.getByRole("table", { name: "Kernels with the most time" });
    await eventually(async () => assert.match(await most.locator("tbody tr").first().innerText(), /sgemm_kernel/));
    await page.getByRole("button", { name: "streams" }).click();
    await eventually(async () => assert.equal(await page.locator(".stream-bars .time-bar").count(), 2));
    // The longest gap is where the link leads.
    const longest = gaps.toSorted((a, b) => b.to_ns - b.from_ns - (a.to_ns - a.from_ns))[0]!;
    await page
      .getByRole("table", { name: "Longest times with nothing running" })
      .locator("tbody button.link")
      .first()
      .click();
    await page.waitForFunction(() => location.hash.includes("view=timeline"));
    const [from, to] = await page.evaluate(() =>
      new URLSearchParams(location.hash.slice(1)).get("time")!.split("..").map(Number),
    );
    assert.ok(from! <= longest.from_ns && to! >= longest.to_ns);
  },
);

testPage("kernels are grouped, filtered, sorted, and lead to their longest launch", { args }, async ({ page }) => {
  await goToView(page, "Kernels");
  const table = page.getByRole("table", { name: "Kernels" });
  await table.locator("tbody tr").first().waitFor();
  const { rows } = (await getJson(page, "/api/v1/kernels")) as WireKernels;
  await eventually(async () => assert.equal(await table.locator("tbody tr").count(), rows.length));
  const sgemm = rows.find(({ name }) => name === "sgemm_kernel")!;
  assert.equal(sgemm.flop, 20 * 2 * 64 * 128 * 256);
  await eventually(async () => assert.equal(await page.locator(".roofline circle").count(), 1));
  await page.keyboard.press("/");
  await page.keyboard.type("nccl");
  await page.waitForFunction(() => document.querySelectorAll(".work tbody tr").length === 1);
  await page.keyboard.press("Escape");
  await page.waitForFunction(() => location.hash.includes("kernels=nccl"));
  await page.reload();
  await page.waitForFunction(() => document.querySelectorAll(".work tbody tr").length === 1);
  await page.getByRole("textbox", { name: "Filter kernels" }).fill("");
  await page.getByRole("combobox", { name: "Add up" }).selectOption("operator");
  await table.getByText("aten::mm").click();
  await page.locator(".kernel-title", { hasText: "aten::mm" }).waitFor();
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.includes("view=timeline") && location.hash.includes("event="));
  await page.getByRole("tab", { name: "Event" }).waitFor();
});

testPage(
  "the call tree rolls time up, unfolds, is filtered, and leads to the longest launch",
  { args },
  async ({ page }) => {
    await goToView(page, "Kernels");
    await goToView(page, "Call tree");
    const tree = page.getByRole("tree", { name: "Call tree" });
    await tree.getByText("aten::mm").waitFor();
    const { nodes } = (await getJson(page, "/api/v1/call-tree")) as { nodes: WireCallNode[] };
    const operator = nodes.find(({ name }) => name === "aten::mm")!;
    assert.equal(operator.launches, 20);
    assert.equal(operator.total_ns, 20 * 40_000);
    const row = tree.getByRole("treeitem").filter({ hasText: "aten::mm" });
    await eventually(async () => assert.equal(await row.getAttribute("aria-expanded"), "true"));
    await row.click();
    await page.waitForFunction(
      () => !document.querySelector(".call-tree .virtual-list")!.textContent!.includes("sgemm"),
    );
    // A folded row stays folded.
    await page.waitForFunction(() => location.hash.includes("calltree=") && location.hash.includes("callrow="));
    await page.reload();
    await tree.getByText("aten::mm").waitFor();
    await eventually(async () => assert.equal(await row.getAttribute("aria-expanded"), "false"));
    await eventually(async () => assert.equal(await row.getAttribute("aria-selected"), "true"));
    await page.getByRole("textbox", { name: "Filter calls" }).fill("sgemm");
    await tree.getByText("sgemm_kernel").click();
    await page.waitForFunction(() => location.hash.includes("calltext=sgemm"));
    await page.reload();
    await tree.getByText("sgemm_kernel").waitFor();
    await tree.getByRole("button", { name: "longest" }).first().click();
    await page.waitForFunction(() => location.hash.includes("view=timeline") && location.hash.includes("event="));
  },
);

testPage("operators are told apart, filtered, and lead to their longest call", { args }, async ({ page }) => {
  await goToView(page, "Kernels");
  await goToView(page, "Operators");
  const table = page.getByRole("table", { name: "Operators" });
  const { rows } = (await getJson(page, "/api/v1/operators")) as WireOperators;
  assert.equal(rows[0]!.name, "aten::mm");
  assert.equal(rows[0]!.calls, 20);
  await eventually(async () => assert.match(await table.locator("tbody tr").first().innerText(), /aten::mm\s+20/));
  await page.getByLabel("Tell apart").selectOption("by input shapes");
  await table.getByText("[[64, 128], [128, 256]]").waitFor();
  await page.waitForFunction(() => location.hash.includes("operatorsby=shape"));
  await page.getByRole("textbox", { name: "Filter operators" }).fill("nothing");
  await eventually(async () => assert.equal(await table.getByText("aten::mm").count(), 0));
  await page.getByRole("textbox", { name: "Filter operators" }).fill("64, 128");
  await table.locator("tbody button.link").first().click();
  await page.waitForFunction(() => location.hash.includes("view=timeline") && location.hash.includes("event="));
});

testPage("collectives and sequences of kernels are listed", { args }, async ({ page }) => {
  await goToView(page, "Kernels");
  await goToView(page, "Collectives");
  const collectives = page.getByRole("table", { name: "Collectives" });
  await eventually(async () => assert.match(await collectives.locator("tbody tr").first().innerText(), /all-reduce/));
  await page.getByRole("button", { name: "Each by itself" }).click();
  const each = page.getByRole("table", { name: "Each collective" });
  await eventually(async () => assert.match(await each.locator("tbody tr").first().innerText(), /all-reduce/));
  await page.waitForFunction(() => location.hash.includes("collectives=each"));
  await goToView(page, "Sequences");
  await page.getByText("No kernels follow one another three times.").waitFor();
});

testPage("the critical path is told in the overview and drawn over the timeline", { args }, async ({ page }) => {
  const table = page.getByRole("table", { name: "Critical path" });
  await table.locator("tbody tr").first().waitFor();
  const { paths } = (await getJson(page, "/api/v1/critical-path")) as { paths: WirePath[] };
  const [path] = paths;
  const sum_ns = path!.shares.reduce((sum, { total_ns }) => sum + total_ns, 0);
  assert.equal(sum_ns, path!.to_ns - path!.from_ns);
  await page.getByRole("button", { name: "over the timeline" }).click();
  await page.waitForFunction(() => location.hash.includes("view=timeline") && location.hash.includes("path=all"));
  // Lanes that are not on the path are dimmed: most of them are drawn over.
  await page.waitForFunction(() => {
    const over = document.querySelectorAll<HTMLCanvasElement>(".timeline-plot canvas")[1];
    if (over === undefined || over.width === 0) return false;
    // Reads a copy: the browser complains of a canvas that is read again and again.
    const copy = new OffscreenCanvas(over.width, over.height).getContext("2d", { willReadFrequently: true })!;
    copy.drawImage(over, 0, 0);
    const { data } = copy.getImageData(0, 0, over.width, over.height);
    let drawn = 0;
    for (let i = 3; i < data.length; i += 4) if (data[i]! > 100) drawn++;
    return drawn > 1000;
  });
  await page.keyboard.press("p");
  await page.waitForFunction(() => !location.hash.includes("path="));
});

const kTpu = join(process.env["VIZD_TOP"]!, "tests/golden/bigtpu/two_cores/input");

testPage(
  "of a TPU the overview tells what each engine did, as the summary has it",
  { args: async () => [kTpu] },
  async ({ page }) => {
    const table = page.getByRole("table", { name: "Engines" });
    const rows = table.locator("tbody tr");
    await rows.first().waitFor();
    const { records } = (await getJson(page, "/api/v1/summary")) as { records: Record<string, unknown>[] };
    const total = records.find(({ record }) => record === "total")!;
    const core = records.find(({ record }) => record === "core")!;
    const share = (100 * Number(core["tiu_busy_cycles"])) / Number(total["total_cycles"]);
    await eventually(async () => assert.match(await rows.first().innerText(), /core 0\s+TIU/));
    await eventually(async () => assert.ok((await rows.first().innerText()).includes(`${share.toFixed(1)} %`)));
    await eventually(async () => assert.ok((await rows.count()) >= 4, "two cores, two engines and more"));
    await goToView(page, "Info");
    await page.getByText("operations and microarchitecture rate of TIU commands").waitFor();
  },
);
