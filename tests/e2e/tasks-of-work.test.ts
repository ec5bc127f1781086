// Questions about what devices did, each answered in as few keys and clicks as it may take, counted from the page that
// vizd opens; and that the answer is the right one. Those about a compiler's rewrites are in tasks.test.ts.
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { gunzipSync } from "node:zlib";
import type { Page } from "playwright-core";
import type { WireParting } from "../../web/src/views/compare/wire";
import { Hands } from "./hands";
import { findBinary, goToView, testPage, eventually } from "./harness";
import { pointAt, writeLaunches } from "./launch-trace";
import { writeAllocations } from "./memory-trace";
import { writeRanks } from "./rank-traces";
import { getJson } from "./rewrites-stage";
import { writeSteps } from "./step-trace";
import { copyVersions } from "./two-versions";

const top = process.env.VIZD_TOP ?? process.cwd();

const launches = { args: writeLaunches, fragment: "" };

/** A click on the stream's row at a time, µs, of the timeline as it opens. Counts as many hands as it takes. */
async function clickTimeline(page: Page, hands: Hands, at_us: number): Promise<void> {
  hands.count += await goToView(page, "Timeline");
  await page.locator(".lane-head").first().waitFor();
  const { x, y } = await pointAt(page, "stream 7", 0, at_us);
  await page.locator(".timeline-tooltip").waitFor();
  await page.mouse.click(x, y);
  hands.count++;
}

testPage("why a device was idle, down to the host's call: 2", launches, async ({ page }) => {
  const hands = new Hands(page);
  await clickTimeline(page, hands, 500);
  const gap = page.locator(".gap-tab");
  await gap.filter({ hasText: "the host launched the next work only after the device had finished" }).waitFor();
  const text = await gap.innerText();
  assert.match(text, /400 µs/);
  assert.match(text, /Launched by\s+cudaLaunchKernel/);
  assert.match(text, /Host was in\s+aten::copy_/);
  assert.ok(hands.count <= 2, `${hands.count}`);
});

testPage("the operator and the Python stack of a kernel: 2", launches, async ({ page }) => {
  const hands = new Hands(page);
  await clickTimeline(page, hands, 200);
  const launched = page.locator(".launched-in");
  await launched.waitFor();
  const text = await launched.innerText();
  assert.match(text, /Operator\s+aten::mm/);
  assert.match(text, /Module\s+Linear_0/);
  assert.match(text, /Python stack\s+main\.py\(7\): run/);
  assert.ok(hands.count <= 2, `${hands.count}`);
});

testPage("the straggler: 1", { args: writeRanks, fragment: "" }, async ({ page }) => {
  const hands = new Hands(page);
  // It is read at once; the click leads to the collective that it held up most.
  const line = page.getByRole("list", { name: "Stragglers" }).getByRole("button").first();
  await eventually(async () => assert.match(await line.innerText(), /^rank 1 comes late to 4 of 4 collectives/));
  await hands.click(line);
  await page.waitForFunction(() => /view=timeline/.test(location.hash) && /scope\.rank=1/.test(location.hash));
  await page.locator(".lane-head").first().waitFor();
  assert.ok(hands.count <= 2, `${hands.count}`);
});

const holders = (page: Page) => page.getByRole("table", { name: "Who held it, by operator" }).locator("tbody tr");

testPage("the operator behind the memory peak: 1", { args: writeAllocations, fragment: "" }, async ({ page }) => {
  const hands = new Hands(page);
  hands.count += await goToView(page, "Memory");
  await page.getByText(/^At the peak/).waitFor();
  await eventually(async () => assert.match(await holders(page).first().innerText(), /^MmBackward0\s[^]*40\.0 MB/));
  assert.ok(hands.count <= 2, `${hands.count}`);
});

interface TraceEvent {
  cat?: string;
  name: string;
  tid: number;
  ts: number;
  dur: number;
  args: Record<string, number>;
}

/** Operators that only make memory, for the one around them. */
const kMakers = /^aten::(new_)?(empty|resize)(_strided|_like|_as)?_?$/;

/** Who held most at the peak of a trace's device, as its file tells: the operator and its bytes. */
function findHolder(path: string): { operator: string; bytes: number } {
  const { traceEvents } = JSON.parse(gunzipSync(readFileSync(path)).toString()) as { traceEvents: TraceEvent[] };
  const operators = traceEvents.filter(({ cat, name }) => cat === "cpu_op" && !kMakers.test(name));
  const operatorOf = ({ tid, ts }: TraceEvent) =>
    operators.filter((op) => op.tid === tid && op.ts <= ts && ts <= op.ts + op.dur).sort((a, b) => b.ts - a.ts)[0];
  const alive = new Map<number, TraceEvent>();
  let peak: TraceEvent[] = [];
  let [held, most] = [0, 0];
  const reports = traceEvents.filter(({ name, args }) => name === "[memory]" && args["Device Type"] === 1);
  for (const report of reports.sort((a, b) => a.ts - b.ts)) {
    const { Bytes: bytes, Addr: address } = report.args as { Bytes: number; Addr: number };
    if (bytes > 0) alive.set(address, report);
    else if (!alive.delete(address)) continue;
    held += bytes;
    if (held > most) [most, peak] = [held, [...alive.values()]];
  }
  const sums = new Map<string, number>();
  for (const report of peak) {
    const operator = operatorOf(report)?.name ?? "";
    sums.set(operator, (sums.get(operator) ?? 0) + report.args["Bytes"]!);
  }
  const [operator, bytes] = [...sums].sort(([, a], [, b]) => b - a)[0]!;
  return { operator, bytes };
}

