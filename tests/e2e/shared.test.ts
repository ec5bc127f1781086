// A vizd that shares its page: marks of commands appear on it without a reload, and commands can ask where one is.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eventually, findBinary, goToView, testPage } from "./harness";

const runtime = mkdtempSync(join(tmpdir(), "vizd-run-"));
const environment = { XDG_RUNTIME_DIR: runtime };

/** What a command prints that finds this vizd. */
function run(...words: string[]): string {
  const env = { ...process.env, ...environment, VIZD_AGENT: "0" };
  const { stdout, stderr, status } = spawnSync(findBinary(), words, { env, encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return stdout;
}

testPage(
  "an agent's mark appears on the open page, and the page tells where somebody is",
  {
    environment,
    args: ({ kernels, profile }) => ["--shared", kernels, profile],
    context: { permissions: ["clipboard-read", "clipboard-write"] },
  },
  async ({ page, vizd }) => {
    await page.locator(".crumbs").waitFor();
    run("mark", "slice:3", "this one waits");
    const banner = page.locator(".banner").filter({ hasText: "this one waits" });
    await banner.waitFor();
    await banner.getByRole("button", { name: "show" }).click();
    await page.waitForFunction(() => /view=timeline.*event=/.test(location.hash));
    await page.getByRole("button", { name: "1 mark" }).click();
    await page.getByRole("list", { name: "Marks" }).getByText("this one waits").waitFor();
    await page.getByLabel("Name of the bookmark").fill("and here");
    await page.getByRole("button", { name: "Share", exact: true }).click();
    await page.getByRole("list", { name: "Marks" }).getByText("and here").waitFor();
    assert.match(run("mark", "--json"), /"note":"and here"/);
    await page.keyboard.press("Escape");

    await eventually(async () => assert.match(run("where"), /^selection .* at /m));
    const told = JSON.parse(run("where", "--json")) as { url: string; command: string; view: string };
    assert.ok(told.url.startsWith(`${vizd.origin}#`));
    assert.equal(told.view, "Timeline");
    const answer = spawnSync("sh", ["-c", told.command.replace(/^vizd/, findBinary())], { encoding: "utf8" });
    assert.match(answer.stdout, /^ *3 /m, "the command tells the very event that is chosen");

    await goToView(page, "Kernels");
    await page.keyboard.press("Shift+Y");
    await page.getByRole("button", { name: "Copy as command" }).filter({ hasText: "copied" }).waitFor();
    const command = await page.evaluate(() => navigator.clipboard.readText());
    assert.match(command, /^vizd kernels \/.*ramp\.rewrites\.pkl \/.*ramp\.profile\.pkl$/);
    assert.equal(spawnSync("sh", ["-c", command.replace(/^vizd/, findBinary())]).status, 0);

    // A row's link, and its id in the palette, lead to the same.
    const rows = run("kernels", "--links", "--json", ...command.split(" ").slice(2))
      .trim()
      .split("\n");
    const row = JSON.parse(rows[0]!) as { id: string; link: string };
    assert.match(row.id, /^kernel:/);
    await page.goto(row.link);
    await page.waitForFunction(() => /view=kernels.*kernels=/.test(location.hash));
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: "Go to" }).fill("slice:3");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => /view=timeline.*event=/.test(location.hash));
  },
);
