// The kernel graph of a capture of tinygrad 2026: from a kernel to its buffers, to whoever wrote them, and to its
// rewrites.
import assert from "node:assert/strict";
import { join } from "node:path";
import { testPage, eventually } from "./harness";

const kData = join(process.env.VIZD_TOP ?? process.cwd(), "tests/data/tinygrad-2026-08");
const args = () => ["--kernels", join(kData, "ramp.rewrites.pkl"), "--profile", join(kData, "ramp.profile.pkl")];

testPage("a kernel leads to its buffers, their other users and its rewrites", { args }, async ({ page }) => {
  await page.getByRole("button", { name: "Kernel graph", exact: true }).click();
  const list = page.getByRole("listbox", { name: "Kernels by time" });
  await list.getByRole("option").first().waitFor();
  const count = await list.getByRole("option").count();
  await eventually(async () => assert.equal(await page.locator(".kernel-box").count(), count, "a box each"));
  await eventually(async () => assert.ok((await page.locator(".kernel-lines path").count()) > 0, "lines between them"));

  await list.getByRole("option").last().click();
  await page.waitForFunction(() => location.hash.includes("run="));
  await eventually(async () => assert.equal(await page.locator(".kernel-box.on").count(), 1));
  await page.locator(".kernel-buffers .link").first().click();
  await page.waitForFunction(() => location.hash.includes("buffer="));
  await eventually(async () =>
    assert.ok((await page.locator(".kernel-buffers").last().locator("li").count()) > 0, "its users are listed"),
  );

  await page.keyboard.press("ArrowUp");
  await page.waitForFunction(() => !location.hash.includes("buffer="));
  await eventually(async () => assert.equal(await list.locator('[aria-selected="true"]').count(), 1));
});
