// Replays of graphs as a person follows them: from the layer that takes the time to its nodes, to the slowest replay, on
// to the same node in another one; and the steps, whose steady window becomes the range.
import assert from "node:assert/strict";
import { mkdtempSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually, goToView, testPage, type Capture } from "./harness";

const environment = { XDG_CACHE_HOME: mkdtempSync(join(tmpdir(), "vizd-cache-")) };

const kReplays = 8;
/** Twice as slow as the others. */
const kSlow = 5;

const record = (cat: string, name: string, pid: number, tid: number, ts: number, dur: number, args: object = {}) => ({
  ...{ ph: "X", cat, name, pid, tid, ts, dur, args },
});

/** Four kernels of two layers: attention and MLP in each. */
const kKernels = ["attention_kernel", "gemm", "attention_kernel", "gemm"];

function makeCapture(): object[] {
  const events = [record("cuda_runtime", "hipStreamBeginCapture", 1, 1, 90, 5, { correlation: 1 })];
  kKernels.forEach((kernel, i) => {
    const at = 100 + 20 * i;
    events.push(
      record("python_function", "nn.Module: Net_0", 1, 1, at, 20),
      record("python_function", `nn.Module: DecoderLayer_${Math.floor(i / 2)}`, 1, 1, at + 1, 18),
      record(
        "python_function",
        `nn.Module: ${i % 2 === 0 ? "Attention" : "MLP"}_${Math.floor(i / 2)}`,
        1,
        1,
        at + 2,
        16,
      ),
      record("cpu_op", i % 2 === 0 ? "vllm::attention" : "aten::mm", 1, 1, at + 3, 14, {
        "Input Dims": [
          [4, 8],
          [8, 4],
        ],
      }),
      record("cuda_runtime", "hipLaunchKernel", 1, 1, at + 4, 2, { correlation: 10 + i, kernel }),
    );
  });
  return [...events, record("cuda_runtime", "hipStreamEndCapture", 1, 1, 300, 5, { correlation: 2 })];
}

/** The last replay has lost its last record, so that its names are guesses. */
function makeTrace(): object[] {
  return Array.from({ length: kReplays }, (_, r) => {
    const at = 1000 * (r + 1);
    const slow = r === kSlow ? 2 : 1;
    const kernels = r === kReplays - 1 ? kKernels.slice(0, 3) : kKernels;
    return [
      record("user_annotation", "step[DECODE bs=4]", 1, 1, at, 50),
      record("cuda_runtime", "hipGraphLaunch", 1, 1, at + 10, 20, { correlation: 100 + r }),
      ...kernels.map((name, i) =>
        record("kernel", name, 0, 7, at + 100 + 62 * i, 20 * slow + 10 * i, { device: 0, correlation: 100 + r }),
      ),
    ];
  }).flat();
}

/** As many steps, whose second layer has another MLP that takes longer. */
const makeAfter = (): object[] =>
  makeTrace().map((event) => {
    const { name, ts, dur } = event as { name: string; ts: number; dur: number };
    return name === "gemm" && ts % 1000 > 200 ? { ...event, name: "gemm_v2", dur: dur + 7 } : event;
  });

async function twoServers(capture: Capture): Promise<string[]> {
  const [before] = await args(capture);
  const after = join(capture.folder, "after.json");
  await writeTrace(after, makeAfter());
  return [before!, after];
}

const traceText = (events: object[]) =>
  JSON.stringify({
    deviceProperties: [{ id: 0, name: "AMD Instinct MI300X" }],
    traceEvents: [...events, { ph: "M", name: "process_name", pid: 1, args: { name: "python" } }],
  });

const writeTrace = (path: string, events: object[]) => writeFile(path, traceText(events));

async function args({ folder }: Capture): Promise<string[]> {
  const write = (name: string, events: object[]) => writeTrace(join(folder, name), events);
  await mkdir(join(folder, "capture_traces"));
  await write("server.json", makeTrace());
  await write("capture_traces/bs_4_rank0.json", makeCapture());
  return [join(folder, "server.json")];
}

