// A capture that is recorded again with kernels inserted, removed or renamed: a page and a link stay at the kernel that
// they were at, and where that is gone the page says so.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { renameSync } from "node:fs";
import { join } from "node:path";
import { testPage, type Capture } from "./harness";

const python = join(process.env.VIZD_TOP ?? process.cwd(), "python");

/** A kernel a word: its name, and a number that makes its graph and the name of its pass. */
const kProgram = `
import sys
sys.path.insert(0, sys.argv[1])
from vizd import Capture
with Capture(sys.argv[2]) as w:
    const, add = w.kind("CONST"), w.kind("ADD")
    for word in sys.argv[3:]:
        name, number = word.split(":")
        context = w.context(name)
        leaf = w.op(const, dtype="int", argument=number)
        root = w.op(add, [leaf, leaf], dtype="int")
        fold = w.graph_pass(context, "fold " + number, root, w.location("passes.cpp", 1))
        w.match(fold, root, w.op(const, dtype="int", argument="sum " + number), w.location("rules.cpp", 7))
        w.program(context, name, "int " + name + "();", "CPU")
`;

function write({ folder }: Capture, ...kernels: string[]): string {
  const path = join(folder, "kernels.bin");
  execFileSync("python3", ["-B", "-c", kProgram, python, `${path}.new`, ...kernels]);
  renameSync(`${path}.new`, path);
  return path;
}

const args = (capture: Capture) => [write(capture, "E:1", "E:2", "r:3")];

testPage("a page stays at its kernel when others are inserted, removed and renamed", { args }, async (stage) => {
  const { page, capture, vizd } = stage;
  const at = (number: number) => page.locator(".graph-head", { hasText: `fold ${number}` }).waitFor();
  const gone = page.getByText("The kernel E that was here is not in the capture any more");
  await page.getByRole("treeitem").first().waitFor(); // so that the token has become a cookie
  const contexts = await (await page.request.get(`${vizd.origin}api/v1/contexts`)).json();
  const key: string = contexts.contexts[1].key;
  assert.match(key, /^[0-9a-f]{8}$/);
  await page.goto("about:blank");
  await page.goto(`${vizd.origin}#view=rewrites&context=1:E~${key}`);
  await at(2);

  write(capture, "E:8", "E:9", "E:1", "E:2", "r:3");
  await page.getByText("E", { exact: true }).nth(3).waitFor();
  await at(2);
  await page.reload();
  await at(2);
  assert.equal(await gone.count(), 0);

  write(capture, "r:3", "E_2:2");
  await page.getByText("E_2", { exact: true }).first().waitFor();
  await at(2);
  assert.equal(await gone.count(), 0);

  write(capture, "r:3", "E:1", "E:5");
  await at(1);
  await gone.waitFor();
  await page.reload();
  await at(1);
  await gone.waitFor();
});

testPage("a link made before kernels had keys still leads to its kernel", { args }, async ({ page, vizd }) => {
  await page.getByRole("treeitem").first().waitFor(); // so that the token has become a cookie
  await page.goto("about:blank");
  await page.goto(`${vizd.origin}#view=rewrites&context=1:E`);
  await page.locator(".graph-head", { hasText: "fold 2" }).waitFor();
});

/** A schedule a word, which makes no program: its name, and the numbers that make its passes' graphs. */
const kSchedules = `
import sys
sys.path.insert(0, sys.argv[1])
from vizd import Capture
with Capture(sys.argv[2]) as w:
    const, add, unique = w.kind("CONST"), w.kind("ADD"), w.kind("UNIQUE")
    for i, word in enumerate(sys.argv[3:]):
        name, *numbers = word.split(":")
        context = w.context(name)
        for number in numbers:
            leaf = w.op(const, [w.op(unique, argument=str(i))], dtype="int", argument=number)
            root = w.op(add, [leaf, leaf], dtype="int")
            fold = w.graph_pass(context, "fold", root, w.location("passes.cpp", 1))
            w.match(fold, root, w.op(const, dtype="int", argument="sum " + number), w.location("rules.cpp", int(number)))
`;

function writeSchedules({ folder }: Capture, ...schedules: string[]): string {
  const path = join(folder, "schedules.bin");
  execFileSync("python3", ["-B", "-c", kSchedules, python, `${path}.new`, ...schedules]);
  renameSync(`${path}.new`, path);
  return path;
}

const scheduleArgs = (capture: Capture) => [writeSchedules(capture, "Schedule n1:1:2", "Schedule n2:3:4:5")];

testPage(
  "a page stays at its schedule and its pass when others come before them",
  { args: scheduleArgs },
  async (stage) => {
    const { page, capture, vizd } = stage;
    // The rule of a pass stands in the line that its graph has as a number.
    const at = (number: number) => page.getByText(`rules.cpp:${number}`).first().waitFor();
    const gone = (what: string) => page.getByText(`The ${what} that was here is not in the capture any more`);
    await page.getByRole("treeitem").first().waitFor(); // so that the token has become a cookie
    const { contexts } = await (await page.request.get(`${vizd.origin}api/v1/contexts`)).json();
    const { key, passes } = contexts[1];
    const pass = (i: number) => `fold~${passes.key[i].toString(16).padStart(4, "0")}`;
    await page.goto("about:blank");
    await page.goto(`${vizd.origin}#view=rewrites&context=1:Schedule n2~${key}&pass=1:${pass(1)}&match=1`);
    await at(4);

    writeSchedules(capture, "Schedule n1:7", "Schedule n2:1:2", "Schedule n3:3:8:4:5");
    await page.getByRole("treeitem", { name: "Schedule n3" }).first().waitFor();
    await at(4);
    await page.reload();
    await at(4);
    assert.equal(await gone("context Schedule n2").count(), 0);
    assert.equal(await gone("pass fold").count(), 0);

    writeSchedules(capture, "Schedule n1:3:8:5");
    await gone("pass fold").waitFor();
    await at(8);

    writeSchedules(capture, "Schedule n1:1:2", "Schedule n2:9:10");
    await gone("context Schedule n2").waitFor();
    await page.reload();
    await gone("context Schedule n2").waitFor();
  },
);
