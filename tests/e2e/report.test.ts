// A capture as one HTML file, opened from a disk: no request leaves it, and the rooms show what they show of a server.
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { copyCapture, eventually, findBinary, goToView, launch, type Capture } from "./harness";
import { writeAllocations } from "./memory-trace";
import { writeSteps } from "./step-trace";

const kPatience_ms = 20_000;

interface Opened {
  page: Page;
  /** What vizd said when it wrote the report. */
  said: string;
  path: string;
}

interface ReportOptions {
  args?: (capture: Capture) => string[] | Promise<string[]>;
  /** Options beside these words of the command. */
  more?: (words: readonly string[]) => string[];
  fragment?: string;
  /** Console messages that the test provokes. */
  expected?: RegExp;
}

/** A test with a report open. Fails on any error of the page, and on any request but the one for the file itself. */
function testReport(name: string, options: ReportOptions, body: (opened: Opened) => Promise<void>): void {
  test(name, async () => {
    const capture = await copyCapture();
    const files = (await options.args?.(capture)) ?? ["--kernels", capture.kernels, "--profile", capture.profile];
    const path = join(capture.folder, "report.html");
    const words = ["export", ...files, "--page", path];
    const said = execFileSync(findBinary(), [...words, ...(options.more?.(words) ?? [])], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    const context = await (await launch()).newContext({ viewport: { width: 1400, height: 900 } });
    try {
      const page = await context.newPage();
      page.setDefaultTimeout(kPatience_ms);
      const complaints: string[] = [];
      const requests: string[] = [];
      page.on("console", (message) => {
        if (message.text().includes("willReadFrequently") || options.expected?.test(message.text())) return;
        if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(String(error.stack)));
      page.on("request", (request) => requests.push(request.url()));
      const url = pathToFileURL(path).href;
      await page.goto(url + (options.fragment ?? ""));
      await body({ page, said, path });
      assert.deepEqual(complaints, [], "the console is quiet");
      // A data: URL is the file's own icon.
      const left = requests.filter((request) => request.split("#")[0] !== url && !request.startsWith("data:"));
      assert.deepEqual(left, [], "no request leaves");
    } finally {
      await context.close();
      await rm(capture.folder, { recursive: true, force: true });
    }
  });
}

/** Whether the canvas has more than one colour. */
const isDrawn = (page: Page, selector: string) =>
  page.waitForFunction((wanted) => {
    const canvas = document.querySelector<HTMLCanvasElement>(wanted);
    if (canvas === null || canvas.width === 0) return false;
    const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
    const colours = new Set<number>();
    for (let i = 0; i < data.length; i += 4) colours.add((data[i]! << 16) | (data[i + 1]! << 8) | data[i + 2]!);
    return colours.size > 4;
  }, selector);

const noBanner = async (page: Page) => assert.deepEqual(await page.locator(".banner").allInnerTexts(), []);

testReport("a small capture is in its report whole: every room shows it", {}, async ({ page }) => {
  await page.locator(".overview").waitFor();
  await page.getByRole("table", { name: "Passes by matches" }).locator("tbody tr").first().waitFor();
  await page.locator(".report-chip").getByText("report", { exact: true }).waitFor();
  assert.equal(await page.getByText("● live").count(), 0);

  await goToView(page, "Timeline");
  await page.locator(".lane-head").first().waitFor();
  await isDrawn(page, ".view-timeline canvas");
  await page.getByRole("table", { name: "Events by name" }).locator("tbody tr").first().waitFor();

  await goToView(page, "Memory");
  await page.locator('table[aria-label^="Who held it"]').waitFor();
  await isDrawn(page, ".memory-picture canvas");

  await goToView(page, "Rewrites");
  await page.locator(".crumbs").waitFor();
  await isDrawn(page, ".graph canvas");

  await goToView(page, "Rules");
  await page.getByRole("table").first().locator("tbody tr").first().waitFor();

  await goToView(page, "Program");
  await page.locator(".program-head h2").waitFor();

  await goToView(page, "Info");
  await page.getByRole("heading", { name: "This report" }).waitFor();
  await noBanner(page);
});

testReport(
  "a match tells its rule and its diff; an event of the timeline its details",
  { fragment: "#view=rewrites" },
  async ({ page }) => {
    await page.locator(".crumbs").waitFor();
    await page.keyboard.press("End");
    await page
      .locator(".crumbs")
      .getByText(/^match \d+$/)
      .waitFor();
    await page
      .locator(".inspector")
      .getByText(/\.py:\d+/)
      .first()
      .waitFor();
    await goToView(page, "Timeline");
    const table = page.getByRole("table", { name: "Events by name" });
    await table.locator("tbody tr").first().getByRole("button", { name: "→" }).click();
    await page.waitForURL(/event=/);
    await page.getByRole("tab", { name: "Event", selected: true }).waitFor();
    await page.locator(".drawer-body dt").first().waitFor();
    await noBanner(page);
  },
);

testReport(
  "a report has the tables of the devices' work, and of each step, and no room that would have to ask",
  { args: writeSteps },
  async ({ page }) => {
    await page.locator(".overview").waitFor();
    await goToView(page, "Kernels");
    const kernels = page.getByRole("table").first();
    await kernels.getByText("gemm").first().waitFor();
    await page.goto(`${page.url().split("#")[0]}#view=kernels&scope.step=2`);
    await page.getByRole("button", { name: "Remove step 2 from the scope" }).waitFor();
    await kernels.getByText("gemm").first().waitFor();
    assert.equal(
      await page.getByRole("button", { name: "Export", exact: true }).and(page.locator(".scope-save")).count(),
      0,
    );
    for (const view of ["Call tree", "Sequences"]) await goToView(page, view);
    assert.equal(await page.locator(".top-bar").getByRole("button", { name: "SQL" }).count(), 0);
    assert.equal(await page.locator(".open-file").count(), 0);
    await noBanner(page);
  },
);

testReport(
  "what is not in a report is said, in place of its answer",
  { args: writeAllocations, fragment: "#view=timeline" },
  async ({ page }) => {
    await page.locator(".lane-head").first().waitFor();
    await page.keyboard.press("/");
    await page.keyboard.insertText("aten");
    await page.getByText("This is not in this report. Open the capture itself with vizd to see it.").first().waitFor();
  },
);

/** Names that would run a script, load something or hide the page if they were taken for markup. */
const kHostileNames = [
  "</script><script>window.pwned=1</script>",
  "<img src=x onerror=window.pwned=2>",
  '"><svg onload=window.pwned=3>',
  "javascript:window.pwned=4",
  "<base href=//evil.example><style>*{display:none}</style>",
  "<meta http-equiv=refresh content=0;url=//evil.example>",
  "]]><!--",
  "__proto__",
];

testReport(
  "names of a capture are text in a report, and no script runs but its own",
  {
    args: async (capture) => {
      const path = join(capture.folder, "<img src=x onerror=window.pwned=5>.json");
      const events = kHostileNames.flatMap((name, pid) => [
        { ph: "M", name: "process_name", pid, args: { name } },
        { ph: "M", name: "thread_name", pid, tid: 7, args: { name } },
        { ph: "X", cat: "kernel", name, pid, tid: 7, ts: 10, dur: 5, args: { device: 0, stream: 7, [name]: name } },
      ]);
      await writeFile(
        path,
        JSON.stringify({ traceEvents: events, deviceProperties: [{ id: 0, name: kHostileNames[0] }] }),
      );
      return [path];
    },
    expected: /^Executing inline script violates/,
  },
  async ({ page }) => {
    for (const view of ["Overview", "Kernels", "Timeline", "Info"]) {
      await goToView(page, view);
      await page.getByText("<img src=x onerror=window.pwned=5>").first().waitFor();
    }
    const put = await page.evaluate(() => {
      const refusal = new Promise<string>((resolve) =>
        document.addEventListener("securitypolicyviolation", ({ effectiveDirective }) => resolve(effectiveDirective)),
      );
      const script = document.createElement("script");
      script.textContent = "window.pwned = 6";
      document.body.append(script);
      return refusal.then((refused) => ({ pwned: (window as { pwned?: number }).pwned ?? 0, refused }));
    });
    assert.deepEqual(put, { pwned: 0, refused: "script-src-elem" });
  },
);

/** What such a report takes with nothing of the capture in it: most of a megabyte, and more with each version of the page. */
function leastReport_bytes(words: readonly string[]): number {
  const { stderr } = spawnSync(findBinary(), [...words, "--most-bytes", "1"], { encoding: "utf8" });
  const told = /a report takes (\d+) bytes before it contains anything/.exec(stderr);
  assert.ok(told !== null, stderr);
  return Number(told[1]);
}

let most_bytes = 0;

testReport(
  "a report is never larger than it may be, and says what that left no room for",
  {
    more: (words) => ["--most-bytes", String((most_bytes = leastReport_bytes(words) + 8_000))],
    fragment: "#view=info",
  },
  async ({ page, path }) => {
    const { size } = await stat(path);
    assert.ok(size <= most_bytes, `${size} bytes`);
    await page.locator(".report-chip").getByText("report, in part").waitFor();
    await eventually(async () =>
      assert.match(await page.locator(".info").innerText(), /graphs of passes: \d+ of 205|programs: \d+ of \d+/),
    );
  },
);
