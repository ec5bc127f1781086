// What a GPU's recorders tell: where the cycles of a program's waves went, on its listing, blocks and side; counters.
import assert from "node:assert/strict";
import { eventually, goToView, testPage } from "./harness";
import { recordThreadTraces } from "./thread-trace";

testPage(
  "the cycles of instructions, what a wait waited for, its loop, one wave against another",
  { args: recordThreadTraces },
  async ({ page }) => {
    // The only view of its room.
    await page.locator(".top-bar nav").getByRole("button", { name: "Compiler", exact: true }).click();
    const row = (text: string) => page.locator(".code-row", { hasText: text }).first();
    await row("s_waitcnt").locator(".wait-load").waitFor();
    // Two runs of two waves: 190 + 38 and 95 + 38 cycles until each wait was over, and one to issue what follows.
    assert.match(await row("s_waitcnt").innerText(), /s_load_b64/);
    assert.deepEqual((await row("s_waitcnt").locator(".heat-costs > span").allInnerTexts()).slice(0, 2), ["4", "365"]);
    // The hottest first, then the next, and back.
    const current = page.locator(".code-row.current");
    await page.locator("body").press("h");
    await current.filter({ hasText: "s_waitcnt" }).waitFor();
    await page.locator("body").press("h");
    await current.filter({ hasText: "s_barrier" }).waitFor();
    await page.locator("body").press("Shift+H");
    await current.filter({ hasText: "s_waitcnt" }).waitFor();
    const side = page.locator(".section", { hasText: "Where the cycles went" });
    await side.getByText("12 iterations, median").waitFor();
    await row("s_waitcnt").locator(".wait-load").click();
    await page.locator(".code-row.current", { hasText: "s_load_b64" }).waitFor();

    await side.getByRole("combobox", { name: "Cycles of: run" }).selectOption("run 2");
    await eventually(async () => assert.match(await row("s_waitcnt").innerText(), /\b135\b/));
    await side.getByLabel("Compare with other waves").check();
    await side.getByRole("combobox", { name: "against: run" }).selectOption("run 1");
    await eventually(async () => assert.match(await row("s_waitcnt").innerText(), /−95\b/));
    await eventually(async () => assert.match(await page.evaluate(() => location.hash), /heat=1\..*heatvs=0\./));

    await page.getByRole("tab", { name: "Blocks" }).click();
    await page.locator(".flow-block .block-cost", { hasText: "a round" }).waitFor();
  },
);

testPage(
  "the instructions of a run's waves on a timeline of cycles, found, stepped through, and found again by their link",
  { args: recordThreadTraces },
  async ({ page }) => {
    await page.locator(".top-bar nav").getByRole("button", { name: "Compiler", exact: true }).click();
    const side = page.locator(".section", { hasText: "Where the cycles went" });
    await side.getByRole("button", { name: "run 1 →" }).click();
    await page.locator(".trace-head", { hasText: "in cycles of the shader's clock" }).waitFor();
    const names = page.getByRole("table", { name: "Events by name" });
    const load = names.locator("tr", { hasText: "s_load_b64" });
    await load.waitFor();
    // Two waves waited 190 and 38 cycles, and issued what follows a cycle later.
    assert.match(await names.locator("tr", { hasText: "s_waitcnt" }).innerText(), /\b230 cycles\b/);
    await load.locator("button.link").last().click();
    const event = page.locator(".event-tab");
    await event.getByText("0x100", { exact: true }).waitFor();
    await page.locator("body").press(".");
    await event.getByText("s_waitcnt", { exact: false }).first().waitFor();
    await eventually(async () => assert.match(await page.evaluate(() => location.hash), /trace=0.*event=SE/));
    await page.reload();
    await event.getByText("s_waitcnt", { exact: false }).first().waitFor();
    await page.getByRole("button", { name: "back to its kernel on the timeline" }).click();
    await page.locator(".trace-head").waitFor({ state: "detached" });
    await eventually(async () => assert.doesNotMatch(await page.evaluate(() => location.hash), /trace=/));
  },
);

testPage(
  "from a kernel to its waves and back, from run to run, from an instruction to the listing; what is shown first",
  { args: recordThreadTraces },
  async ({ page }) => {
    const hash = () => page.evaluate(() => decodeURIComponent(location.hash));
    await goToView(page, "Timeline");
    const names = page.getByRole("table", { name: "Events by name" });
    const byName = (name: string) => names.locator("tr", { has: page.getByText(name, { exact: true }) });
    await byName("looping").locator("button.link").last().click();
    const event = page.locator(".event-tab");
    await event.getByRole("button", { name: "Its waves and instructions, cycle by cycle" }).waitFor();
    const eventKey = async () => /event=([^&]*)/.exec(await hash())?.[1];
    await eventually(async () => assert.match((await eventKey()) ?? "", /looping/));
    const kernel = await eventKey();
    await page.locator("body").press("v");
    const head = page.locator(".trace-head");
    await head.getByText("run 1 of looping").waitFor();
    // The waves' time, which the place does not name; Home names all.
    await eventually(async () => assert.doesNotMatch(await hash(), /time=/));
    await page.locator("body").press("Home");
    await eventually(async () => assert.match(await hash(), /time=-/));
    await page.locator("body").press("j");
    await head.getByText("run 2 of looping").waitFor();
    await page.locator("body").press("k");
    await head.getByText("run 1 of looping").waitFor();
    await page.locator("body").press("v");
    await head.waitFor({ state: "detached" });
    await eventually(async () => assert.equal(await eventKey(), kernel));

    await page.getByRole("tab", { name: "Selection" }).click();
    await byName("wave of looping").locator("button.link").last().click();
    await event.getByText("wave of looping").first().waitFor();
    await page.locator("body").press("v");
    await head.getByText("of looping").waitFor();
    await names.locator("tr", { hasText: "s_waitcnt" }).locator("button.link").last().click();
    await event.getByRole("button", { name: "0x108", exact: true }).click();
    await page.locator(".code-row.current", { hasText: "s_waitcnt" }).waitFor();
  },
);

