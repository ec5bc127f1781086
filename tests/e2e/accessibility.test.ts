// axe-core finds nothing wrong with any view, in both themes.
import assert from "node:assert/strict";
import { join } from "node:path";
import { axe, findFaults } from "./axe";
import { testPage } from "./harness";

const top = process.env.VIZD_TOP ?? process.cwd();
const views = ["rewrites", "overview", "rules", "timeline", "kernels", "program", "compare", "info"];

for (const theme of ["dark", "light"] as const) {
  testPage(`axe finds nothing wrong in any view, ${theme}`, { context: { colorScheme: theme } }, async ({ page }) => {
    await page.evaluate(axe);
    const look = async (what: string) => assert.deepEqual(await findFaults(page), [], what);
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
    const look = async (what: string) => assert.deepEqual(await findFaults(page), [], what);
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
