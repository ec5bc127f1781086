// A stranger's tasks on memory snapshots of PyTorch, counted in keys and clicks from the moment that the page is open.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { Hands } from "./hands";
import { eventually, findBinary, testPage, type Capture } from "./harness";

const top = process.env.VIZD_TOP ?? process.cwd();
const train = join(top, "tests/golden/torch_memory/train/input/train.pickle");
const expandable = join(top, "tests/golden/torch_memory/expandable/input/expandable.pickle");
const whole = { args: () => [train], fragment: "&view=overview" };

/** Into a room of the top bar. */
const roomOf = (page: Page, name: string) => page.locator(".top-bar nav").getByRole("button", { name, exact: true });

const owners = (page: Page) => page.getByRole("table", { name: "Who holds the memory" }).locator("tbody tr");

testPage("who holds the peak: 1; show the line: 2", whole, async ({ page }) => {
  const hands = new Hands(page);
  await hands.click(roomOf(page, "Memory"));
  await owners(page).first().waitFor();
  assert.match(await owners(page).nth(0).innerText(), /aten::mul, no line of the user's[\s\S]*17\.8 MB/);
  assert.match(
    await page.locator(".allocator-moment").innerText(),
    /At the peak, entry 26.*21\.0 MB allocated of 23\.1 MB/,
  );
  assert.equal(hands.count, 1);

  await hands.click(owners(page).nth(1));
  const side = page.getByRole("region", { name: "the allocations" });
  await side.getByRole("link", { name: "model.py:12" }).first().waitFor();
  assert.match(await side.innerText(), /Block[\s\S]*3\.15 MB/);
  assert.equal(hands.count, 2);
});

testPage("which allocations leak: 2", whole, async ({ page }) => {
  const hands = new Hands(page);
  await hands.click(roomOf(page, "Memory"));
  await owners(page).first().waitFor();
  await hands.press("l");
  const leaks = page.getByRole("table", { name: "What leaks" }).locator("tbody tr");
  await leaks.first().waitFor();
  assert.equal(await leaks.count(), 1);
  assert.match(await leaks.first().innerText(), /log metrics\.py:7[\s\S]*1\.02 KB[\s\S]*512 B[\s\S]*2/);
  assert.equal(hands.count, 2);
});

testPage("what was made in a time and is left at its end: a drag, and M twice", whole, async ({ page }) => {
  await roomOf(page, "Memory").click();
  await owners(page).first().waitFor();
  const box = (await page.locator(".allocator-curve canvas").boundingBox())!;
  const at = (share: number) => [box.x + box.width * share, box.y + 120] as const;
  await page.mouse.move(...at(0.02));
  await page.mouse.down();
  await page.mouse.move(...at(0.3), { steps: 4 });
  await page.mouse.up();
  await page.waitForURL(/alloc\.time/);
  const count = async () => {
    const text = await page.locator(".allocator-panel .allocator-head").innerText();
    return Number(/(\d+) allocations?/.exec(text)?.[1] ?? -1);
  };
  await page.keyboard.press("m");
  await page.getByRole("combobox", { name: "Of what" }).waitFor();
  await eventually(async () => assert.equal(await count(), 4));
  await page.keyboard.press("m");
  await eventually(async () => assert.equal(await count(), 2));
});

testPage("why the out of memory: it is on the overview, and 1 leads to the allocator then", whole, async ({ page }) => {
  const hands = new Hands(page);
  const memory = page.locator(".overview-allocator");
  await memory.waitFor();
  const said =
    /15\.7 MB were asked for, 4\.10 KB were free on the device: fragmented\. 21\.0 MB were free in segments, but at most 10\.5 MB in one piece/;
  await eventually(async () => assert.match(await memory.innerText(), said));
  await eventually(async () =>
    assert.match(await memory.innerText(), /Leaks: 512 B a step of ProfilerStep#, made by log metrics\.py:7/),
  );
  assert.equal(hands.count, 0);

  await hands.click(memory.getByRole("button", { name: "Out of memory" }));
  await page.getByRole("img", { name: /segments and their blocks/ }).waitFor();
  assert.match(await page.locator(".allocator-moment").innerText(), said);
  assert.equal(hands.count, 1);
});

testPage(
  "the next out of memory, the peak and the end are a key away, and arrows go entry by entry",
  whole,
  async ({ page }) => {
    await roomOf(page, "Memory").click();
    const moment = page.locator(".allocator-moment");
    const says = (pattern: RegExp) => eventually(async () => assert.match(await moment.innerText(), pattern));
    await says(/At the peak, entry 26/);
    await page.keyboard.press("o");
    await says(/At entry 32[\s\S]*Out of memory/);
    await page.keyboard.press("ArrowLeft");
    await says(/At entry 31/);
    await page.keyboard.press("e");
    await says(/At the end, entry 33[\s\S]*2\.10 MB freed, but still in use on another stream/);
    await page.keyboard.press("p");
    await says(/At the peak/);
  },
);

testPage("over a block stands its life, and words find allocations", whole, async ({ page }) => {
  await roomOf(page, "Memory").click();
  await owners(page).first().waitFor();
  await page.keyboard.press("s");
  const segments = page.getByRole("img", { name: /segments and their blocks/ });
  await segments.waitFor();
  await eventually(async () => {
    await segments.hover({ position: { x: 230, y: 34 } });
    await page
      .getByRole("tooltip")
      .getByText(/requested|free/)
      .waitFor({ timeout: 500 });
  });
  const pieces = page.locator(".allocator-hint button[aria-pressed]");
  await pieces.first().click();
  await eventually(async () => assert.equal(await pieces.first().getAttribute("aria-pressed"), "true"));
  await page.getByRole("button", { name: "Draw all to one scale" }).click();
  await page.waitForFunction(() => /alloc\.piece=0x[0-9a-f]+/.test(location.hash));
  await page.reload();
  await page.getByRole("button", { name: "Give each segment all the width" }).waitFor();
  await eventually(async () =>
    assert.equal(await pieces.first().getAttribute("aria-pressed"), "true", "a link has it"),
  );
  await page.keyboard.press("a");
  await page.getByRole("textbox", { name: "Find allocations" }).fill("size>3e6 frame:forward");
  const found = page.getByRole("table", { name: "Allocations found" }).locator("tbody tr");
  await found.first().waitFor();
  assert.match(await found.first().innerText(), /forward model\.py:12/);
});

testPage("the palette finds allocations by their size and line, from anywhere", whole, async ({ page }) => {
  await page.locator(".overview-allocator").waitFor();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: "Go to" }).fill("size>3e6 frame:forward");
  await page.keyboard.press("Enter");
  const found = page.getByRole("table", { name: "Allocations found" }).locator("tbody tr");
  await found.first().waitFor();
  assert.match(await found.first().innerText(), /forward model\.py:12/);
});