testPage(
  "from a layer to its nodes, to the slowest replay, and to the same node after it",
  { args },
  async ({ page }) => {
    await goToView(page, "Layers");
    const layers = page.getByRole("table", { name: "Layers by phase and module" });
    await layers.getByText("layer 1").waitFor();
    assert.deepEqual(await layers.getByRole("columnheader").allTextContents(), ["Layer", "decode", "Attention", "MLP"]);

    await layers.getByText("layer 1").click();
    const nodes = page.getByRole("table", { name: "Nodes of the graph" });
    await eventually(async () => assert.equal(await nodes.locator("tbody tr").count(), 2));
    assert.equal(await page.getByLabel("Filter nodes").inputValue(), "layer:1");
    await page.getByText("kernels named for sure").waitFor();

    await nodes.locator("tbody tr").first().click();
    const side = page.getByRole("region", { name: "the node" });
    await side.getByText("by order", { exact: true }).waitFor();
    await side.getByText("vllm::attention").first().waitFor();
    assert.equal(await side.locator(".run-dots circle").count(), kReplays);

    await page.keyboard.press("Enter");
    const panel = page.locator(".event-tab");
    await panel.getByText("In a graph's replay").waitFor();
    await panel.getByText(`${kSlow}; its graph ran ${kReplays} times`).waitFor();
    await page.keyboard.press("j");
    await panel.getByText(`${kSlow + 1}; its graph ran ${kReplays} times`).waitFor();
    // The one after that lost a record: what it says is about right, and why.
    await page.keyboard.press("j");
    await panel.getByText("about", { exact: true }).waitFor();
    await panel.getByText("the capture has 4 launches, the replay 3 pieces of work").waitFor();
    await panel.getByText("left no record").waitFor();
    await page.keyboard.press("Shift+J");
    await panel.getByText(`${kSlow}; its graph ran ${kReplays} times`).waitFor();
    // What the work is of stands over its lane, and counts as none.
    await page.locator(".lane-head", { hasText: "stream 7 replays" }).waitFor();
    await page.locator(".lane-head", { hasText: "steps" }).getByText(`${kReplays} spans`).waitFor();
  },
);

testPage(
  "a trace and its capture, dropped together, open as one that has names",
  { args, environment },
  async ({ page }) => {
    const contents = [
      ["dropped.json", traceText(makeTrace())],
      ["bs_4_rank0.json", traceText(makeCapture())],
    ] as const;
    await goToView(page, "Layers");
    await page.evaluate((list) => {
      const data = new DataTransfer();
      for (const [name, text] of list) data.items.add(new File([text], name));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer: data, bubbles: true, cancelable: true }));
    }, contents);
    await page.waitForFunction(() => location.hash.includes("capture=dropped"));
    assert.equal(await page.getByLabel("Capture", { exact: true }).locator("option").count(), 2);
    await goToView(page, "Graph");
    await page.getByText("kernels named for sure").waitFor();
  },
);

testPage("the steady window of a server's steps becomes the range of every view", { args }, async ({ page }) => {
  await goToView(page, "Steps");
  const steps = page.getByRole("table", { name: "Steps of the server" });
  await eventually(async () => assert.equal(await steps.locator("tbody tr").count(), kReplays));
  assert.equal(await page.locator(".step-chart rect.step").count(), kReplays);
  await page.getByText(`Steady window: ${kReplays} steps of up to 4 requests`).waitFor();
  await page.getByRole("button", { name: "Scope to the steady window" }).click();
  await eventually(async () => assert.match(page.url(), /scope\.range=/));
});

testPage("two servers' runs stand side by side, place by place", { args: twoServers }, async ({ page }) => {
  await goToView(page, "Nodes compared");
  await page.getByText("Layers of a decode step").waitFor();
  const places = page.getByRole("table", { name: "Places of a step" });
  await eventually(async () => assert.equal(await places.locator("tbody tr").count(), 4));
  // What changed most is first, with both kernels.
  const first = places.locator("tbody tr").first();
  await first.getByText("gemm_v2").waitFor();
  await first.getByText("gemm", { exact: true }).waitFor();
  await first.getByText("+7.00 µs").waitFor();
  await page.getByText("1 with another kernel").waitFor();

  await page.locator(".places-layer").nth(1).click();
  await eventually(async () => assert.equal(await places.locator("tbody tr").count(), 2));
  assert.equal(await page.getByLabel("Filter places").inputValue(), "layer:1");
  await page.locator(".places-layer").nth(1).click();
  await eventually(async () => assert.equal(await places.locator("tbody tr").count(), 4));

  await first.click();
  await page.keyboard.press("b");
  await page.locator(".event-tab").getByText("gemm_v2").first().waitFor();
  assert.match(page.url(), /view=timeline/);
});
