// A capture that has one of everything (tests/example/everything.py): what is seldom there is shown too, and events are
// found by their arguments.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { testPage, type Capture, eventually } from "./harness";

const top = process.env.VIZD_TOP ?? process.cwd();

function writeEverything({ folder }: Capture): string[] {
  const path = join(folder, "everything.bin");
  execFileSync("python3", ["-B", join(top, "tests/example/everything.py"), path]);
  return [path];
}

const tab = (page: Page, name: string) => page.getByRole("tab", { name });
/** Texts of a column of the drawer's table. */
const column = (page: Page, at: number) =>
  page.locator(`.drawer-body tbody td:nth-child(${at})`).evaluateAll((cells) => cells.map((cell) => cell.textContent));

testPage(
  "events are found by their arguments, which are columns to choose and sort by",
  { args: writeEverything, fragment: "&view=timeline" },
  async ({ page }) => {
    await page.locator(".lane-head").first().waitFor();
    await page.keyboard.press("/");
    // In one go: typed letter by letter, "memory" alone finds one event too.
    await page.keyboard.insertText("memory>1000");
    await page.getByText("1 event with").waitFor();
    await eventually(async () => assert.deepEqual(await column(page, 1), ["gemm"]));

    const search = page.getByRole("textbox", { name: "Search events" });
    await search.fill("[2,3]"); // a text among its arguments
    await page.getByText("1 event with").waitFor();
    await search.fill("dur>=0");
    await page.getByText("6 events with").waitFor();

    await page.getByRole("button", { name: "memory", exact: true }).click();
    await page.waitForFunction(() => document.querySelector(".drawer-body tbody td")?.textContent === "gemm");
    await eventually(async () =>
      assert.deepEqual((await column(page, 1)).slice(0, 2), ["gemm", "copy"], "the most first, those without it last"),
    );

    await eventually(async () =>
      assert.equal(await page.getByRole("columnheader", { name: "wanted" }).count(), 0, "not one of the usual ones"),
    );
    await page.getByRole("button", { name: "Columns" }).click();
    await page.getByRole("checkbox", { name: "wanted" }).check();
    await page.getByRole("columnheader", { name: "wanted" }).waitFor();
    await page.getByRole("checkbox", { name: "memory" }).uncheck();
    await eventually(async () => assert.equal(await page.getByRole("columnheader", { name: "memory" }).count(), 0));
  },
);

testPage(
  "stacks sampled are listed by how often they were seen, with who called them",
  { args: writeEverything, fragment: "&view=timeline" },
  async ({ page }) => {
    await tab(page, "Stacks").click();
    await page.getByText("2 samples of 1 stack").waitFor();
    await page.getByRole("button", { name: "step train.py:12" }).click();
    await page.getByText("main train.py:3").waitFor();
    await eventually(async () => assert.deepEqual(await column(page, 4), ["3.5"], "what the samples stand for"));
  },
);

testPage(
  "numbers on ops stand at the node, and colour the graph",
  { args: writeEverything, fragment: "&view=rewrites&node=1" },
  async ({ page }) => {
    await tab(page, "Node").click();
    const measure = page.locator(".section").getByRole("button", { name: "time" });
    await measure.waitFor();
    await measure.click();
    await page.locator(".measure-legend").getByText("2.50 ns").waitFor();
    // The node with the most is red once the graph is drawn anew.
    await page.waitForFunction(() => {
      const canvas = document.querySelector<HTMLCanvasElement>(".graph canvas")!;
      const { data } = canvas.getContext("2d")!.getImageData(0, 0, canvas.width, canvas.height);
      let red = 0;
      for (let i = 0; i < data.length; i += 4) {
        if (data[i]! > data[i + 1]! + 60 && data[i]! > data[i + 2]! + 60) red++;
      }
      return red > 100;
    });
    await page.waitForURL(/colour=time/);
  },
);

testPage(
  "a program that no context made is in the list, and shown",
  { args: writeEverything, fragment: "&view=program" },
  async ({ page }) => {
    await page.getByRole("option", { name: "library kernel" }).click();
    await page.getByRole("heading", { name: "library kernel" }).waitFor();
    await page.waitForURL(/program=1:library/);
    await page.reload();
    await page.getByRole("heading", { name: "library kernel" }).waitFor();
    await page.getByRole("option").filter({ hasNotText: "library" }).click();
    await page.getByText("out = x << 1;").waitFor();
  },
);

testPage(
  "facts of the machine stand in the info view, by what they are of",
  { args: writeEverything, fragment: "&view=info" },
  async ({ page }) => {
    await page.getByRole("heading", { name: "GPU 0" }).waitFor();
    const text = await page.locator(".info").innerText();
    assert.match(text, /multiprocessors\s+132/);
    assert.match(text, /driver\s+550\.54/);
  },
);