const lacking = { args: () => [expandable], fragment: "&view=allocator" };
testPage("what a file lacks is named, and never zero", lacking, async ({ page }) => {
  await owners(page).first().waitFor();
  const moment = await page.locator(".allocator-moment").innerText();
  assert.match(moment, /Not recorded: times/);
  assert.doesNotMatch(moment, /\d ns/);
  assert.match(await owners(page).first().innerText(), /no stack recorded/);
});

const pair = { args: () => [train, expandable], fragment: "&view=overview" };
testPage("what grew since yesterday's file: 1", pair, async ({ page }) => {
  const hands = new Hands(page);
  await hands.click(roomOf(page, "Compare"));
  const rows = page.getByRole("table", { name: "What grew" }).locator("tbody tr");
  await rows.first().waitFor();
  assert.match(
    await page.locator(".compared-memory-verdict").innerText(),
    /\+17\.8 MB at the peak 21\.0 MB → 38\.8 MB/,
  );
  const texts = await rows.allInnerTexts();
  assert.ok(
    texts.some((text) => /forward model\.py:12[\s\S]*\+9\.4\d MB/.test(text)),
    texts.join("\n"),
  );
  assert.ok(
    texts.some((text) => /aten::mul[\s\S]*−17\.8 MB[\s\S]*removed/.test(text)),
    texts.join("\n"),
  );
  assert.equal(hands.count, 1);
});

