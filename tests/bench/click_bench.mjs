// How long a click waits for what it asks of a large profile, in a browser: milliseconds from the click to the frame
// that shows it. Usage: node click_bench.mjs VIZD CAPTURE
import { createRequire } from "node:module";
import { browserOptions } from "../../web/browser.mjs";
import { figure } from "./figures.mjs";
import { VizdProcess } from "./vizd_process.mjs";

const require = createRequire(new URL("../../web/package.json", import.meta.url));
const { chromium } = require("playwright-core");
const [vizd, capture] = process.argv.slice(2);
const kPatienceMs = 60_000;
// The rows of the view named Kernels, as this page has them and as pages before it had.
const kRows = `document.querySelector("[aria-label=Kernels] tbody, .kernels tbody")`;

const server = await VizdProcess.start(vizd, [capture]);
const browser = await chromium.launch(browserOptions);

try {
  const page = await (await browser.newContext({ viewport: { width: 1600, height: 900 } })).newPage();
  await page.goto(server.base.href);
  const isShown = {
    overview: `/busy/i.test(document.querySelector(".overview")?.innerText ?? "")`,
    kernels: `${kRows}?.querySelector("tr")`,
    group: `![undefined, window.before].includes(${kRows}?.innerText)`,
    lanes: `document.querySelector(".timeline-plot canvas")?.width > 0`,
  };
  const time = async (what, act, shown) => {
    const ms = await page.evaluate(`(async () => {
      const frame = () => new Promise(requestAnimationFrame);
      window.before = ${kRows}?.innerText;
      const from = performance.now();
      ${act}
      while (!(${shown})) {
        if (performance.now() - from > ${kPatienceMs}) throw new Error(${JSON.stringify(what)} + " is not shown");
        await frame();
      }
      await frame();
      return performance.now() - from;
    })()`);
    figure(`click: ${what}`, ms, "ms");
    console.log(`${what.padEnd(24)} ${ms.toFixed(0).padStart(5)} ms`);
  };
  const clickView = (name) =>
    `[...document.querySelectorAll("nav[aria-label=Rooms] button, nav[aria-label=Views] button")].find((b) => b.innerText === "${name}").click();`;
  const chooseGroup = (group) =>
    `const choice = document.querySelector("select[aria-label='Add up']");
     choice.value = "${group}";
     choice.dispatchEvent(new Event("change", { bubbles: true }));`;

  await time("the capture's page", "", isShown.overview);
  console.log("from a click to what it shows:");
  await time("Kernels", clickView("Kernels"), isShown.kernels);
  for (const group of ["category", "family", "stream", "device", "name"])
    await time(`kernels by ${group}`, chooseGroup(group), isShown.group);
  await time("Overview", clickView("Overview"), isShown.overview);
  await time("Timeline", clickView("Timeline"), isShown.lanes);
  await time("Kernels again", clickView("Kernels"), isShown.kernels);
} finally {
  await browser.close();
  await server.stop();
}
