// Runs the page's tests: node test.mjs web|e2e [PATTERN]. Node 20 runs no TypeScript, so each tests/SUITE/*.test.ts is
// bundled first. The bundles are CommonJS because there NODE_PATH applies: playwright-core stays outside of them.
import { spawn } from "node:child_process";
import { readdir, rm } from "node:fs/promises";
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
  // By way of nodePaths a test would get another copy of it than the page's code, whose signals do not hear of each other.
  alias: { "@preact/signals": `${modules}/@preact/signals/dist/signals.mjs` },
  logLevel: "warning",
});

const args = [
  "--enable-source-maps",
  "--test",
  "--test-concurrency=1",
  ...names.map((n) => out + n.replace(/\.ts$/, ".cjs")),
];
const env = { ...process.env, NODE_PATH: modules, VIZD_TOP: top };
const child = spawn(process.execPath, args, { stdio: "inherit", env });
child.on("exit", (code) => process.exit(code ?? 1));
