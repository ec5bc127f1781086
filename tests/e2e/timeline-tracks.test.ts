// The tree of tracks in the timeline: two ranks whose lanes have the same names, of a capture that
// python/vizd writes.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { testPage, type Capture, eventually } from "./harness";

const kPython = join(process.env.VIZD_TOP ?? process.cwd(), "python");

const kProgram = `
import sys
sys.path.insert(0, sys.argv[1])
from vizd import Capture
with Capture(sys.argv[2]) as writer:
    for rank in ("rank 0", "rank 1"):
        lane = writer.lane("stream 7", rank=rank, device="GPU 0")
        other = writer.lane("stream 9", rank=rank, device="GPU 0")
        for i in range(10):
            writer.event(lane, f"gemm of {rank}", 1000 * i, 900)
            writer.event(other, "copy", 1000 * i, 300)
`;

function writeRanks({ folder }: Capture): string[] {
  const path = join(folder, "ranks.bin");
  execFileSync("python3", ["-B", "-c", kProgram, kPython, path]);
  return [path];
}

const options = { args: writeRanks, fragment: "&view=timeline" };

/** Headings and lanes as they stand, indented by depth. */
async function listHeads(page: Page): Promise<string[]> {
  const heads = await page.locator(".lane-heads > .track-heading, .lane-heads > .lane-head").evaluateAll((list) =>
    list.map((head) => ({
      top: (head as HTMLElement).offsetTop,
      depth: Number((head as HTMLElement).style.getPropertyValue("--depth")),
      name: head.querySelector(".track-name, .lane-name")!.textContent!,
    })),
  );
  return heads.sort((a, b) => a.top - b.top).map(({ depth, name }) => "  ".repeat(depth) + name);
}

/** Until the URL says this. */
async function waitForUrl(page: Page, text: string): Promise<void> {
  const isThere = (wanted: string) => decodeURIComponent(location.hash.replaceAll("+", " ")).includes(wanted);
  await page.waitForFunction(isThere, text);
}

const kRank0 = ["rank 0", "  GPU 0", "    stream 7", "    stream 9"];
const kRank1 = ["rank 1", "  GPU 0", "    stream 7", "    stream 9"];

testPage("tracks stand as a tree, and each inner one can be folded, also after a reload", options, async ({ page }) => {
  const heading = (name: string) => page.locator(".track-heading").filter({ hasText: name });
  await heading("rank 1").waitFor();
  await eventually(async () => assert.deepEqual(await listHeads(page), [...kRank0, ...kRank1]));
  const topOfRank1 = () => heading("rank 1").evaluate((head) => (head as HTMLElement).offsetTop);
  const before_px = await topOfRank1();

  await heading("GPU 0").first().click();
  await eventually(async () =>
    assert.deepEqual(await listHeads(page), ["rank 0", "  GPU 0", ...kRank1], "the other rank's GPU 0 stays open"),
  );
  await eventually(async () => assert.match(await heading("GPU 0").first().innerText(), /2 lanes/));
  await eventually(async () => assert.ok((await topOfRank1()) < before_px - 80, "what is folded takes no height"));

  await heading("rank 1").focus();
  await page.keyboard.press("ArrowLeft");
  await eventually(async () => assert.deepEqual(await listHeads(page), ["rank 0", "  GPU 0", "rank 1"]));
  await waitForUrl(page, "lanes.fold=rank 0/GPU 0|rank 1");
  await page.reload();
  await heading("rank 1").waitFor();
  await eventually(async () => assert.deepEqual(await listHeads(page), ["rank 0", "  GPU 0", "rank 1"]));

  await heading("rank 1").focus();
  await page.keyboard.press("ArrowRight");
  await eventually(async () => assert.deepEqual(await listHeads(page), ["rank 0", "  GPU 0", ...kRank1]));
  await page.keyboard.press("z");
  await heading("GPU 0").first().waitFor({ state: "detached" });
  await eventually(async () => assert.deepEqual(await listHeads(page), ["rank 0", "rank 1"], "the key folds all"));
  await page.keyboard.press("z");
  await heading("GPU 0").first().waitFor();
  await eventually(async () => assert.deepEqual(await listHeads(page), [...kRank0, ...kRank1], "and unfolds all"));
});

testPage("two lanes of one name are told apart when hidden, pinned and linked to", options, async ({ page }) => {
  const lanes = page.locator(".lane-head").filter({ hasText: "stream 7" });
  await lanes.nth(1).waitFor();
  await lanes.nth(1).getByRole("button", { name: "Pin" }).click();
  await page.locator(".stuck-heads .lane-head").filter({ hasText: "stream 7" }).waitFor();
  await eventually(async () =>
    assert.deepEqual(await listHeads(page), [...kRank0, ...kRank1.filter((name) => !name.includes("7"))]),
  );
  await waitForUrl(page, "lanes.pin=rank 1/GPU 0/stream 7");
  await page.locator(".stuck-heads").getByRole("button", { name: "Pin" }).click();
  await lanes.nth(0).getByRole("button", { name: "Hide" }).click();
  await lanes.nth(1).waitFor({ state: "detached" });
  await eventually(async () =>
    assert.deepEqual(await listHeads(page), [...kRank0.filter((name) => !name.includes("7")), ...kRank1]),
  );
  await waitForUrl(page, "lanes.hide=rank 0/GPU 0/stream 7");
});

testPage(
  "a link to an event of the second rank leads there, though the first has a lane of its name and it is folded",
  { ...options, fragment: `${options.fragment}&lanes.fold=rank 1&event=rank 1/GPU 0/stream 7|@3.3000|gemm of rank 1` },
  async ({ page }) => {
    const facts = page.locator(".facts").filter({ hasText: /Lane\s*rank 1 › GPU 0 › stream 7/ });
    await facts.waitFor();
    await eventually(async () =>
      assert.deepEqual(await listHeads(page), [...kRank0, ...kRank1], "what is led to is unfolded"),
    );
    await waitForUrl(page, "event=rank 1/GPU 0/stream 7|@3.3000");
  },
);