const sample = join(top, "../shared/samples/kineto/h100_vit.json.gz");
const onSample = "the operator behind the memory peak of a model on an H100, as the trace's own records tell: 1";
if (existsSync(sample)) {
  testPage(onSample, { args: () => [sample], fragment: "&view=overview" }, async ({ page }) => {
    const hands = new Hands(page);
    hands.count += await goToView(page, "Memory");
    await page.getByText(/^At the peak/).waitFor();
    const { operator, bytes } = findHolder(sample);
    const first = holders(page).first();
    await eventually(async () =>
      assert.equal((await first.locator("td").first().innerText()).split(/\s/)[0], operator),
    );
    const exact = await first.locator("td").nth(1).locator("[title]").first().getAttribute("title");
    assert.equal(parseInt(exact!), bytes);
    assert.ok(hands.count <= 2, `${hands.count}`);
  });
} else {
  test(onSample, { skip: "the shared samples are not here" });
}
testPage("a step zoomed to and exported as a trace: 2", { args: writeSteps, fragment: "" }, async (stage) => {
  const { page, capture } = stage;
  const hands = new Hands(page);
  await hands.click(page.getByRole("button", { name: /^ProfilerStep#2/ }));
  await page.waitForFunction(() => /view=timeline/.test(location.hash) && /time=\d/.test(location.hash));
  const saved = page.waitForEvent("download");
  await hands.click(page.getByRole("group", { name: "Scope" }).getByRole("button", { name: "Export" }));
  const download = await saved;
  assert.match(download.suggestedFilename(), / step 2\.pftrace$/);
  const path = join(capture.folder, download.suggestedFilename());
  await download.saveAs(path);
  const run = promisify(execFile);
  await run(findBinary(), ["check", path]);
  // The third step's work and no other: on either device a product of 600 µs and a copy, the most time first.
  const { stdout } = await run(findBinary(), ["kernels", path, "--json"]);
  const rows = stdout.trim().split("\n");
  const told = rows.map(
    (row) => JSON.parse(row) as { device: number; name: string; launches: number; total_ns: number },
  );
  assert.deepEqual(
    told.map(({ device, name, launches, total_ns }) => [device, name, launches, total_ns]),
    [
      [0, "gemm", 1, 600_000],
      [1, "gemm", 1, 600_000],
      [0, "copy_kernel", 1, 50_000],
      [1, "copy_kernel", 1, 50_000],
    ],
  );
  assert.ok(hands.count <= 2, `${hands.count}`);
});

testPage(
  "why a kernel changed between two runs, down to its first differing match: 3",
  { args: copyVersions, fragment: "" },
  async ({ page }) => {
    const hands = new Hands(page);
    hands.count += await goToView(page, "Compare");
    const rows = page.getByRole("table", { name: "What changed" }).locator("tbody tr");
    await hands.click(rows.filter({ has: page.getByTitle("E_4", { exact: true }) }));
    const row = page.getByRole("region", { name: "The row on both sides" });
    const { first } = (await getJson(page, "/api/v1/compare-rewrites?capture=c1&with=c0&kernel=E_4")) as WireParting;
    await hands.click(row.locator(".parted li").filter({ hasText: /^A/ }).getByRole("button"));
    await page.waitForFunction(() => location.hash.includes("view=rewrites"));
    const hash = new URLSearchParams(await page.evaluate(() => location.hash.slice(1)));
    assert.match(hash.get("context")!, /:E_4$/);
    assert.equal(hash.get("pass"), `${first!.pass}:${first!.a.pass}`);
    assert.equal(Number(hash.get("match") ?? 0), first!.match);
    assert.ok(hands.count <= 3, `${hands.count}`);
  },
);

const delegated = { args: () => [join(top, "tests/golden/etdump/delegate_int/input")], fragment: "" };
testPage("what is not delegated, and why: 1", delegated, async ({ page }) => {
  const hands = new Hands(page);
  await hands.click(page.getByRole("button", { name: "what is not delegated, and why" }));
  const row = page.getByRole("table", { name: "Not delegated" }).locator("tbody tr").first();
  await eventually(async () =>
    assert.match(await row.innerText(), /aten\.cumsum\.default[^]*no node of this op was delegated/),
  );
  assert.ok(hands.count <= 2, `${hands.count}`);
});