/** A trace of the same run: its profiler reported one of the snapshot's allocations, inside of an operator. */
async function writeTrace({ folder }: Capture): Promise<string[]> {
  const listed = spawnSync(findBinary(), ["memory", train, "--allocations", "--json"], { encoding: "utf8" });
  const lives = listed.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Record<string, number>);
  const life = lives.find(({ frame }) => String(frame).includes("model.py:12"))!;
  const born_us = life.born_ns! / 1000 - 1_750_000_000_000_000;
  const args = { "Device Type": 1, "Device Id": 0, Addr: life.address, Bytes: life.block_bytes };
  const path = join(folder, "trace.json");
  const traceEvents = [
    { ph: "X", cat: "cpu_op", name: "aten::linear", pid: 1, tid: 1, ts: born_us - 10, dur: 20, args: {} },
    { ph: "X", cat: "cpu_op", name: "aten::addmm", pid: 1, tid: 1, ts: born_us - 5, dur: 10, args: {} },
    { ph: "i", s: "t", cat: "cpu_instant_event", name: "[memory]", pid: 1, tid: 1, ts: born_us, args },
  ];
  await writeFile(path, JSON.stringify({ baseTimeNanoseconds: 1_750_000_000_000_000_000, traceEvents }));
  return [train, path];
}

testPage("which operator made this block: 2", { args: writeTrace, fragment: "&view=overview" }, async ({ page }) => {
  const hands = new Hands(page);
  await hands.click(roomOf(page, "Memory"));
  await owners(page).first().waitFor();
  await hands.click(owners(page).nth(1));
  const side = page.getByRole("region", { name: "the allocations" });
  const rows = side.getByRole("table", { name: "Allocations" }).locator("tbody tr");
  await rows.first().waitFor();
  await side.getByRole("button", { name: "aten::addmm" }).waitFor();
  assert.equal(hands.count, 2);

  await side.getByRole("button", { name: "the timeline, one above the other" }).click();
  await page.getByText("12.6 MB in 4 allocations").waitFor();
});

/** A backward pass' allocation, whose forward was recorded as torch 2.11 does. */
async function writeForward({ folder }: Capture): Promise<string[]> {
  const path = join(folder, "forward.pickle");
  const program = `import pickle, sys
engine = {"name": "torch::autograd::Engine::thread_main()", "filename": "??", "line": 0}
alloc = {"action": "alloc", "addr": 4096, "size": 512, "stream": 0, "time_us": 1, "frames": [engine],
         "forward_frames": ['  File "/app/model.py", line 33, in forward\\n    x = self.q(x)\\n']}
pickle.dump({"segments": [], "device_traces": [[alloc]]}, open(sys.argv[1], "wb"))`;
  assert.equal(spawnSync("python3", ["-c", program, path]).status, 0);
  return [path];
}

const forward = { args: writeForward, fragment: "&view=allocator" };
testPage("of a backward pass' allocation stands where its forward was", forward, async ({ page }) => {
  await owners(page).first().click();
  const side = page.getByRole("region", { name: "the allocations" });
  await side.getByText("Where its forward was").waitFor();
  assert.match(await side.innerText(), /model\.py:33[\s\S]*x = self\.q\(x\)[\s\S]*its forward, 1 frame/i);
});

const cpp = join(top, "tests/golden/torch_memory/cpp/input/cpp.pickle");
const steps = { args: () => [train, cpp], fragment: "&view=compared-memory" };
testPage("two curves meet where the first range of a name begins in both", steps, async ({ page }) => {
  const align = page.getByLabel("curves begin");
  await align.selectOption({ label: "so that their first ProfilerStep# meet" });
  await page.waitForURL(/memory\.align=range/);
  await page.reload();
  await eventually(async () => assert.equal(await align.inputValue(), "range ProfilerStep#"));
  await page.getByRole("img", { name: /Allocated bytes of both/ }).waitFor();
});
