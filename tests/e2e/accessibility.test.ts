// axe-core finds nothing wrong with any view, in both themes.
import assert from "node:assert/strict";
import { join } from "node:path";
import { axe, findFaults } from "./axe";
import type { Page } from "playwright-core";
import { goToView, testPage, type Capture, eventually } from "./harness";
import { writeAllocations } from "./memory-trace";
import { writeRanks } from "./rank-traces";
import { copyVersions } from "./two-versions";

const top = process.env.VIZD_TOP ?? process.cwd();
const views = [
  "Rewrites",
  "Overview",
  "Rules",
  "Timeline",
  "Memory",
  "Kernels",
  "Call tree",
  "Sequences",
  "Program",
  "SQL",
  "Info",
];

for (const theme of ["dark", "light"] as const) {
  testPage(`axe finds nothing wrong in any view, ${theme}`, { context: { colorScheme: theme } }, async ({ page }) => {
    await page.evaluate(axe);
    const look = async (what: string) => assert.deepEqual(await findFaults(page), [], what);
    for (const view of views) {
      await goToView(page, view);
      // Visible ones alone: the options of a closed list are texts too.
      await page.locator("main").getByText(/\w/).filter({ visible: true }).first().waitFor();
      await look(view);
      if (view === "Rewrites") {
        await page.keyboard.press("End");
        for (const name of ["Node", "Source", "Text", "Find"]) {
          await page.getByRole("tab", { name }).click();
          await look(`${view}, ${name}`);
        }
      }
      if (view === "Timeline") {
        await page.keyboard.press(".");
        await page.locator(".event-tab").waitFor();
        await look("an event");
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
const two = () => [...etdump(), join(top, "tests/golden/etdump/two_methods/input")];

testPage("axe finds nothing wrong with two captures and a scope", { args: two, fragment: "" }, async ({ page }) => {
  await page.evaluate(axe);
  for (const view of ["Compare", "Overview"]) {
    await goToView(page, view);
    await page.locator("main").getByText(/\w/).filter({ visible: true }).first().waitFor();
    await page.evaluate(() => (location.hash += "&scope.step=1&scope.range=0..5000"));
    await page.getByRole("group", { name: "Scope" }).getByText("step 1").waitFor();
    await eventually(async () => assert.deepEqual(await findFaults(page), [], view));
  }
});

for (const theme of ["dark", "light"] as const) {
  const options = { context: { colorScheme: theme }, args: etdump };
  testPage(`axe finds nothing wrong in the Inspector and the Values, ${theme}`, options, async ({ page }) => {
    await page.evaluate(axe);
    const look = async (what: string) => assert.deepEqual(await findFaults(page), [], what);
    await goToView(page, "Inspector");
    const events = page.getByRole("table", { name: "Events" });
    await events.getByText("native_call_cumsum.out").click();
    await page.locator(".inspector-side").getByText("float32").first().waitFor();
    await look("an event");
    for (const name of ["By name", "By module"]) {
      await page.getByRole("button", { name }).click();
      await page.getByRole("table", { name }).waitFor();
      await look(name);
    }
    await goToView(page, "Values");
    await page.getByRole("table", { name: "Logged values" }).getByText("native_call_cumsum.out").click();
    await page.getByRole("img", { name: "Histogram" }).waitFor();
    await page.getByRole("table", { name: "Elements", exact: true }).waitFor();
    await look("a value");
  });
}

interface Room {
  view: string;
  /** What is opened there before it is looked at. */
  open?: (page: Page) => Promise<void>;
}
const clickRow = (table: string | RegExp) => (page: Page) =>
  page.getByRole("table", { name: table }).locator("tbody tr").first().click();
const shownAs = (view: string) => ({ view });

/** Rooms of captures of other kinds, with a row open where there is something to open. */
const kRooms: readonly [what: string, args: (capture: Capture) => string[] | Promise<string[]>, rooms: Room[]][] = [
  [
    "of a job's ranks",
    writeRanks,
    [
      ...["Overview", "Timeline", "Operators", "Call tree", "Sequences"].map(shownAs),
      { view: "Kernels", open: clickRow("Kernels") },
      { view: "Collectives", open: clickRow("Collectives") },
    ],
  ],
  [
    "of a trace with memory",
    writeAllocations,
    [
      shownAs("Overview"),
      {
        view: "Memory",
        async open(page) {
          await clickRow(/^Who held it/)(page);
          await clickRow("Allocations")(page);
          await page.locator(".memory-around li").first().waitFor();
        },
      },
    ],
  ],
  [
    "of a model's export",
    etdump,
    [...["Overview", "Timeline", "Kernels"].map(shownAs), { view: "Delegation", open: clickRow("Not delegated") }],
  ],
  [
    "of a TPU's profile",
    () => [join(top, "tests/golden/bigtpu/two_cores/input")],
    ["Overview", "Timeline", "Kernels"].map(shownAs),
  ],
  [
    "of two captures",
    copyVersions,
    [
      {
        view: "Compare",
        async open(page) {
          // A kernel whose rewrites differ: their first difference is shown too.
          await page.getByRole("table", { name: "What changed" }).getByTitle("E_4", { exact: true }).click();
          await page.getByRole("region", { name: "The row on both sides" }).locator(".parted li").first().waitFor();
        },
      },
    ],
  ],
];

for (const [what, args, rooms] of kRooms) {
  for (const theme of ["dark", "light"] as const) {
    const options = { context: { colorScheme: theme }, args, fragment: "" };
    testPage(`axe finds nothing wrong in rooms ${what}, ${theme}`, options, async ({ page }) => {
      await page.evaluate(axe);
      for (const { view, open } of rooms) {
        await goToView(page, view);
        await page.locator("main").getByText(/\w/).filter({ visible: true }).first().waitFor();
        await open?.(page);
        await eventually(async () => assert.deepEqual(await findFaults(page), [], view));
      }
    });
  }
}
