// Kernels' names in lists: folded to what tells them apart, the same on the page and in the terminal.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";
import { cutRunsToFit, parseAnsi } from "../../web/src/lib/ansi";
import { shortenName, shortenNames } from "../../web/src/lib/kernel-name";

const top = process.env.VIZD_TOP ?? process.cwd();
const kTraces = join(top, "../shared/samples/kineto");

test("a list of names from real captures is shortened as the terminal shortens it", () => {
  const lines = readFileSync(join(top, "tests/data/kernel-names.tsv"), "utf8").trimEnd().split("\n");
  const rows = lines.map((line) => line.split("\t") as [text: string, name: string]);
  const texts = shortenNames(rows.map(([, name]) => name));
  for (const [text, name] of rows) assert.equal(texts.get(name), text);
});

test("what tells a kernel apart is kept, what all have is folded", () => {
  const add = (type: string) =>
    `void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<${type}>, std::array<char*, 3ul> >` +
    `(int, at::native::CUDAFunctor_add<${type}>, std::array<char*, 3ul>)`;
  assert.equal(shortenName(add("c10::BFloat16")), "vectorized_elementwise_kernel<4, CUDAFunctor_add<BFloat16>…>");
  const texts = shortenNames([add("c10::BFloat16"), add("float")]);
  assert.equal(texts.get(add("float")), "vectorized_elementwise_kernel<4, CUDAFunctor_add<float>…>");
  for (const name of ["aten::add", "r_\u001b[34m32\u001b[0m_4", "Memcpy HtoD (Pageable -> Device)", "CPU -> GPU"])
    assert.equal(shortenName(name), name);
});

test("names that would look alike keep as much as tells them apart, and others are not touched by that", () => {
  const copy = (operands: number) => `void at::copy<at::Copy<float>, std::array<char*, ${operands}> >(int)`;
  assert.equal(shortenName(copy(2)), "copy<Copy<float>…>");
  const texts = shortenNames([copy(2), copy(3), "void at::fill<std::array<char*, 1> >(int)", copy(2)]);
  assert.deepEqual(
    [...texts.values()],
    ["copy<Copy<float>, array<char*, 2>>", "copy<Copy<float>, array<char*, 3>>", "fill<…>"],
  );
  const overloads = ["void f(int*)", "void f(float*)", "f"];
  assert.deepEqual([...shortenNames(overloads).values()], overloads);
});

test("no name is too long or too deep", () => {
  for (const name of [
    `void ${"a<".repeat(3000)}`,
    `void ${"a<".repeat(1_000_000)}`,
    `f${"<".repeat(4000)}(*)`,
    "void ",
    "",
  ]) {
    assert.ok(shortenName(name).length <= name.length);
  }
});

test("distinct names of a real capture stay distinct, and most become short", { skip: !existsSync(kTraces) }, () => {
  interface Trace {
    traceEvents: { name: string; cat?: string }[];
  }
  for (const file of readdirSync(kTraces)) {
    const wire = JSON.parse(gunzipSync(readFileSync(join(kTraces, file))).toString()) as Trace;
    const names = wire.traceEvents.flatMap(({ name, cat }) =>
      typeof name === "string" && cat !== undefined ? [name] : [],
    );
    const texts = shortenNames(names);
    assert.equal(texts.size, new Set(names).size);
    assert.equal(new Set(texts.values()).size, texts.size, file);
    const signatures = [...texts].filter(([name]) => name.startsWith("void "));
    const long = signatures.filter(([, text]) => text.length > 120);
    assert.ok(long.length <= signatures.length / 5, `${file}: ${long.length} of ${signatures.length} are long`);
  }
});

test("a name cut in the middle keeps its colours, its beginning and its end", () => {
  const runs = parseAnsi("r_\u001b[34m1024\u001b[0m_\u001b[31m2048\u001b[0mn1");
  const text = (cut: ReturnType<typeof cutRunsToFit>) => cut.map((run) => run.text).join("");
  assert.equal(text(cutRunsToFit(runs, 13)), "r_1024_2048n1");
  assert.equal(text(cutRunsToFit(runs, 8)), "r_102…n1");
  assert.equal(cutRunsToFit(runs, 8)[1]!.colour, 4);
  assert.equal(text(cutRunsToFit(runs, 3)), "r_…");
  assert.equal(text(cutRunsToFit(parseAnsi("decode · 32 requests · 32 tokens"), 12)), "decode · 32…");
});
