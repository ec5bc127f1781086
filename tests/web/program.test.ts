// Reading a program's machine code, and aligning two programs.
import assert from "node:assert/strict";
import { test } from "node:test";
import { alignLines } from "../../web/src/views/program/align-lines";
import { homeCamera, pathOfEdge, placesOfBlocks } from "../../web/src/views/program/flow-graph";
import { findProgram, formatOther, parseOther } from "../../web/src/views/program/program-choice";
import {
  countKinds,
  cutOperands,
  findInstructions,
  innermostLoop,
  partOfLoop,
  type WireCode,
} from "../../web/src/views/program/code";
import type { WireContext } from "../../web/src/lib/wire";

function makeCode(): WireCode {
  return {
    instructions: {
      address: [0, 2, 9],
      bytes: ["31c0", "03040f", "c3"],
      mnemonic: ["xor", "add", "ret"],
      operands: ["eax, eax", "eax, dword ptr [rdi + rcx*4]", ""],
      kind: [6, 6, 8],
      line: [1, 2, 3],
      reads: [[], ["rax", "rdi", "rcx"], []],
      writes: [["rax"], ["rax"], []],
      memory: [[], [{ base: "rdi", index: "rcx", scale: 4, displacement: 0, size_bytes: 4, access: "r" }], []],
      target: [-1, -1, -1],
    },
    families: { eax: "rax" },
    blocks: { first: [0, 1, 2], count: [1, 1, 1], loop: [-1, 0, -1], depth: [0, 1, 0] },
    loops: { head: [1], parent: [-1], depth: [1], blocks: [[1]] },
  } as unknown as WireCode;
}

test("operands are cut into registers by family, and memory is known", () => {
  const pieces = cutOperands(makeCode(), 1);
  assert.equal(pieces.map((p) => p.text).join(""), "eax, dword ptr [rdi + rcx*4]");
  assert.deepEqual(
    pieces.filter((p) => p.family !== "").map((p) => [p.text, p.family, p.inMemory]),
    [
      ["eax", "rax", false],
      ["rdi", "rdi", true],
      ["rcx", "rcx", true],
    ],
  );
});

test("the mix counts what is run: padding is not", () => {
  const code = { ...makeCode(), kinds: ["a", "b", "c", "d", "e", "f", "integer", "g", "branch"] };
  code.blocks.padding = [0, 0, 1];
  assert.deepEqual(countKinds(code), [{ kind: 6, count: 2 }]);
});

test("the innermost loop is what is analysed first", () => {
  const code = makeCode();
  assert.equal(innermostLoop(code), 0);
  assert.deepEqual(partOfLoop(code, 0), { first: 1, count: 1 });
  assert.equal(partOfLoop(code, 7), null);
});

test("instructions are found by address, name and operands", () => {
  assert.deepEqual(findInstructions(makeCode(), "DWORD ptr"), [1]);
  assert.deepEqual(findInstructions(makeCode(), "0009"), [2]);
  assert.deepEqual(findInstructions(makeCode(), " "), []);
});

test("every line of both texts is aligned once, in order", () => {
  const texts = ["", "a", "abc", "abxc", "xabc", "cab", "aabbcc", "zzz", "abcabba", "cbabac"].map((t) => [...t]);
  for (const left of texts) {
    for (const right of texts) {
      const lines = alignLines(left, right);
      const sides = (side: "left" | "right") => lines.map((line) => line[side]).filter((i) => i >= 0);
      assert.deepEqual(sides("left"), [...left.keys()]);
      assert.deepEqual(sides("right"), [...right.keys()]);
      for (const line of lines) if (line.isSame) assert.equal(left[line.left], right[line.right]);
    }
  }
});

test("as many lines as can be are the same", () => {
  const same = (a: string, b: string) => alignLines([...a], [...b]).filter((line) => line.isSame).length;
  assert.equal(same("abcabba", "cbabac"), 4);
  assert.equal(same("abcdef", "abXdef"), 5);
  assert.equal(same("abc", "abc"), 3);
  assert.equal(same("abc", "xyz"), 0);
});

test("the other program of a comparison is read as it is written", () => {
  for (const context of [null, "same" as const, { index: 3, name: "r_16_10" }]) {
    const other = { capture: "a|b", context };
    assert.deepEqual(parseOther(formatOther(other)), other);
  }
  assert.equal(parseOther(undefined), null);
  assert.equal(parseOther("no bar"), null);
  assert.deepEqual(parseOther("b|nonsense"), { capture: "b", context: null });
});

test("the same kernel of another capture is the nearest of its name that made a program", () => {
  const made = (name: string, program: boolean) => ({ name, program }) as WireContext;
  const contexts = [made("E_4", false), made("\u001b[34mE_4\u001b[0m", true), made("r_2", true), made("E_4", true)];
  assert.equal(findProgram(contexts, { index: 0, name: "E_4" }), 1);
  assert.equal(findProgram(contexts, { index: 3, name: "E_4" }), 3);
  assert.equal(findProgram(contexts, { index: 0, name: "gone" }), null);
  assert.equal(findProgram(contexts, { index: 0, name: "" }), null);
});

test("edges lead from box to box, and a block that leads to itself has a way around", () => {
  const code = {
    layout: {
      block: [0, 2],
      x: [0, 10],
      y: [0, 100],
      w: [50, 40],
      h: [30, 30],
      points: [[25, 30, 30, 100], []],
      reversed: [0, 0],
      width: 60,
      height: 130,
    },
    edges: { from: [0, 2], to: [2, 2], jump: [0, 1], back: [0, 1] },
    blocks: { first: [0, 1, 2] },
  } as unknown as WireCode;
  const places = placesOfBlocks(code);
  assert.deepEqual([...places], [0, -1, 1]);
  assert.equal(pathOfEdge(code, 0, places), "M25,30 C25,65 30,65 30,100");
  assert.match(pathOfEdge(code, 1, places), /^M26,130 .* V100$/);
  // A graph that fits is shown whole, one that does not by its entry.
  assert.equal(homeCamera(code, { width: 400, height: 400 }).zoom, 1);
  const entry = homeCamera({ layout: { ...code.layout, height: 5000 } }, { width: 400, height: 400 });
  assert.deepEqual(entry, { x: 25, y: 168, zoom: 1 });
});
