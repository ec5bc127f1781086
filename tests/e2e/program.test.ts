// The program view on a real capture: the source alone, compiled code with its lines, registers, blocks, analysis, a
// comparison, and the URL; and without compilers what is missing is named.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { goToView, testPage, type Capture, canCompile, eventually } from "./harness";

const kTop = process.env.VIZD_TOP ?? process.cwd();

/** Two programs whose binaries the capture holds: one for x86-64 with its lines, one for a GPU. */
const kBinaries = `
import sys
sys.path.insert(0, sys.argv[1] + "/python")
from vizd import Capture
read = lambda name: open(sys.argv[1] + "/tests/data/programs/" + name, "rb").read()
with Capture(sys.argv[2]) as writer:
    for name, device, file in (("sum", "CPU", "sum.dwarf4.x86-64.o"), ("add", "AMD", "add.gfx90a.o")):
        writer.program(writer.context(name), name, read("sum.c").decode(), device, read(file))
`;

const compiled = (capture: Capture) => ["--compile", "--kernels", capture.kernels, "--profile", capture.profile];
const compiles = canCompile();
const hasMca = existsSync("/usr/bin/llvm-mca");

async function openProgram(page: Page): Promise<void> {
  await goToView(page, "Program");
  await page.locator(".source-row").first().waitFor();
}

function readHash(page: Page): Promise<URLSearchParams> {
  return page.evaluate(() => location.hash.slice(1)).then((hash) => new URLSearchParams(hash));
}

