// A rewrite that raised: seen from anywhere, and one click away.
import assert from "node:assert/strict";
import { join } from "node:path";
import { goToView, testPage, eventually } from "./harness";

const top = process.env.VIZD_TOP ?? process.cwd();
const folder = join(top, "tests/golden/tinygrad/rewrite_error/input");
const args = () => [
  "--kernels",
  join(folder, "rewrite_error.rewrites.pkl"),
  "--profile",
  join(folder, "rewrite_error.profile.pkl"),
];

testPage("the top bar leads to the rewrite that raised, which is marked all the way", { args }, async ({ page }) => {
  await goToView(page, "Timeline");
  await page.locator(".lane-head").first().waitFor();
  const button = page.getByRole("button", { name: "1 error" });
  await button.click();
  await page.waitForFunction(() => /view=rewrites.*context=3.*pass=1.*match=1/.test(decodeURIComponent(location.hash)));
  await page.getByText("The rule raised here:").waitFor();
  const message = await page.locator(".tab-body pre").first().innerText();
  assert.ok(message.trim() !== "");
  await eventually(async () => assert.ok((await button.getAttribute("title"))!.includes(message.trim())));
  const marked = page.locator(".pass-row").filter({ has: page.getByRole("img", { name: "raised an error" }) });
  await eventually(async () =>
    assert.deepEqual(
      (await marked.locator(".pass-name").allInnerTexts()).map((text) => text.trim()),
      ["failing n1", "failing step"],
    ),
  );
  await page.locator(".match-line").getByText("raised").waitFor();
  // The strip shows it too: nothing else is red at the foot of the last match.
  const reds = await page.locator(".strip canvas").evaluate((element) => {
    const canvas = element as HTMLCanvasElement;
    const { data } = canvas.getContext("2d")!.getImageData(canvas.width - 24, canvas.height - 8, 24, 8);
    let count = 0;
    for (let i = 0; i < data.length; i += 4) if (data[i]! > 180 && data[i + 1]! < 130 && data[i + 2]! < 130) count++;
    return count;
  });
  assert.ok(reds > 8, `${reds} red pixels`);
});

testPage("a capture in which nothing raised says nothing of errors", {}, async ({ page }) => {
  await page.locator(".pass-row").first().waitFor();
  await eventually(async () => assert.equal(await page.getByRole("button", { name: /error/ }).count(), 0));
});
