// Milliseconds a frame of the graph, drawn by the page's own renderer in a browser without a GPU, with the wait for the
// pixels. Usage: node graph_bench.mjs [NODES ...]
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { browserOptions } from "../../web/browser.mjs";
import { figure } from "./figures.mjs";

const web = new URL("../../web/", import.meta.url);
const require = createRequire(new URL("package.json", web));
const esbuild = require("esbuild");
const { chromium } = require("playwright-core");

const counts = process.argv.length > 2 ? process.argv.slice(2).map(Number) : [1_000, 10_000, 50_000];
const { outputFiles } = await esbuild.build({
  entryPoints: [fileURLToPath(new URL("graph_bench_page.ts", import.meta.url))],
  nodePaths: [fileURLToPath(new URL("node_modules", web))],
  bundle: true,
  format: "iife",
  target: "es2022",
  write: false,
});
const { outputFiles: styles } = await esbuild.build({
  entryPoints: [fileURLToPath(new URL("src/styles/tokens.css", web))],
  write: false,
});

const browser = await chromium.launch(browserOptions);
try {
  const page = await (await browser.newContext({ viewport: { width: 1600, height: 900 } })).newPage();
  await page.setContent(`<style>${styles[0].text}</style><body></body>`);
  await page.addScriptTag({ content: outputFiles[0].text });
  console.log("graph frames, 1600 x 900, software rendering: median / worst ms");
  for (const count of counts) {
    const rows = await page.evaluate((n) => window.measureFrames(n), count);
    for (const { zoom, median_ms, worst_ms } of rows) {
      figure(`graph frame of ${count} nodes, zoom ${zoom}`, median_ms, "ms");
      const times = `${median_ms.toFixed(1).padStart(7)} / ${worst_ms.toFixed(1)}`;
      console.log(`${String(count).padStart(7)} nodes, zoom ${zoom.padEnd(14)} ${times}`);
    }
  }
} finally {
  await browser.close();
}
