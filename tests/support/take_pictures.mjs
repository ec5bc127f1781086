// Takes pictures of the page's main views: node take_pictures.mjs VIZD SAMPLES FOLDER. Run by scripts/pictures.
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { VizdProcess } from "../bench/vizd_process.mjs";

const { chromium } = createRequire(new URL("../../web/package.json", import.meta.url))("playwright-core");
const [vizd, samples, folder] = process.argv.slice(2);

const tinygrad = join(samples, "tinygrad-0.14/tour.");
const tour = ["--kernels", `${tinygrad}rewrites.pkl`, "--profile", `${tinygrad}profile.pkl`];
const trace = [join(samples, "kineto/h100_vit.json.gz")];

/** What each picture shows: the captures, and the place in the page. */
const pictures = [
  { name: "overview", args: trace, place: "view=overview" },
  { name: "timeline", args: trace, place: "view=timeline" },
  { name: "kernels", args: trace, place: "view=kernels" },
  { name: "rewrites", args: tour, place: "view=rewrites&context=10&pass=18&match=12" },
  { name: "program", args: tour, place: "view=program&context=10" },
  {
    name: "compare",
    args: [join(samples, "kineto/h100_bert_small.json.gz"), join(samples, "kineto/mi300_bert_small.json.gz")],
    place: "view=compare&against=mi300_bert_small",
  },
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
const state = await mkdtemp(join(tmpdir(), "vizd-pictures-"));
const browser = await chromium.launch({
  executablePath: "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update"],
});
for (const { name, args, place } of pictures) {
  const server = await VizdProcess.start(vizd, args, { XDG_STATE_HOME: state, XDG_CACHE_HOME: state });
  const page = await browser.newPage({ viewport: { width: 1400, height: 800 }, colorScheme: "light" });
  await page.goto(new URL(`/#${place}`, server.base).href);
  await writeFile(join(folder, `${name}.png`), await takeStill(page));
  console.log(`${folder}/${name}.png`);
  await page.close();
  await server.stop();
}
await browser.close();
await rm(state, { recursive: true });
