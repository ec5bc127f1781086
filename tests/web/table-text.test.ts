// Tables as CSV, Markdown and tab-separated values.
import assert from "node:assert/strict";
import { test } from "node:test";
import { nameFile } from "../../web/src/lib/file-name";
import { formatTable, type Cell } from "../../web/src/lib/table-text";

const columns = [
  { id: "name", value: (row: Cell[]) => row[0]! },
  { id: "total_ns", value: (row: Cell[]) => row[1]! },
];

test("CSV quotes what it must, and keeps texts from being formulas", () => {
  const rows: Cell[][] = [
    ["plain", 12],
    ['a "b", c', -1],
    ["=cmd()", null],
    ["two\nlines", 0.5],
    ["-x", 1],
  ];
  assert.equal(
    formatTable("csv", columns, rows),
    `name,total_ns\nplain,12\n"a ""b"", c",-1\n'=cmd(),\n"two\nlines",0.5\n'-x,1\n`,
  );
});

test("Markdown keeps a row on a line and its signs as they are", () => {
  assert.equal(
    formatTable("markdown", columns, [
      ["a|b\nc", 1],
      ["<i>*x*", 2],
    ]),
    "| name | total_ns |\n| --- | ---: |\n| a\\|b c | 1 |\n| \\<i\\>\\*x\\* | 2 |\n",
  );
});

test("tab-separated values have no tabs of their own", () => {
  assert.equal(formatTable("tsv", columns, [["a\tb", 1]]), "name\ttotal_ns\na b\t1\n");
  assert.equal(formatTable("tsv", columns, [["=cmd()", -1]]), "name\ttotal_ns\n'=cmd()\t-1\n");
});

test("a table without rows has its heads", () => {
  assert.equal(formatTable("csv", columns, []), "name,total_ns\n");
  assert.equal(formatTable("markdown", columns, []), "| name | total_ns |\n| --- | --- |\n");
});

test("files are named by what they hold, on any system", () => {
  assert.equal(nameFile("ramp", "r_32/4\u0000: x"), "ramp-r_32-4-x");
  assert.equal(nameFile("../.."), "vizd");
  assert.equal(nameFile("ß 層"), "ß-層");
});