testPage("without --compile the source is there, and how to see more", {}, async ({ page }) => {
  await openProgram(page);
  await eventually(async () =>
    assert.match((await page.locator(".source-row").allInnerTexts()).join("\n"), /void \w+\(/),
  );
  await page.getByText("start vizd with --compile").waitFor();
  await eventually(async () => assert.equal(await page.locator(".code-row").count(), 0));
});

if (compiles) {
  testPage(
    "source, machine code and blocks are linked, and the URL leads back",
    { args: compiled },
    async ({ page }) => {
      await openProgram(page);
      await page.locator(".code-row").first().waitFor();
      await page.locator(".made-bar").first().click();
      await page.locator(".code-row.of-line").first().waitFor();
      await page.locator(".code-row .register").first().click();
      await page.locator(".register.read, .register.written").first().waitFor();
      await page.keyboard.press("ArrowDown");
      await page.locator(".code-row.current").waitFor();
      await page.keyboard.press("/");
      await page.keyboard.type("ret");
      await page.keyboard.press("Enter");
      await page.waitForFunction(() => document.querySelector(".code-row.current")?.textContent?.includes("ret"));
      await page.waitForFunction(() => location.hash.includes("code=ret") && location.hash.includes("ins="));
      const before = await readHash(page);
      await page.reload();
      await page.locator(".code-row.current").waitFor();
      await eventually(async () => assert.equal((await readHash(page)).get("ins"), before.get("ins")));
      await page.getByRole("tab", { name: "Blocks" }).click();
      await page.locator(".flow-block .mnemonic").first().waitFor();
      await eventually(async () => assert.ok((await page.locator(".flow-block").count()) > 0));
    },
  );

  testPage("two programs are compared line by line", { args: compiled }, async ({ page }) => {
    await openProgram(page);
    await page.getByRole("tab", { name: "Compare" }).click();
    const other = page.getByLabel("The other program");
    const values = await other.locator("option").evaluateAll((all) => all.map((o) => (o as HTMLOptionElement).value));
    const context = (await readHash(page)).get("context")?.split(":")[0] ?? values[1]!;
    await other.selectOption(context);
    await page.locator(".compare-sides").first().getByText("the same").waitFor();
    await other.selectOption(values.findLast((value) => value !== context && value !== "")!);
    await page.locator(".compare-row.differs").first().waitFor();
  });

  testPage("the reference's /disasm gives text, and its table where asked", { args: compiled }, async ({ page }) => {
    await openProgram(page);
    const contexts = await page.evaluate(async () => (await fetch("/api/v1/contexts")).json());
    const context = (contexts.contexts as { program: boolean }[]).findIndex((c) => c.program);
    const text = await page.evaluate(async (c) => (await fetch(`/disasm?ctx=${c}`)).json(), context);
    assert.match(text.src, /^0x000000: \S+\t/);
    if (!hasMca) return;
    const table = await page.evaluate(async (c) => (await fetch(`/disasm?ctx=${c}&mca=1`)).json(), context);
    assert.deepEqual(Object.keys(table), ["rows", "cols", "summary"]);
    assert.equal(table.cols[0], "Opcode");
  });
}

if (compiles && hasMca) {
  testPage("llvm-mca's figures stand beside the instructions", { args: compiled }, async ({ page }) => {
    await openProgram(page);
    await page.locator(".code-row .costs .uses i").first().waitFor();
    await page.getByLabel("Processor").selectOption("skylake");
    await page.getByText("SKLPort0").first().waitFor();
    await page.waitForFunction(() => location.hash.includes("cpu=skylake"));
  });
}

testPage(
  "a binary in the capture is shown without --compile, its blocks are moved and zoomed, and the URL holds the camera",
  {
    args: ({ folder }) => {
      execFileSync("python3", ["-B", "-c", kBinaries, kTop, join(folder, "binaries.bin")]);
      return [join(folder, "binaries.bin")];
    },
    environment: { PATH: "/nowhere" },
  },
  async ({ page }) => {
    await openProgram(page);
    await page.getByText("from the capture").waitFor();
    await page.locator(".source-row").nth(3).click();
    await page.locator(".code-row.of-line").first().waitFor();
    await page.getByRole("tab", { name: "Blocks" }).click();
    const entry = page.locator(".flow-block").first();
    await entry.waitFor();
    await eventually(async () => assert.ok((await page.locator(".flow-edge.back").count()) > 0));
    const before = (await entry.boundingBox())!;
    const area = (await page.locator(".flow").boundingBox())!;
    await page.mouse.move(area.x + 20, area.y + area.height - 20);
    await page.mouse.down();
    await page.mouse.move(area.x + 90, area.y + area.height - 60, { steps: 4 });
    await page.mouse.up();
    await page.waitForFunction(() => location.hash.includes("at="));
    const moved = (await entry.boundingBox())!;
    assert.ok(moved.x > before.x + 40 && moved.y < before.y - 20, "the graph follows the pointer");
    await page.reload();
    await entry.waitFor();
    assert.ok(Math.abs((await entry.boundingBox())!.x - moved.x) < 1, "a reload lands on the same spot");
    await entry.locator(".flow-row").first().click();
    await page.locator(".flow-row.current").waitFor();
    await page.keyboard.press("Space");
    await page.waitForFunction((text) => !location.hash.includes(text), `at=${(await readHash(page)).get("at")}`);
    // The other one's machine needs a tool, which is named; its source is there.
    await page.keyboard.press("j");
    await page.keyboard.press("1");
    await page.locator(".missing-tools").getByText("llvm-objdump").waitFor();
    await eventually(async () => assert.ok((await page.locator(".source-row").count()) > 3));
  },
);

testPage(
  "the same kernel of another capture is offered by name, and the URL holds the comparison",
  {
    args: async (capture) => {
      const other = join(capture.folder, "after.rewrites.pkl");
      await copyFile(capture.kernels, other);
      return [...(compiles ? ["--compile"] : []), capture.kernels, other];
    },
  },
  async ({ page }) => {
    await openProgram(page);
    await page.getByRole("tab", { name: "Compare" }).click();
    await page.getByRole("button", { name: "The same kernel in after" }).click();
    const source = page.locator(".compare-sides", { hasText: "Source" });
    await source.getByText("the same").waitFor();
    await page.locator(".compare-summary").getByText("after:").waitFor();
    const waitForOther = (text: string) =>
      page.waitForFunction((t) => new URLSearchParams(location.hash.slice(1)).get("with")?.startsWith(t), text);
    await waitForOther("after|same");
    // The next program is compared with its own namesake.
    const title = page.locator(".compare-summary thead th").nth(2);
    const before = await title.innerText();
    await page.keyboard.press("j");
    await page.waitForFunction(
      (text) => document.querySelectorAll(".compare-summary thead th")[2]?.textContent !== text,
      before,
    );
    await page.getByLabel("The other program").selectOption({ index: 2 });
    await page.locator(".compare-row.differs").first().waitFor();
    await waitForOther(`after|${await page.getByLabel("The other program").inputValue()}:`);
    await page.reload();
    await page.locator(".compare-row.differs").first().waitFor();
    await eventually(async () => assert.equal(await page.getByLabel("The other capture").inputValue(), "after"));
    await page.keyboard.press("d");
    if (compiles) await page.locator(".compare-row.current").waitFor();
  },
);

if (compiles) {
  testPage(
    "a compiler that is not installed is named with its package, and the rest goes on",
    { args: (capture) => [...compiled(capture)], environment: { PATH: "/nowhere" } },
    async ({ page }) => {
      await openProgram(page);
      const missing = page.locator(".missing-tools");
      await missing.getByText("clang", { exact: true }).first().waitFor();
      await missing.getByText("llvm", { exact: true }).waitFor();
      await eventually(async () => assert.ok((await page.locator(".source-row").count()) > 3));
    },
  );
}

const kNewer = join(kTop, "tests/data/tinygrad-2026-08");
const newer = () => ["--kernels", join(kNewer, "ramp.rewrites.pkl"), "--profile", join(kNewer, "ramp.profile.pkl")];

testPage("a program's ops are listed in order, where the capture has them", { args: newer }, async ({ page }) => {
  await openProgram(page);
  await page.getByRole("tab", { name: /^Ops/ }).waitFor();
  await page.keyboard.press("4");
  await page.waitForFunction(() => location.hash.includes("panel=ops"));
  const ops = page.getByRole("region", { name: "ops" });
  await ops
    .getByText(/Ops\.PARAM|PARAM/)
    .first()
    .waitFor();
  await ops
    .getByText(/Ops\.STORE|STORE/)
    .first()
    .waitFor();
});

testPage("a capture without such a list offers none", {}, async ({ page }) => {
  await openProgram(page);
  await page.getByRole("tab", { name: /^Compare/ }).waitFor();
  await page.waitForFunction(() => document.querySelector(".program-head h2") !== null);
  assert.equal(await page.getByRole("tab", { name: /^Ops/ }).count(), 0);
});

testPage("a context tells where it was called from, each line a link", { args: newer }, async ({ page }) => {
  await goToView(page, "Rewrites");
  await page.getByRole("heading", { name: "Called from" }).waitFor();
  await page
    .locator(".call-stack li")
    .filter({ hasText: /\.py:\d+/ })
    .first()
    .waitFor();
});
