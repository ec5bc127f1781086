import assert from "node:assert/strict";
import { test } from "node:test";
import { parseAnsi, splitLines, stripAnsi } from "../../web/src/lib/ansi";
import { groupDiff } from "../../web/src/lib/graph/diff-lines";
import { cutIntoChunks, tokenise } from "../../web/src/lib/highlight";
import { kMaxColumns, kMaxLines, layOutLabel } from "../../web/src/lib/graph/label";
import { formatCount, formatDuration, formatPlural, nameOfPath } from "../../web/src/lib/text";

test("colours of a terminal become runs", () => {
  const runs = parseAnsi("r_\u001b[34m32\u001b[0m_\u001b[91;1m4\u001b[m");
  assert.deepEqual(
    runs.map(({ text, colour, bold }) => [text, colour, bold]),
    [
      ["r_", -1, false],
      ["32", 4, false],
      ["_", -1, false],
      ["4", 9, true],
    ],
  );
});

test("other escapes and cut ones are left out", () => {
  assert.equal(stripAnsi("a\u001b[2Kb\u001b[?25lc"), "abc");
  assert.equal(stripAnsi("a\u001b"), "a");
  assert.deepEqual(parseAnsi(""), []);
});

test("lines of runs keep empty lines", () => {
  const lines = splitLines(parseAnsi("a\n\n\u001b[31mb\nc"));
  assert.deepEqual(
    lines.map((line) => line.map((run) => run.text)),
    [["a"], [], ["b"], ["c"]],
  );
});

test("labels are clipped by the server's rule", () => {
  const whole = "x".repeat(kMaxColumns);
  assert.equal(join(layOutLabel(whole)[0]!), whole);
  assert.equal(join(layOutLabel(`${whole}x`)[0]!), `${"x".repeat(kMaxColumns - 1)}…`);
  const tall = Array.from({ length: kMaxLines + 1 }, (_, i) => `${i}`).join("\n");
  const lines = layOutLabel(tall);
  assert.equal(lines.length, kMaxLines);
  assert.equal(join(lines[kMaxLines - 1]!), "…");
});

test("the label of a rewrite that raised shows its traceback", () => {
  const traceback = Array.from({ length: 30 }, () => "x".repeat(80)).join("\n");
  const lines = layOutLabel(`REWRITE_ERROR\n${traceback}`).map(join);
  assert.deepEqual(lines, ["REWRITE_ERROR", ...traceback.split("\n")]);
  assert.equal(layOutLabel(`REWRITE_ERRORS\n${traceback}`).length, kMaxLines);
});

test("wide characters take two columns", () => {
  const [line] = layOutLabel("好\u001b[31mx");
  assert.deepEqual(
    line!.map((run) => [run.text, run.column]),
    [
      ["好", 0],
      ["x", 2],
    ],
  );
  assert.equal(join(layOutLabel("好".repeat(40))[0]!), `${"好".repeat(31)}…`);
});

test("a diff is grouped by what its lines say", () => {
  const blocks = groupDiff(["@@ 7 lines unchanged @@", "-old", "+new", "+newer", "~moved", " same"]);
  assert.deepEqual(
    blocks.map((block) => [block.kind, block.lines.length]),
    [
      ["place", 1],
      ["removed", 1],
      ["added", 2],
      ["moved", 1],
      ["same", 1],
    ],
  );
  assert.deepEqual(groupDiff([]), []);
});

test("source is cut into tokens that together are the source", () => {
  const source = 'void k(float* a) { // x\n  a[0] = 1.5f + "s\\"t"; /* y\n */ }';
  const tokens = tokenise(source, "c");
  assert.equal(tokens.map((t) => t.text).join(""), source);
  const kinds = new Map(tokens.map((t) => [t.text, t.kind]));
  assert.equal(kinds.get("void"), "keyword");
  assert.equal(kinds.get("1.5f"), "number");
  assert.equal(kinds.get('"s\\"t"'), "string");
  assert.equal(kinds.get("/* y\n */"), "comment");
  assert.equal(tokenise("lambda x: x # y", "python")[0]!.kind, "keyword");
  assert.deepEqual(tokenise("int", "plain"), [{ text: "int", kind: "plain" }]);
});

test("chunks of a long text together are the text", () => {
  const text = `${Array.from({ length: 250 }, (_, i) => `line ${i}`).join("\n")}\nno end`;
  const chunks = cutIntoChunks(text, 100);
  assert.deepEqual(
    chunks.map((chunk) => chunk.lines),
    [100, 100, 51],
  );
  assert.equal(chunks.map((chunk) => chunk.text).join(""), text);
  assert.deepEqual(cutIntoChunks("", 100), []);
});

test("numbers are written with three digits and their unit", () => {
  assert.equal(formatCount(1240), "1,240");
  assert.equal(formatPlural(1, "node"), "1 node");
  assert.equal(formatPlural(2, "match", "matches"), "2 matches");
  assert.equal(formatDuration(812), "812 ns");
  assert.equal(formatDuration(8123), "8.12 µs");
  assert.equal(formatDuration(999_960), "1000 µs");
  assert.equal(formatDuration(1_500_000), "1.50 ms");
  assert.equal(formatDuration(2.1e9), "2.10 s");
  assert.equal(nameOfPath("/a/b/c.py"), "c.py");
  assert.equal(nameOfPath("c.py"), "c.py");
});

function join(runs: readonly { text: string }[]): string {
  return runs.map((run) => run.text).join("");
}
