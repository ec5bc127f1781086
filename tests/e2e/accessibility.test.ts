// What axe-core finds wrong with each view, in both themes: nothing.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { testPage } from "./harness";

const top = process.env.VIZD_TOP ?? process.cwd();
const axe = readFileSync(createRequire(join(top, "web/package.json")).resolve("axe-core/axe.min.js"), "utf8");

/** What is wrong, a line each: the rule, and where. Targets are at least 24 px, or that far from each other (WCAG 2.2). */
async function findFaults(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    type Found = { violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] };
    const { axe } = window as unknown as { axe: { run(root: Document, options: object): Promise<Found> } };
    const { violations } = await axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      resultTypes: ["violations"],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.slice(0, 300) ?? ""}`),
    );
  });
}

const views = ["rewrites", "overview", "rules", "timeline", "kernels", "program", "compare", "info"];

for (const theme of ["dark", "light"] as const) {
  testPage(`axe finds nothing wrong in any view, ${theme}`, { context: { colorScheme: theme } }, async ({ page }) => {
    await page.evaluate(axe);
    const look = async (what: string) => {
      await page.waitForTimeout(150); // fades and layouts come to rest
      assert.deepEqual(await findFaults(page), [], what);
    };
    for (const view of views) {
      await page
        .locator("nav")
        .getByRole("button", { name: new RegExp(`^${view}`, "i") })
        .click();
      // Visible ones alone: the options of a closed list are texts too.
      await page.locator("main").getByText(/\w/).filter({ visible: true }).first().waitFor();
      await look(view);
      if (view === "rewrites") {
        await page.keyboard.press("End");
        for (const name of ["Node", "Source", "Text", "Find"]) {
          await page.getByRole("tab", { name }).click();
          await look(`${view}, ${name}`);
        }
      }
      if (view === "timeline") {
        await page.keyboard.press(".");
        await page.locator(".event-tab").waitFor();
        await look("an event");
        await page.getByRole("tab", { name: "Memory peak" }).click();
        await look("memory");
        await page.keyboard.press("Control+p");
        await page.getByRole("dialog").waitFor();
        await look("lanes");
        await page.keyboard.press("Escape");
      }
    }
    await page.keyboard.press("?");
    await page.getByRole("dialog").waitFor();
    await look("help");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("dialog").waitFor();
    await look("palette");
  });
}

const etdump = () => [join(top, "tests/golden/etdump/delegate_int/input")];

for (const theme of ["dark", "light"] as const) {
  const options = { context: { colorScheme: theme }, args: etdump };
  testPage(`axe finds nothing wrong in the Inspector and the Values, ${theme}`, options, async ({ page }) => {
    await page.evaluate(axe);
    const look = async (what: string) => {
      await page.waitForTimeout(150); // fades come to rest
      assert.deepEqual(await findFaults(page), [], what);
    };
    await page.getByRole("button", { name: "Inspector", exact: true }).click();
    const events = page.getByRole("table", { name: "Events" });
    await events.getByText("native_call_cumsum.out").click();
    await page.locator(".inspector-side").getByText("float32").first().waitFor();
    await look("an event");
    for (const name of ["By name", "By module"]) {
      await page.getByRole("button", { name }).click();
      await page.getByRole("table", { name }).waitFor();
      await look(name);
    }
    await page.getByRole("button", { name: "Values", exact: true }).click();
    await page.getByRole("table", { name: "Logged values" }).getByText("native_call_cumsum.out").click();
    await page.getByRole("img", { name: "Histogram" }).waitFor();
    await page.getByRole("table", { name: "Elements", exact: true }).waitFor();
    await look("a value");
  });
}
