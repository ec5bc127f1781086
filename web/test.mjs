// Runs the page's tests: node test.mjs web|e2e [PATTERN]. Node 20 runs no TypeScript, so each tests/SUITE/*.test.ts is
// bundled first. The bundles are CommonJS because there NODE_PATH applies: playwright-core stays outside of them.
//
// Files of e2e run two at once. Each of the two has one browser for all its files, and a test a context of its own
// in it: starting a browser takes longer than most tests. The slowest files and tests are listed at the end, and in
// build/test/SUITE.tsv for scripts/slowest.
import { spawn } from "node:child_process";
import { mkdir, readdir, rm, writeFile } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";
import { browserOptions } from "./browser.mjs";

const [suite = "web", pattern = ""] = process.argv.slice(2);
const top = fileURLToPath(new URL("..", import.meta.url));
const from = `${top}tests/${suite}/`;
const out = `${top}build/test/${suite}/`;
const modules = `${top}web/node_modules`;

const names = (await readdir(from)).filter((name) => name.endsWith(".test.ts") && name.includes(pattern)).sort();
if (names.length === 0) throw new Error(`no test of ${from} has '${pattern}' in its name`);

await rm(out, { recursive: true, force: true });
await esbuild.build({
  entryPoints: names.map((name) => from + name),
  outdir: out,
  outExtension: { ".js": ".cjs" },
  bundle: true,
  platform: "node",
  format: "cjs",
  target: "node20",
  jsx: "automatic",
  jsxImportSource: "preact",
  sourcemap: "inline",
  external: ["playwright-core"],
  nodePaths: [modules],
  // By way of nodePaths a test would get another copy of it than the page's code, whose signals do not hear of each
  // other.
  alias: { "@preact/signals": `${modules}/@preact/signals/dist/signals.mjs` },
  logLevel: "warning",
});

const env = { ...process.env, NODE_PATH: modules, VIZD_TOP: top };
const files = names.map((name) => out + name.replace(/\.ts$/, ".cjs"));

/** Whether all tests of the files pass, and what they said, in TAP. */
async function run(files, browser) {
  const args = ["--enable-source-maps", "--test", "--test-reporter=tap", "--test-concurrency=1", ...files];
  const child = spawn(process.execPath, args, {
    stdio: ["inherit", "pipe", "pipe"],
    env: browser ? { ...env, VIZD_BROWSER: browser.wsEndpoint() } : env,
  });
  const stop = () => child.kill(); // without their browser the tests would wait for it
  browser?.process().once("exit", stop);
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => said.push(part));
  const code = await new Promise((resolve) => child.on("close", resolve));
  browser?.process().off("exit", stop);
  return { passed: code === 0, text: Buffer.concat(said).toString() };
}

if (suite !== "e2e") {
  const { passed, text } = await run(files);
  process.stdout.write(text);
  process.exit(passed ? 0 : 1);
}

const { chromium } = await import("playwright-core");
const waiting = [...files];
const failed = [];
const took = []; // {seconds, name} of files, {seconds, name: "FILE: TEST"} of tests
let tests = 0;

async function runWaiting() {
  let browser;
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    const name = basename(file, ".test.cjs");
    if (browser === undefined || browser.process().exitCode !== null || browser.process().signalCode !== null)
      browser = await chromium.launchServer(browserOptions);
    const start_ms = performance.now();
    const { passed, text } = await run([file], browser);
    took.push({ kind: "file", seconds: (performance.now() - start_ms) / 1000, name });
    for (const [, test, ms] of text.matchAll(/^ *ok \d+ - (.*)\n *---\n *duration_ms: ([\d.]+)/gm)) {
      tests++;
      took.push({ kind: "test", seconds: Number(ms) / 1000, name: `${name}: ${test}` });
    }
    if (passed) continue;
    failed.push(name);
    process.stdout.write(`# ${name}\n${text}`);
  }
  await browser?.close();
}
await Promise.all([runWaiting(), runWaiting()]);

took.sort((a, b) => b.seconds - a.seconds);
await mkdir(`${top}build/test`, { recursive: true });
const rows = took.map(({ kind, seconds, name }) => `${kind}\t${seconds.toFixed(2)}\t${name}\n`);
await writeFile(`${top}build/test/${suite}.tsv`, rows.join(""));
console.log(
  `# ${files.length} files of ${suite}, ${tests} tests passed; ${files.length - failed.length} files passed, ${failed.length} failed${failed.map((name) => ` ${name}`).join("")}`,
);
process.exit(failed.length > 0 ? 1 : 0);
