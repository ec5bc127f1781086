// The Inspector on an ExecuTorch capture: events by block, time by name and by module, an event's nodes and values.
import assert from "node:assert/strict";
import { join } from "node:path";
import { goToView, testPage, eventually } from "./harness";

const kData = join(process.env.VIZD_TOP ?? process.cwd(), "tests/golden/etdump");
const args = () => [join(kData, "delegate_int/input")];

testPage("an ETDump's events lead to their nodes and values", { args }, async ({ page }) => {
  await goToView(page, "Inspector");
  const events = page.getByRole("table", { name: "Events" });
  await events.locator("tbody tr").first().waitFor();
  // Events around the kernels are not listed, as the Inspector does not.
  await eventually(async () => assert.equal(await events.getByText("OPERATOR_CALL").count(), 0));
  const shares = page.getByRole("list", { name: "Who ran it" });
  await eventually(async () => assert.match(await shares.innerText(), /DemoBackend.*2 calls · 6 nodes/));

  await events.getByText("native_call_cumsum.out").click();
  const side = page.locator(".inspector-side");
  await side.getByText("aten_cumsum_default").waitFor();
  await side.getByText("float32").first().waitFor();
  await eventually(async () => assert.equal(await side.locator(".inspector-iterations button").count(), 4));
  await page.waitForFunction(() => location.hash.includes("inspected="));

  // Where the iteration was.
  await side.locator(".inspector-iterations button").nth(1).click();
  await page.waitForFunction(() => location.hash.includes("time="));
});

testPage("the Inspector filters, sorts, and adds up by name and module", { args }, async ({ page }) => {
  await goToView(page, "Inspector");
  const events = page.getByRole("table", { name: "Events" });
  await events.locator("tbody tr").first().waitFor();
  await events.getByRole("button", { name: "Mean" }).click();
  await page.waitForFunction(() => location.hash.includes("inspectorder=-avg"));
  assert.match(await events.locator("tbody tr").first().innerText(), /Method::execute/);
  await page.getByRole("textbox", { name: "Filter rows" }).fill("cumsum");
  await page.waitForFunction(() => document.querySelectorAll("table.details tbody tr").length === 1);
  await page.getByRole("textbox", { name: "Filter rows" }).fill("");

  await page.getByRole("button", { name: "By name" }).click();
  await page.getByRole("table", { name: "By name" }).getByText("native_call_cumsum.out").waitFor();
  await page.getByRole("button", { name: "By module" }).click();
  await page.getByRole("table", { name: "By module" }).getByText("the model").waitFor();
  await page.getByRole("combobox", { name: "Block" }).selectOption("0");
  await page.waitForFunction(() => location.hash.includes("block=0"));
});

testPage(
  "rooms that a narrow window has no room for are in a menu",
  { args, context: { viewport: { width: 520, height: 600 } }, fragment: "" },
  async ({ page }) => {
    await page.getByRole("button", { name: /▾$/ }).click();
    await page.getByRole("dialog", { name: "More rooms" }).getByRole("button", { name: "Model" }).click();
    await page.getByRole("table", { name: "Events" }).waitFor();
    // The menu is called after the room on screen, where that is in it.
    await page.getByRole("button", { name: "Model ▾" }).waitFor();
    await page.setViewportSize({ width: 1400, height: 600 });
    await page.getByRole("navigation", { name: "Rooms" }).getByRole("button", { name: "Model" }).waitFor();
    await page.waitForFunction(() => document.querySelector(".top-bar nav + .menu") === null);
  },
);

testPage("the Inspector's tools stand in one row of a page at twice its size", { args }, async ({ page }) => {
  await goToView(page, "Inspector");
  await page.setViewportSize({ width: 700, height: 420 });
  await page.getByRole("table", { name: "Events" }).locator("tbody tr").first().waitFor();
  await page.waitForFunction(() => {
    const head = document.querySelector<HTMLElement>(".inspector-head")!;
    return head.offsetHeight < 50 && head.scrollWidth <= head.clientWidth;
  });
});

testPage("an ETDump, which holds no program, has no Program tab", { args }, async ({ page }) => {
  await goToView(page, "Inspector");
  assert.equal(await page.getByText("Program", { exact: true }).count(), 0);
});
