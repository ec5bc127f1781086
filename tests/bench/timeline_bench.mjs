// Times and weighs a large profile from a vizd started for it: opening it the first time and again, its memory, and
// tiles of views from all of it to a thousandth, as a page 2,000 pixels wide asks for them. Usage:
// node timeline_bench.mjs VIZD CAPTURE
import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { figure, median } from "./figures.mjs";
import { VizdProcess } from "./vizd_process.mjs";

const [vizd, capture] = process.argv.slice(2);
const kViewPixels = 2000;
const kTileBits = 10; // 1,024 units
const cache = await mkdtemp(join(tmpdir(), "vizd-bench-"));

async function open(what) {
  const server = await VizdProcess.start(vizd, [capture], { XDG_CACHE_HOME: cache });
  for (;;) {
    const lanes = await server.getJson("/api/v1/lanes");
    if (lanes.status === "ready") {
      const opened = { server, lanes, openS: (performance.now() - server.started) / 1000, cpuS: await server.cpuS() };
      figure(`${what} ${lanes.events} events`, opened.openS, "s");
      figure(`${what} ${lanes.events} events, all cores`, opened.cpuS, "s");
      figure(`${what} ${lanes.events} events, most memory`, await server.memoryMb("VmHWM"), "MB");
      return opened;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** What was read is written into the cache once it is shown, if it is large enough. */
async function waitUntilKept() {
  for (let tries = 0; tries < 200 && (await sidecarBytes()) === 0; tries++)
    await new Promise((resolve) => setTimeout(resolve, 50));
}

async function sidecarBytes() {
  const names = (await readdir(cache, { recursive: true })).filter((name) => name.endsWith(".timeline"));
  const sizes = await Promise.all(names.map(async (name) => (await stat(join(cache, name))).size));
  return sizes.reduce((sum, size) => sum + size, 0);
}

/** The path of the tiles of 1/zoom of the profile, at place 0 to 1, and their number. */
function pathOfView(lanes, zoom, place) {
  const span = lanes.dur_ns / zoom;
  const from = (lanes.dur_ns - span) * place;
  const level = Math.max(Math.ceil(Math.log2(span / kViewPixels / 4)), 0);
  const tileOf = (at) => Math.floor(at / 2 ** (level + kTileBits));
  const rows = lanes.lanes.map((_, lane) => lane).join(",");
  return `/api/v1/tiles/${lanes.key}?level=${level}&from=${tileOf(from)}&to=${tileOf(from + span)}&rows=${rows}`;
}

const first = await open("open");
const { events } = first.lanes;
const peakMb = await first.server.memoryMb("VmHWM");
console.log(`${events.toLocaleString("en")} events, ${first.lanes.lanes.reduce((n, { rows }) => n + rows, 0)} rows`);
console.log(
  `opened in ${first.openS.toFixed(2)} s (${first.cpuS.toFixed(2)} s of all cores), at most ${peakMb.toFixed(0)} MB` +
    ` (${((peakMb * 2 ** 20) / events).toFixed(1)} B an event)`,
);
for (const zoom of [1, 10, 100, 1000]) {
  const views = [];
  for (const place of [0, 0.25, 0.5, 0.75, 1]) {
    const path = pathOfView(first.lanes, zoom, place);
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await first.server.weigh(path, "zstd"));
    if (answers.some(({ status }) => status !== 200)) throw new Error(`${path}: ${answers[0].status}`);
    views.push({ bytes: answers[0].bytes, ms: median(answers.map(({ totalMs }) => totalMs)) });
  }
  figure(`view of 1/${zoom} of ${events} events`, Math.max(...views.map(({ bytes }) => bytes)) / 1000, "KB");
  figure(`view of 1/${zoom} of ${events} events, server`, median(views.map(({ ms }) => ms)), "ms");
  const most = views.reduce((a, b) => (b.bytes > a.bytes ? b : a));
  console.log(
    `1/${zoom} of it: ${(most.bytes / 1000).toFixed(1)} KB in ${most.ms.toFixed(1)} ms (the largest of five views),` +
      ` ${median(views.map(({ ms }) => ms)).toFixed(1)} ms (median)`,
  );
}
await waitUntilKept();
await first.server.stop();

const again = await open("open again");
console.log(
  `opened again in ${again.openS.toFixed(2)} s (${again.cpuS.toFixed(2)} s of all cores),` +
    ` from ${((await sidecarBytes()) / events).toFixed(1)} B an event in the cache`,
);
await again.server.stop();
await rm(cache, { recursive: true });