testPage(
  "samples of program counters on the rows of the listing and the blocks, by what warps waited for",
  { args: recordThreadTraces },
  async ({ page }) => {
    await page.locator(".top-bar nav").getByRole("button", { name: "Compiler", exact: true }).click();
    await page.locator(".program-list").getByText("sampled").click();
    const row = (text: string) => page.locator(".code-row", { hasText: text }).first();
    const figures = async (text: string) =>
      (await row(text).locator(".heat-costs > span").allInnerTexts()).slice(0, 3).map((each) => each.trim());
    await row("s_load_b64").locator(".uses i").first().waitFor();
    assert.deepEqual(await figures("s_load_b64"), ["6", "75.0 %", "0.0 %"]);
    assert.deepEqual(await figures("s_barrier"), ["2", "25.0 %", "0.0 %"]);
    assert.match((await row("s_load_b64").locator(".uses").getAttribute("title"))!, /5 memory dependency\n1 none/);
    await page.getByText("1 of them at addresses outside the listing").waitFor();
    await page.getByRole("tab", { name: "Blocks" }).click();
    await page.locator(".flow-block .block-cost", { hasText: "75.0 %" }).waitFor();
  },
);

testPage(
  "samples of program counters one by one on the lanes of their warps, from a sampled kernel and back to the listing",
  { args: recordThreadTraces },
  async ({ page }) => {
    await goToView(page, "Counters");
    await page.getByRole("table", { name: "Samples of kernels" }).getByText("sampled").click();
    const addresses = page.getByRole("table", { name: "Samples by address" });
    await addresses.getByText("memory dependency 83.3 %", { exact: true }).waitFor(); // five of six
    await page.getByRole("button", { name: "Its warps, sample by sample" }).click();
    await page.locator(".trace-head", { hasText: "9 samples of warps" }).waitFor();
    const names = page.getByRole("table", { name: "Events by name" });
    const dependency = names.locator("tr", { hasText: "MEMORY_DEPENDENCY" });
    assert.match(await dependency.innerText(), /\b160 cycles\b/); // five samples of 32
    await dependency.locator("button.link").last().click();
    const event = page.locator(".event-tab");
    await event.getByRole("button", { name: "0x100", exact: true }).waitFor();
    await eventually(async () => assert.match(await page.evaluate(() => location.hash), /trace=s0.*event=GPC/));
    await page.reload();
    await event.getByRole("button", { name: "0x100", exact: true }).click();
    await page.locator(".code-row.current", { hasText: "s_load_b64" }).waitFor();
    await page.locator("p.note", { hasText: "Samples over time" }).getByRole("button", { name: "run 1 →" }).click();
    await page.locator(".trace-head", { hasText: "9 samples of warps" }).waitFor();
  },
);

testPage(
  "counters of all runs in one table, rates with their formulas, where they were counted, and the way to the cycles",
  { args: recordThreadTraces },
  async ({ page }) => {
    await goToView(page, "Counters");
    const table = page.getByRole("table", { name: "Counters of runs" });
    await table.getByText("GL2C_MISS").waitFor();
    const cells = async (run: number) => {
      const texts = await table.locator("tbody tr").nth(run).locator("td").allInnerTexts();
      return texts.map((text) => text.trim());
    };
    assert.deepEqual((await cells(0)).slice(0, 4), ["looping", "1", "2.50 µs", "75.0 %"]);
    assert.equal((await cells(2)).at(-1), "·"); // it has no such counter
    await table.getByRole("button", { name: "SQ_WAVES" }).click();
    await eventually(async () => assert.equal((await cells(2))[0], "other"));

    await table.getByText("looping").first().click();
    await page.getByText("100 · GL2C_HIT / (GL2C_HIT + GL2C_MISS)").waitFor();
    const map = page.getByRole("table", { name: "SQ_WAVES by place" });
    await map.getByText("WGP 1").waitFor();
    assert.deepEqual(await map.locator("td").allInnerTexts(), ["3", "1"]);
    await page.getByRole("button", { name: "Where its cycles went, instruction by instruction" }).click();
    await page.locator(".code-row .wait-load").first().waitFor();
  },
);
