// Times and weighs a capture from a vizd started for it: opening, the largest rewrite (native stream beside the
// reference's stream of whole graphs), any match's text, a search, a focus view and the table of rules; beside what
// tinygrad's own server took for captures of the same name (on two cores of another machine, so ratios within one run
// are firmer). Usage: node stream_bench.mjs VIZD NAME.rewrites.pkl [SECONDS the
// reference stream may take]
import { figure } from "./figures.mjs";
import { VizdProcess } from "./vizd_process.mjs";

const [vizd, kernels, limitS = "60"] = process.argv.slice(2);

const server = await VizdProcess.start(vizd, [
  ...["--kernels", kernels],
  ...["--profile", kernels.replace("rewrites", "profile")],
]);
const { base } = server;
const getJson = (path) => server.getJson(path);

/** The contexts, once the capture is read. */
async function openCapture() {
  for (;;) {
    const [capture] = (await getJson("/api/v1/session")).captures;
    const broken = capture?.files.find((file) => file.status === "broken");
    if (broken) throw new Error(broken.error);
    if (capture?.has_rewrites) return (await getJson("/api/v1/contexts")).contexts;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

/** Asks until the answer is no longer "in the making". */
async function settle(path) {
  for (;;) {
    const response = await fetch(new URL(path, base));
    if (response.status !== 202) return response.json();
    await response.arrayBuffer();
  }
}

// What tinygrad's own server took: time and, after opening, memory; of a stream, bytes sent.
const kReference = {
  resnet50_train: { open: "1.4 s, 288 MB", create_kernels: "hours, about 53 GB" },
  mlp: { devectorize: "37 to 50 s, 476 MB" },
};
const reference = kReference[kernels.split("/").pop().split(".")[0]] ?? {};
const beside = (key) => (reference[key] ? `  [reference: ${reference[key]}]` : "");

const contexts = await openCapture();
const openMs = performance.now() - server.started;
const openMb = await server.memoryMb("VmRSS");

const { pass_names: passNames } = await getJson("/api/v1/contexts");
let largest = { matches: -1 };
contexts.forEach((context, c) => {
  context.passes.matches.forEach((matches, s) => {
    if (matches > largest.matches) largest = { c, s, matches, name: passNames[context.passes.name[s]] };
  });
});

const mb = (bytes) => `${(bytes / 1e6).toFixed(3)} MB`;
const ms = (t) => `${t.toFixed(1)} ms`;
console.log(
  `${kernels.split("/").pop()}: process start to contexts in hand ${ms(openMs)}, ${openMb.toFixed(0)} MB resident${beside("open")}`,
);
const name = kernels.split("/").slice(-2).join("/");
figure(`${name}: open`, openMs, "ms");
figure(`${name}: open, memory`, openMb, "MB");
console.log(`largest pass: context ${largest.c}, pass ${largest.s} (${largest.name}), ${largest.matches} matches`);
const path = `/api/v1/rewrites/${largest.c}/${largest.s}`;
const cold = await server.weigh(path, "zstd");
const warm = await server.weigh(path, "zstd");
const plain = await server.weigh(path, "identity");
console.log(
  `native stream, first time: first byte ${ms(cold.firstMs)}, all ${ms(cold.totalMs)}, ${mb(cold.bytes)} (zstd)${beside(largest.name)}`,
);
console.log(
  `native stream, again:      first byte ${ms(warm.firstMs)}, all ${ms(warm.totalMs)}, ${mb(plain.bytes)} unpacked`,
);
figure(`${name}: largest pass, first graph`, cold.firstMs, "ms");
figure(`${name}: largest pass, all`, cold.totalMs, "ms");
figure(`${name}: largest pass, wire`, cold.bytes / 1000, "KB");
const last = largest.matches;
const place = `${largest.c}/${largest.s}`;
for (const [what, path] of [
  ["the last match's rule, diff and texts", `/api/v1/match/${place}/${last}`],
  ["the last graph's text", `/api/v1/text/${place}/${last}`],
  [
    "search op=LOAD fanout>2, first and last state",
    `/api/v1/search/${place}?q=op%3DLOAD+fanout%3E2&state=${last}&from=0`,
  ],
  ["difference of first and last state", `/api/v1/diff/${place}?from=0&to=${last}`],
  ["the last graph folded, laid out", `/api/v1/focus/${place}/${last}?fold=4`],
]) {
  const answer = await server.weigh(path, "zstd");
  console.log(`${what}: ${ms(answer.totalMs)}, ${mb(answer.bytes)}`);
}
const rulesFrom = performance.now();
const { rules, matches: allMatches } = await settle("/api/v1/rules");
console.log(`rules of ${allMatches} matches: ${ms(performance.now() - rulesFrom)}, ${rules.matches.length} rules`);
const whole = await server.weigh(`/ctxs?ctx=${largest.c}&idx=${largest.s}`, "identity", Number(limitS) * 1000);
const more = whole.whole ? "" : "more than ";
console.log(
  `the reference's stream, written by vizd: first byte ${ms(whole.firstMs)}, all ${more}${ms(whole.totalMs)}, ${more}${mb(whole.bytes)}`,
);
console.log(
  `bytes, reference / native: ${(whole.bytes / cold.bytes).toFixed(0)} packed, ${(whole.bytes / plain.bytes).toFixed(0)} unpacked`,
);
console.log(`resident after: ${(await server.memoryMb("VmRSS")).toFixed(0)} MB`);
await server.stop();
