// A view's toolbar shows what is used: at most seven controls, the rest is in its menu.
import assert from "node:assert/strict";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { testPage, type Capture } from "./harness";
import { writeAllocations } from "./memory-trace";
import { writeRanks } from "./rank-traces";
import { copyVersions } from "./two-versions";

const top = process.env.VIZD_TOP ?? process.cwd();
const kMost = 7;
const kToolbars = "main header, .timeline-foot, .timeline-corner, .sql-bar, .kernel-tools, .flow-tools, .values-head";

/** The toolbars on screen: their class, and what is pressed, chosen or typed in there without opening a menu. */
const listToolbars = (page: Page): Promise<{ name: string; controls: string[] }[]> =>
  page.evaluate((toolbars) => {
    const isSeen = (element: Element) => element.getClientRects().length > 0;
    return [...document.querySelectorAll(toolbars)].filter(isSeen).map((toolbar) => ({
      name: toolbar.className,
      controls: [...toolbar.querySelectorAll<HTMLElement>("button, select, input, [role=button], a[href]")]
        .filter((control) => isSeen(control) && control.closest(".menu-panel") === null)
        .map((control) => control.getAttribute("aria-label") ?? control.innerText.trim()),
    }));
  }, kToolbars);

/** Goes into every room, and to every view there. */
async function walk(page: Page, look: (view: string) => Promise<void>): Promise<string[]> {
  const seen: string[] = [];
  const rooms = page.locator(".top-bar nav").getByRole("button");
  const views = page.getByRole("navigation", { name: "Views" }).getByRole("button");
  await rooms.first().waitFor();
  for (const room of await rooms.all()) {
    await room.click();
    await room.and(page.locator("[aria-current]")).waitFor();
    const count = Math.max(1, await views.count());
    for (let at = 0; at < count; at++) {
      if (count > 1) await views.nth(at).click();
      await page.waitForFunction(() => document.querySelector("main")!.innerText.trim() !== "");
      await page.waitForFunction(() => document.querySelector("main [aria-busy=true]") === null);
      const name = `${await room.innerText()} ${count > 1 ? await views.nth(at).innerText() : ""}`.trim();
      await look(name);
      seen.push(name);
    }
  }
  return seen;
}

const kCaptures: readonly [what: string, args: ((capture: Capture) => string[] | Promise<string[]>) | undefined][] = [
  ["a compiler's rewrites and a profile", undefined],
  ["the traces of two ranks", writeRanks],
  ["a trace with memory", writeAllocations],
  ["a model's export", () => [join(top, "tests/golden/etdump/delegate_int/input")]],
  ["two captures", copyVersions],
];

for (const [what, args] of kCaptures) {
  const options = { fragment: "", ...(args === undefined ? {} : { args }) };
  testPage(`no toolbar has more than seven controls: ${what}`, options, async ({ page }) => {
    let count = 0;
    const seen = await walk(page, async (view) => {
      for (const { name, controls } of await listToolbars(page)) {
        count++;
        assert.ok(controls.length <= kMost, `${view}, ${name}: ${controls.join(" | ")}`);
      }
    });
    assert.ok(seen.length >= 4 && count >= 4, `${seen.join(", ")}: ${count} toolbars`);
  });
}
