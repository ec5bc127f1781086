// The values that an ExecuTorch program logged: the table, one tensor, its slices, and the way to the graph and back.
import assert from "node:assert/strict";
import { join } from "node:path";
import { goToView, testPage, eventually } from "./harness";

const kData = join(process.env.VIZD_TOP ?? process.cwd(), "tests/golden/etdump");
const args = () => [join(kData, "delegate_int/input")];

testPage("a logged tensor shows its figures, spread and elements", { args }, async ({ page }) => {
  await goToView(page, "Values");
  const table = page.getByRole("table", { name: "Logged values" });
  await table.getByText("native_call_cumsum.out").click();
  await page.waitForFunction(() => location.hash.includes("value="));
  await page.getByRole("img", { name: "Histogram" }).waitFor();
  await page.getByRole("img", { name: "2 by 5 elements" }).waitFor();
  // The value before may still be there.
  await page.waitForFunction(() => document.querySelector(".values-numbers")?.textContent?.includes("5.3809"));
  await eventually(async () =>
    assert.equal(await page.getByRole("table", { name: "Elements", exact: true }).locator("td").count(), 10),
  );
  // There is no reference for events: the page says how to give one.
  await page.getByText("--reference-tensors").waitFor();

  // To the graph, where the node is found.
  await page.getByRole("button", { name: "aten_cumsum_default" }).click();
  await page.waitForFunction(() => location.hash.includes("view=rewrites") && location.hash.includes("search="));
  await page.locator(".find-tab").waitFor();
});

testPage("an ETRecord's export is a pass whose last state has the delegates' calls", { args }, async ({ page }) => {
  await goToView(page, "Rewrites");
  await page.locator(".crumbs").waitFor();
  await page.keyboard.press("v");
  const measure = page.getByRole("combobox", { name: "Colour the graph by" });
  await measure.selectOption("time");
  await page.locator(".measure-legend").waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => location.hash.includes("match=1"));
  await eventually(async () => assert.match(await page.locator(".measure-legend").innerText(), /time/));
});

testPage("values of a later iteration are shown, and compared with the first", { args }, async ({ page }) => {
  await goToView(page, "Values");
  await page.getByRole("table", { name: "Logged values" }).waitFor();
  await page.getByRole("button", { name: "Iteration after" }).click();
  await page.waitForFunction(() => location.hash.includes("iteration=1"));
  await page.getByRole("combobox", { name: "Compare with" }).selectOption("its first iteration");
  const gaps = page.getByRole("table", { name: "Numeric gap" });
  await gaps.getByText("aten_cumsum_default").waitFor();
  await page.getByText("All of them are equal.").waitFor();
  await page.getByRole("spinbutton", { name: "Iteration" }).fill("3");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.includes("iteration=3"));
  await page.reload();
  await gaps.getByText("aten_cumsum_default").waitFor();
  await eventually(async () =>
    assert.equal(await page.getByRole("spinbutton", { name: "Iteration" }).inputValue(), "3"),
  );
});
