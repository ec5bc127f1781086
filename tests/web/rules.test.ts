// The table of rules: rows, their order and filter, and the order in the URL.
import assert from "node:assert/strict";
import { test } from "node:test";
import { arrangeRows } from "../../web/src/lib/list-order";
import { textColumns } from "../../web/src/views/parts/table";
import { ruleColumns } from "../../web/src/views/rules/columns";
import { kFirstOrder, listRules, meanTime_ns, textOfRule } from "../../web/src/views/rules/rule-rows";
import type { WireRules } from "../../web/src/lib/graph/wire-history";

const kRules: WireRules = {
  revision: 1,
  matches: 30,
  rules: {
    location: [4, 2, 9],
    file: ["/x/symbolic.py", "/x/devectorizer.py", "/x/symbolic.py"],
    line: [187, 64, 12],
    code: ["  lambda x,c1,c2: x*(c1*c2)", null, "x+0 -> x"],
    matches: [20, 9, 1],
    added: [5, 50, 0],
    removed: [10, 0, 1],
    unchanged: [0, 2, 0],
    undone: [3, 0, 0],
    undoing: [0, 3, 0],
    dur_ns: [2000, 9000, 500],
    passes: [4, 2, 1],
    contexts: [2, 2, 1],
  },
  undoes: [],
};
const rows = listRules(kRules);
const names = (text: string, order = kFirstOrder) =>
  arrangeRows(rows, textColumns(ruleColumns(rows)), order, text, textOfRule).map((row) => row.name);

test("rules come by matches, and by any column both ways", () => {
  assert.deepEqual(names(""), ["symbolic.py:187", "devectorizer.py:64", "symbolic.py:12"]);
  assert.equal(names("", { column: "added", descending: true })[0], "devectorizer.py:64");
  assert.equal(names("", { column: "removed", descending: false })[0], "devectorizer.py:64");
  assert.equal(names("", { column: "time", descending: true })[0], "devectorizer.py:64");
  assert.equal(names("", { column: "each", descending: false })[0], "symbolic.py:187");
  assert.deepEqual(names("", { column: "name", descending: false }), [
    "devectorizer.py:64",
    "symbolic.py:12",
    "symbolic.py:187",
  ]);
});

test("the filter wants all words, in the location or the source line", () => {
  assert.deepEqual(names("SYMBOLIC c1"), ["symbolic.py:187"]);
  assert.deepEqual(names("py:64"), ["devectorizer.py:64"]);
  assert.deepEqual(names("nowhere"), []);
});

test("a capture without times has none on average either", () => {
  const timeless = listRules({ ...kRules, rules: { ...kRules.rules, dur_ns: null } });
  assert.equal(meanTime_ns(timeless[0]!), 0);
  assert.equal(meanTime_ns(rows[0]!), 100);
});
