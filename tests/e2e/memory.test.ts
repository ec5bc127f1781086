// Memory: who held it, on a trace of PyTorch's profiler made here: two threads, modules, Python functions.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { goToView, testPage, eventually } from "./harness";
import { writeAllocations } from "./memory-trace";

const top = process.env.VIZD_TOP ?? process.cwd();
const sample = join(top, "../shared/samples/kineto/h100_vit.json.gz");

const rowsOf = async (page: Page): Promise<string[]> =>
  page
    .getByRole("table", { name: /Who held it/ })
    .locator("tbody tr td:first-child")
    .allInnerTexts();

const room = { args: writeAllocations, fragment: "&view=memory" };

testPage("the peak's holders are operators of the threads that asked, and add up", room, async ({ page }) => {
  const table = page.getByRole("table", { name: /Who held it/ });
  await table.locator("tbody tr").first().waitFor();
  const rows = await rowsOf(page);
  assert.deepEqual(
    rows.map((row) => row.split(/\s/)[0]),
    ["MmBackward0", "aten::addmm", "aten::relu", "made"],
  );
  assert.match(rows[1]!, /in Linear_0/);
  await page.getByText("cuda:0 memory", { exact: true }).waitFor();
  await page.getByText(/95.0 MB from before the capture began/).waitFor();
});

testPage("by module and by Python function, from the list and the palette", room, async ({ page }) => {
  const choice = page.getByRole("combobox", { name: "Who held it" });
  await choice.selectOption("module");
  await page.getByRole("table", { name: "Who held it, by module" }).locator("tbody tr").first().waitFor();
  await eventually(async () =>
    assert.deepEqual(
      (await rowsOf(page)).map((row) => row.split(/\s/)[0]),
      ["not", "Linear_0", "Net_0", "made"],
    ),
  );
  await choice.selectOption("line");
  await page.getByText("train.py(12): step").first().waitFor();
});

testPage("a click on the picture moves the time, and P leads back to the peak", room, async ({ page }) => {
  const picture = page.locator(".memory-picture canvas");
  await page.getByText(/At the peak/).waitFor();
  const box = (await picture.boundingBox())!;
  await picture.click({ position: { x: box.width * 0.3, y: box.height - 2 } });
  await page.waitForFunction(() => /mem\.at=\d+/.test(location.hash));
  await page.waitForFunction(() => !document.body.innerText.includes("MmBackward0"));
  await page.keyboard.press("p");
  await page.getByText(/At the peak/).waitFor();
  await eventually(async () => assert.match((await rowsOf(page))[0]!, /^MmBackward0/));
});

testPage("what grew since a time is told of each holder", room, async ({ page }) => {
  await page.getByText(/At the peak/).waitFor();
  await page.getByRole("button", { name: /growth from here/ }).click();
  await page.getByRole("radio", { name: "never freed" }).click();
  await page.getByText("At the end").waitFor();
  const row = page.getByRole("table", { name: /Who held it/ }).locator("tr", { hasText: "MmBackward0" });
  await row.getByText("−40.0 MB").waitFor();
  const sum = page.getByRole("table", { name: /Who held it/ }).locator("tr", { hasText: "aten::sum" });
  await sum.getByText("+1.00 MB").waitFor();
});

testPage("a holder's allocations, and one's stack, lead to the timeline", room, async ({ page }) => {
  await page
    .getByRole("table", { name: /Who held it/ })
    .locator("tr", { hasText: "aten::addmm" })
    .click();
  await page.locator(".memory-holder", { hasText: "aten::addmm" }).waitFor();
  await page.getByRole("table", { name: "Allocations" }).locator("tbody tr").first().click();
  const stack = page.locator(".memory-around li");
  await stack.first().waitFor();
  await eventually(async () =>
    assert.deepEqual(await stack.allInnerTexts(), [
      "aten::empty",
      "aten::addmm",
      "aten::linear",
      "nn.Module: Linear_0",
      "nn.Module: Net_0",
      "train.py(12): step",
    ]),
  );
  await page.locator(".memory-side .facts").getByRole("link", { name: "train.py:12" }).waitFor();
  await stack.nth(1).getByRole("button").click();
  await page.waitForFunction(() => /view=timeline.*event=/.test(location.hash));
  await page.goBack();
  await page.locator(".memory-holder", { hasText: "aten::addmm" }).waitFor();
});

testPage("each allocation is listed by itself, and a reload shows the same", room, async ({ page }) => {
  await page.getByRole("combobox", { name: "Who held it" }).selectOption("allocation");
  const table = page.getByRole("table", { name: "Allocations alive then" });
  await table.locator("tbody tr").nth(2).click();
  await page.waitForFunction(() => location.hash.includes("mem.allocation="));
  await page.reload();
  await table.locator("tr.current").waitFor();
  await eventually(async () => assert.equal(await table.locator("tbody tr").count(), 4));
});

testPage("memory is drawn by category too, with what each colour is", room, async ({ page }) => {
  await page.getByRole("button", { name: "drawn as" }).click();
  await page.getByRole("radio", { name: "bytes by category" }).click();
  await page.locator(".memory-bands span").first().waitFor();
});

if (existsSync(sample)) {
  const overview = { args: () => [sample], fragment: "&view=overview" };
  testPage("on a trace of a model the peak's operator is one click away", overview, async ({ page }) => {
    assert.equal(await goToView(page, "Memory"), 1);
    const first = page
      .getByRole("table", { name: /Who held it/ })
      .locator("tbody tr")
      .first();
    await first.waitFor();
    await eventually(async () => assert.match(await first.innerText(), /^aten::/));
    await page.getByText(/from before the capture began/).waitFor();
  });
} else {
  test("on a trace of a model the peak's operator is one click away", { skip: "the shared samples are not here" });
}

testPage(
  "a rank, device or kernel of the scope does not narrow a memory, and the room says so",
  { ...room, fragment: "&view=memory&scope.rank=0&scope.kernel=gemm" },
  async ({ page }) => {
    await page.getByText("Not narrowed to rank 0, gemm: these are all allocations of cuda:0").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText("Not narrowed to rank 0: these").waitFor();
    await page.keyboard.press("Escape");
    await page.getByText(/Not narrowed/).waitFor({ state: "detached" });
  },
);
