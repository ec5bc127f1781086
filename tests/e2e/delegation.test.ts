// Delegation of an ExecuTorch capture: what went to no delegate, why as far as that is told, and the calls beside it.
import assert from "node:assert/strict";
import { join } from "node:path";
import { testPage, eventually } from "./harness";

const kData = join(process.env.VIZD_TOP ?? process.cwd(), "tests/golden/etdump");
const args = () => [join(kData, "delegate_int/input")];

testPage("what is not delegated, and why, is a click from the overview", { args, fragment: "" }, async ({ page }) => {
  await page.locator(".overview").waitFor();
  await page.getByRole("button", { name: "what is not delegated, and why" }).click();
  const left = page.getByRole("table", { name: "Not delegated" }).locator("tbody tr");
  await left.first().waitFor();
  await eventually(async () => assert.equal(await left.count(), 1));
  await eventually(async () =>
    assert.match(await left.first().innerText(), /aten\.cumsum\.default[^]*no node of this op was delegated/),
  );
  await page.getByText(/^1 of 7 operators went to no delegate/).waitFor();
  await page.getByText("Neither an ETDump nor an ETRecord keeps the partitioner's reasons", { exact: false }).waitFor();

  const calls = page.getByRole("table", { name: "Calls of delegates" }).locator("tbody tr");
  await eventually(async () => assert.equal(await calls.count(), 2));
  await eventually(async () => assert.match(await calls.first().innerText(), /DemoBackend 1\s+4\s/));
});

testPage(
  "an operator's nodes say which calls they stand between, and lead to the graph",
  { args },
  async ({ page }) => {
    await page.evaluate(() => (location.hash = "view=delegation"));
    await page.getByRole("table", { name: "Not delegated" }).getByText("aten.cumsum.default").click();
    const nodes = page.getByRole("table", { name: "Nodes that were not delegated" });
    await eventually(async () =>
      assert.match(await nodes.innerText(), /aten_cumsum_default\s+float32[^]*between 1 and 2/),
    );
    await page.waitForFunction(() => location.hash.includes("leftout="));
    await page.getByRole("button", { name: "in the graph" }).click();
    await page.waitForFunction(() => /search=aten_cumsum_default/.test(location.hash));
  },
);

testPage(
  "without a delegate the runtime's own kernels are listed",
  { args: () => [join(kData, "two_methods/input")] },
  async ({ page }) => {
    await page.evaluate(() => (location.hash = "view=delegation"));
    await page.getByText("Nothing is delegated").waitFor();
    const rows = page.getByRole("table", { name: "Not delegated" }).locator("tbody tr");
    await eventually(async () => assert.ok((await rows.count()) > 0));
    await eventually(async () => assert.match(await rows.first().innerText(), /the program calls no delegate/));
  },
);

testPage("a capture that is no ETDump has no delegation", { fragment: "" }, async ({ page }) => {
  await page.locator(".overview").waitFor();
  await eventually(async () => assert.equal(await page.getByRole("button", { name: "Delegation" }).count(), 0));
  await eventually(async () =>
    assert.equal(await page.getByRole("table", { name: "Who ran the operators" }).count(), 0),
  );
});
