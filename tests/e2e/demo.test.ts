// What `vizd demo` writes and opens, as whoever has just installed vizd meets it: each capture shows what its line in the
// terminal says that there is to see.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { findBinary, goToView, roomOfView, testPage } from "./harness";

interface Told {
  folder: string;
  shows: string;
}

/** The demo, written into a folder of the test; what it told of itself. */
function writeDemo(folder: string): Told[] {
  const run = spawnSync(findBinary(), ["demo", join(folder, "demo"), "--only-write", "--json"], { encoding: "utf8" });
  assert.equal(run.status, 0, run.stderr);
  return run.stdout
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Told);
}

/** The rooms that a line names, as "Overview and Timeline: …; Memory: …" does. */
function roomsTold(shows: string): string[] {
  const rooms = ["Overview", "Timeline", "Memory", "Kernels", "Compiler", "Model"];
  return rooms.filter((room) => new RegExp(`\\b${room}\\b`).test(shows));
}

let told: Told[] = [];
const demo = {
  args: ({ folder }: { folder: string }) => {
    told = writeDemo(folder);
    return told.map((capture) => capture.folder);
  },
  fragment: "",
};

testPage(
  "every capture of the demo has the rooms that its line names, and something in each",
  demo,
  async ({ page }) => {
    const chooser = page.getByRole("combobox", { name: "Capture" });
    await chooser.waitFor();
    const captures = await chooser
      .locator("option")
      .evaluateAll((options) => options.map((o) => (o as HTMLOptionElement).value));
    assert.equal(captures.length, told.length);
    for (const [index, { folder, shows }] of told.entries()) {
      const rooms = roomsTold(shows);
      assert.ok(rooms.length > 0, `${folder} names a room`);
      await chooser.selectOption({ index });
      for (const room of rooms) {
        await roomOfView(page, room).click();
        await page.locator('.top-bar nav [aria-current="page"]').and(roomOfView(page, room)).waitFor();
        assert.deepEqual(await page.getByRole("alert").allInnerTexts(), [], `${folder}: ${room}`);
      }
    }
  },
);

testPage(
  "the demo's training tells of the late step and of the rank that the other waits for",
  demo,
  async ({ page }) => {
    await goToView(page, "Overview");
    await page.getByText("ranks wait for rank 1 at collectives").first().waitFor();
    await page.locator("tr", { hasText: "host late" }).filter({ hasText: "2.65 ms" }).first().waitFor();
    await page.getByText("rank 1 comes late to 20 of 20 collectives").first().waitFor();
  },
);
