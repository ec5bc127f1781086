// Runs the page's tests: node test.mjs web|e2e [PATTERN]. Node 20 runs no TypeScript, so each tests/SUITE/*.test.ts is
// bundled first. The bundles are CommonJS because there NODE_PATH applies: playwright-core stays outside of them.
import { spawn } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
import { basename } from "node:path";
import { fileURLToPath } from "node:url";
import * as esbuild from "esbuild";

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

/** Whether all tests of the files pass. What they say is printed as a whole: others may run meanwhile. */
function run(files) {
  const args = ["--enable-source-maps", "--test", "--test-concurrency=1", ...files];
  const child = spawn(process.execPath, args, { stdio: ["inherit", "pipe", "pipe"], env });
  const said = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (part) => said.push(part));
  return new Promise((resolve) =>
    child.on("close", (code) => {
      process.stdout.write(Buffer.concat(said));
      resolve(code === 0);
    }),
  );
}

if (suite !== "e2e") process.exit((await run(files)) ? 0 : 1);

// Two at once, as a browser waits much of its time. On a loaded machine it is late now and then: what fails gets one
// more try by itself, which is told: what is broken fails again, and what is told here often has something to mend.
const waiting = [...files];
const failed = [];
async function runWaiting() {
  for (let file = waiting.shift(); file !== undefined; file = waiting.shift()) {
    if (!(await run([file]))) failed.push(file);
  }
}
await Promise.all([runWaiting(), runWaiting()]);
const broken = [];
for (const file of failed) {
  const name = basename(file, ".test.cjs");
  console.log(`# ${name}: failed; once more`);
  const passed = await run([file]);
  console.log(`# ${name}: ${passed ? "passes the second time" : "fails again"}`);
  if (!passed) broken.push(name);
}
console.log(
  `# ${files.length} files of ${suite}: ${files.length - failed.length} passed, ${failed.length - broken.length} the second time, ${broken.length} failed${broken.map((name) => ` ${name}`).join("")}`,
);
process.exit(broken.length > 0 ? 1 : 0);
