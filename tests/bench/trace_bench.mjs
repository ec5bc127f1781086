// How fast thread traces are decoded (thread_trace_bench.cpp), as figures; where TINYGRAD names a checkout of tinygrad,
// beside what it takes for the same trace. Usage: node trace_bench.mjs VIZD_BENCH
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { fileURLToPath } from "node:url";
import { join } from "node:path";
import { figure } from "./figures.mjs";

const [bench] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), "vizd-bench-"));

/** What is timed, by the name of its benchmark. */
const kTitles = {
  decode_trace: "packets",
  instructions_of_trace: "instructions to program counters",
  lanes_of_trace: "lanes",
  heat_of_trace: "where the cycles went",
  waves_of_trace: "waves",
};

function run(command, args, env = {}) {
  const options = { env: { ...process.env, ...env }, encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] };
  return JSON.parse(execFileSync(command, args, options));
}

try {
  const speeds = new Map();
  const keep = (name, perSecond, unit) => {
    speeds.set(`${name} ${unit}`, perSecond);
    figure(`thread trace: ${name}`, perSecond, `${unit}/s`);
  };
  const filter = `--benchmark_filter=^(${Object.keys(kTitles).join("|")})$`;
  const { benchmarks } = run(bench, [filter, "--benchmark_format=json"], { VIZD_BENCH_TRACE: folder });
  for (const { name, bytes_per_second, items_per_second } of benchmarks) {
    keep(kTitles[name], bytes_per_second / 1e6, "MB");
    if (items_per_second !== undefined) keep(kTitles[name], items_per_second / 1e6, "M");
  }
  if (process.env.TINYGRAD) {
    const script = fileURLToPath(new URL("trace_reference.py", import.meta.url));
    const env = { PYTHONPATH: process.env.TINYGRAD, DEV: "CPU" };
    for (const { name, unit, per_second } of run("python3", [script, folder], env)) {
      figure(`thread trace: ${name}, tinygrad`, per_second, `${unit}/s`);
      const ours = speeds.get(`${name} ${unit}`);
      speeds.set(`${name}, tinygrad ${unit}`, per_second);
      console.log(`${name}: ${ours.toPrecision(3)} ${unit}/s, ${Math.round(ours / per_second)} times tinygrad's`);
    }
  }
  for (const [name, speed] of speeds) console.log(`thread trace: ${name}/s ${speed.toPrecision(4)}`);
} finally {
  rmSync(folder, { recursive: true });
}
