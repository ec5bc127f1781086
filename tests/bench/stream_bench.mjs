// Times and weighs the largest rewrite of a capture, native stream beside the reference's stream of whole graphs, from
// a vizd started for it. Usage: node stream_bench.mjs VIZD NAME.rewrites.pkl [SECONDS the reference stream may take]
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import http from "node:http";
import { createInterface } from "node:readline";

const [vizd, kernels, limitS = "60"] = process.argv.slice(2);

const started = performance.now();
const args = ["--port", "0", "--no-token", "--log-level", "error"];
const server = spawn(vizd, [...args, "--kernels", kernels, "--profile", kernels.replace("rewrites", "profile")], {
  stdio: ["ignore", "pipe", "inherit"],
});
const [line] = await once(createInterface(server.stdout), "line");
const base = new URL(line);

/** Fetches path without unpacking it: bytes as they cross the wire, milliseconds to the first byte and to the end. */
function weigh(path, encoding, limitMs) {
  return new Promise((resolve, reject) => {
    const from = performance.now();
    const request = http.get(new URL(path, base), { headers: { "Accept-Encoding": encoding } }, (response) => {
      let bytes = 0;
      let first = 0;
      const finish = (whole) => resolve({ bytes, firstMs: first - from, totalMs: performance.now() - from, whole });
      const timer = limitMs ? setTimeout(() => (request.destroy(), finish(false)), limitMs) : undefined;
      response.on("data", (chunk) => {
        if (bytes === 0) first = performance.now();
        bytes += chunk.length;
      });
      response.on("end", () => (clearTimeout(timer), finish(true)));
      response.on("error", () => {});
    });
    request.on("error", reject);
  });
}

async function getJson(path) {
  const response = await fetch(new URL(path, base));
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return response.json();
}

/** The contexts, once the capture is read. */
async function openCapture() {
  for (;;) {
    const [capture] = (await getJson("/api/v1/session")).captures;
    const broken = capture?.files.find((file) => file.state === "broken");
    if (broken) throw new Error(broken.error);
    if (capture?.has_rewrites) return (await getJson("/api/v1/contexts")).contexts;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function residentMb() {
  const status = await readFile(`/proc/${server.pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024;
}

const contexts = await openCapture();
const openMs = performance.now() - started;
const openMb = await residentMb();

let largest = { matches: -1 };
contexts.forEach((context, c) => {
  context.steps.matches.forEach((matches, s) => {
    if (matches > largest.matches) largest = { c, s, matches };
  });
});

const mb = (bytes) => `${(bytes / 1e6).toFixed(3)} MB`;
const ms = (t) => `${t.toFixed(1)} ms`;
console.log(`${kernels.split("/").pop()}: process start to contexts in hand ${ms(openMs)}, ${openMb.toFixed(0)} MB resident`);
console.log(`largest step: context ${largest.c}, step ${largest.s}, ${largest.matches} matches`);
const path = `/api/v1/rewrites/${largest.c}/${largest.s}`;
const cold = await weigh(path, "zstd");
const warm = await weigh(path, "zstd");
const plain = await weigh(path, "identity");
console.log(`native stream, first time: first byte ${ms(cold.firstMs)}, all ${ms(cold.totalMs)}, ${mb(cold.bytes)} (zstd)`);
console.log(`native stream, again:      first byte ${ms(warm.firstMs)}, all ${ms(warm.totalMs)}, ${mb(plain.bytes)} unpacked`);
const reference = await weigh(`/ctxs?ctx=${largest.c}&idx=${largest.s}`, "identity", Number(limitS) * 1000);
const more = reference.whole ? "" : "more than ";
console.log(`the reference's stream, written by vizd: first byte ${ms(reference.firstMs)}, all ${more}${ms(reference.totalMs)}, ${more}${mb(reference.bytes)}`);
console.log(`bytes, reference / native: ${(reference.bytes / cold.bytes).toFixed(0)} packed, ${(reference.bytes / plain.bytes).toFixed(0)} unpacked`);
console.log(`resident after: ${(await residentMb()).toFixed(0)} MB`);
server.kill();
