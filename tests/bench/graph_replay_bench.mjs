// What naming the kernels of graph replays costs: three real servers' traces beside TraceLens, where TRACELENS names the
// folder of a virtual environment that has it; a folder of a hundred captures; and a trace of 1.2 million events, whose
// names come after its lanes. Usage: node graph_replay_bench.mjs VIZD
import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync, gzipSync } from "node:zlib";
import { figure, median } from "./figures.mjs";
import { VizdProcess } from "./vizd_process.mjs";

const [vizd] = process.argv.slice(2);
const kSamples = "../shared/samples";
const kCost = fileURLToPath(new URL("command_cost.py", import.meta.url));
const kRounds = 3;
const kCaptures = 100;

/** Seconds and megabytes of a command, the medians of a few rounds. */
function costOf(...command) {
  const rounds = Array.from({ length: kRounds }, () =>
    JSON.parse(execFileSync("python3", [kCost, ...command], { encoding: "utf8" })),
  );
  const of = (field) => median(rounds.map((round) => round[field]));
  return { cpuS: of("cpu_s"), wallS: of("wall_s"), peakMb: of("peak_mb") };
}

function tell(name, { cpuS, wallS, peakMb }) {
  figure(`graph replays: ${name}`, wallS, "s");
  figure(`graph replays: ${name}, all cores`, cpuS, "s");
  figure(`graph replays: ${name}, most memory`, peakMb, "MB");
  console.log(`${name}: ${wallS.toFixed(2)} s, ${cpuS.toFixed(2)} s of all cores, at most ${peakMb.toFixed(0)} MB`);
}

const traceIn = (folder) =>
  join(
    folder,
    readdirSync(folder).find((name) => name.endsWith(".json.gz")),
  );

/** The real traces, each in a folder of its own with its captures: TraceLens writes beside what it reads. */
function copyReal(folder) {
  return [
    ["vllm_decode_full", "vllm_decode_full"],
    ["sglang_decode", "sglang_decode"],
    ["sglang_prefill", "sglang_decode"],
  ].map(([name, captured]) => {
    const copy = join(folder, name);
    cpSync(join(kSamples, "kineto_graph", name), copy, { recursive: true });
    const captures = join(copy, "capture_traces");
    cpSync(join(kSamples, "kineto_graph", captured, "capture_traces"), captures, { recursive: true });
    execFileSync("chmod", ["-R", "u+w", copy]);
    return { name, trace: traceIn(copy), captures };
  });
}

function besideTraceLens(folder) {
  const program = process.env.TRACELENS
    ? join(process.env.TRACELENS, "bin", "TraceLens_generate_perf_report_pytorch_inference")
    : null;
  if (program === null) console.log("TRACELENS names no environment that has TraceLens: vizd alone is measured");
  for (const { name, trace, captures } of copyReal(folder)) {
    const ours = costOf(vizd, "kernels", trace, "--group", "operator", "--json");
    tell(name, ours);
    if (program === null) continue;
    const files = ["--profile_json_path", trace, "--capture_folder", captures];
    const theirs = costOf(program, ...files, "--output_csvs_dir", join(folder, "report"));
    tell(`${name}, TraceLens`, theirs);
    console.log(`${name}: ${Math.round(theirs.cpuS / ours.cpuS)} times TraceLens' speed`);
  }
}

/** One capture a size, as vLLM writes them: the real one, under labels of its own. */
function hundredCaptures(folder) {
  const real = join(kSamples, "kineto_graph/vllm_decode_full");
  const text = gunzipSync(readFileSync(traceIn(join(real, "capture_traces"))));
  const label = Buffer.from('"capture_32_FULL"');
  const end = text.indexOf(label) + label.length;
  const head = text.subarray(0, end - label.length);
  const rest = gzipSync(text.subarray(end));
  mkdirSync(join(folder, "capture_traces"));
  cpSync(traceIn(real), join(folder, "trace.json.gz"));
  for (let n = 0; n < kCaptures; n++) {
    const begin = gzipSync(Buffer.concat([head, Buffer.from(`"capture_${8 * (n + 1)}_FULL"`)]));
    const name = `graph_capture_rank_0.${1000 + kCaptures - n}.pt.trace.json.gz`;
    writeFileSync(join(folder, "capture_traces", name), Buffer.concat([begin, rest]));
  }
  tell(`${kCaptures} captures of ${(rest.length / 1e6).toFixed(1)} MB`, costOf(vizd, "summary", folder, "--graphs"));
}

async function until(server, path, isThere) {
  for (;;) {
    const answer = await server.getJson(path);
    if (isThere(answer)) return (performance.now() - server.started) / 1000;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Lanes, then names, of a trace whose names are asked for as the page asks. */
async function namesAfterLanes(folder) {
  execFileSync("python3", [join(kSamples, "make/graph_replay.py"), folder, "--big"]);
  const trace = join(folder, "trace.json.gz");
  const alone = mkdtempSync(join(folder, "alone-"));
  cpSync(trace, join(alone, "trace.json.gz"));
  for (const [name, file] of [
    ["3,001 nodes 200 times without captures", join(alone, "trace.json.gz")],
    ["3,001 nodes 200 times", trace],
  ]) {
    const server = await VizdProcess.start(vizd, [file], { XDG_CACHE_HOME: mkdtempSync(join(folder, "cache-")) });
    const lanesS = await until(server, "/api/v1/lanes", ({ status }) => status === "ready");
    const memoryMb = await server.memoryMb("VmRSS");
    figure(`graph replays: ${name}, lanes`, lanesS, "s");
    figure(`graph replays: ${name}, lanes, memory`, memoryMb, "MB");
    console.log(`${name}: lanes after ${lanesS.toFixed(2)} s, ${memoryMb.toFixed(0)} MB`);
    if (file === trace) {
      const namesS = (await until(server, "/api/v1/graph-replays", ({ ranks }) => ranks.length > 0)) - lanesS;
      const moreMb = (await server.memoryMb("VmRSS")) - memoryMb;
      figure(`graph replays: ${name}, names after the lanes`, namesS, "s");
      figure(`graph replays: ${name}, names, more memory`, moreMb, "MB");
      console.log(`${name}: names ${namesS.toFixed(2)} s later, ${moreMb.toFixed(0)} MB more`);
    }
    await server.stop();
  }
}

if (!existsSync(join(kSamples, "kineto_graph"))) {
  console.log("graph replays: skipped, ../shared/samples is not here");
} else {
  const folder = mkdtempSync(join(tmpdir(), "vizd-bench-"));
  try {
    const part = (name) => (mkdirSync(join(folder, name)), join(folder, name));
    besideTraceLens(part("real"));
    hundredCaptures(part("hundred"));
    await namesAfterLanes(part("big"));
  } finally {
    rmSync(folder, { recursive: true });
  }
}
