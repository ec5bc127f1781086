// Takes pictures of the page's main views, of the captures that `vizd demo` writes: node take_pictures.mjs VIZD FOLDER. Run
// by scripts/pictures.
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VizdProcess } from "../bench/vizd_process.mjs";
import { browserOptions } from "../../web/browser.mjs";

const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright-core");
const [vizd, folder] = process.argv.slice(2);

const work = await mkdtemp(join(tmpdir(), "vizd-pictures-"));
const run = (...args) => execFileSync(vizd, args, { cwd: work, stdio: ["ignore", "ignore", "inherit"] });
run("demo", "demo", "--only-write");
// Its two ranks, one against the other: as files of the ranks of one job they would be one capture.
const ranks = ["rank1", "rank0"].map((rank) => {
  run("convert", `demo/training/${rank}.json`, "-o", `${rank}.bin`);
  return join(work, `${rank}.bin`);
});
const training = [join(work, "demo/training")];
const tinygrad = [join(work, "demo/tinygrad")];

/** What each picture shows: the captures, and the place in the page. */
const pictures = [
  { name: "overview", args: training, place: "view=overview" },
  { name: "timeline", args: training, place: "view=timeline" },
  { name: "kernels", args: training, place: "view=kernels" },
  { name: "rewrites", args: tinygrad, place: "view=rewrites&context=10&pass=17&match=12" },
  { name: "program", args: [...tinygrad, "--compile"], place: "view=program&context=10" },
  { name: "compare", args: ranks, place: "view=compare&against=rank0" },
];

/** The page once nothing on it changes any more: it looks the same for a second. */
async function takeStill(page) {
  let last = await page.screenshot();
  for (let same = 0; same < 2;) {
    await page.waitForTimeout(500);
    const next = await page.screenshot();
    same = next.equals(last) ? same + 1 : 0;
    last = next;
  }
  return last;
}

await mkdir(folder, { recursive: true });
const browser = await chromium.launch(browserOptions);
for (const { name, args, place } of pictures) {
  const server = await VizdProcess.start(vizd, args, { XDG_STATE_HOME: work, XDG_CACHE_HOME: work });
  const page = await browser.newPage({ viewport: { width: 1400, height: 800 }, colorScheme: "light" });
  await page.goto(new URL(`/#${place}`, server.base).href);
  await writeFile(join(folder, `${name}.png`), await takeStill(page));
  console.log(`${folder}/${name}.png`);
  await page.close();
  await server.stop();
}
await browser.close();
await rm(work, { recursive: true });
