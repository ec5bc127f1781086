// Queries and answers in the SQL view, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { AskedQueries } from "../../web/src/views/parts/sql/asked-queries";
import { chartOf, groupDigits, isNumber, numberColumns, textOfValue } from "../../web/src/views/parts/sql/answer";
import { applySuggestion, completeSql, placeOfCaret } from "../../web/src/views/parts/sql/completion";
import { makeTicks, spread } from "../../web/src/views/parts/sql/scale";
import type { WireRows, WireSchema } from "../../web/src/views/parts/sql/wire";
import { timeOfRow } from "../../web/src/views/fleet/job-sql";
import { linkOfRow } from "../../web/src/views/sql/row-link";

const columns = (...names: string[]) => names.map((name) => ({ name, about: `of ${name}` }));
const schema: WireSchema = {
  tables: [
    { name: "slice", about: "Events", columns: columns("id", "ts", "dur", "name") },
    { name: "track", about: "Tracks", columns: columns("id", "name", "path") },
  ],
  functions: [{ call: "EXTRACT_ARG(arg_set_id, key)", about: "" }],
  examples: [],
};
const suggested = (text: string) => completeSql(text, text.length, schema)?.suggestions.map((s) => s.text) ?? null;

test("tables are offered after FROM and JOIN, columns after an alias", () => {
  assert.deepEqual(suggested("SELECT * FROM "), ["slice", "track"]);
  assert.deepEqual(suggested("SELECT * FROM slice JOIN tr"), ["track"]);
  assert.deepEqual(suggested("SELECT * FROM slice s WHERE s."), ["id", "ts", "dur", "name"]);
  assert.deepEqual(suggested("SELECT * FROM slice AS s JOIN track t ON t.p"), ["path"]);
  assert.deepEqual(suggested("SELECT * FROM slice WHERE slice.d"), ["dur"]);
  assert.deepEqual(suggested("SELECT id, name FROM slice s WHERE s.d"), ["dur"]);
  assert.equal(suggested("SELECT * FROM slice s WHERE x."), null);
});

test("columns of the query's tables go before functions and words", () => {
  assert.deepEqual(suggested("SELECT * FROM slice WHERE d"), ["dur", "DISTINCT", "DESC"]);
  assert.deepEqual(suggested("SELECT extr"), ["EXTRACT_ARG"]);
  assert.deepEqual(suggested("SEL"), ["SELECT"]);
});

test("nothing is offered in texts and comments, for an alias, or for what is whole", () => {
  assert.equal(suggested("SELECT 'sl"), null);
  assert.deepEqual(suggested("SELECT 'it''s' FROM sl"), ["slice"]);
  assert.equal(suggested("-- FROM sl"), null);
  assert.equal(suggested("// FROM sl"), null);
  assert.equal(suggested("SELECT * FROM slice s"), null);
  assert.equal(suggested("SELECT "), null);
  assert.equal(suggested("SELECT * FROM slice WHERE path"), null);
});

test("a suggestion takes the place of what was typed", () => {
  const text = "SELECT na FROM slice";
  const completion = completeSql(text, 9, schema)!;
  assert.deepEqual(applySuggestion(text, 9, completion.from, "name"), { text: "SELECT name FROM slice", caret: 11 });
  assert.deepEqual(placeOfCaret("a\nbc\nd", 4), { line: 1, column: 2 });
});

const answer = (names: string[], rows: WireRows["rows"]): WireRows => ({
  columns: names,
  rows,
  whole: true,
  took_us: 1,
});

test("an answer with two columns of numbers is a chart, ids aside", () => {
  const chart = chartOf(
    answer(
      ["id", "ts", "bytes"],
      [
        [1, 10, 5],
        [2, ["9007199254740993"], null],
        [3, 20, 7],
      ],
    ),
  );
  assert.deepEqual(chart, {
    x: "ts",
    y: "bytes",
    points: [
      { x: 10, y: 5, row: 0 },
      { x: 20, y: 7, row: 2 },
    ],
  });
  assert.equal(chartOf(answer(["a", "b"], [[1, 2]])), null);
  assert.equal(
    chartOf(
      answer(
        ["a", "b", "c"],
        [
          [1, 2, 3],
          [1, 2, 3],
        ],
      ),
    ),
    null,
  );
  assert.equal(
    chartOf(
      answer(
        ["a", "b"],
        [
          [1, "x"],
          [2, 3],
        ],
      ),
    ),
    null,
  );
  assert.deepEqual(
    numberColumns(
      answer(
        ["a", "b", "c"],
        [
          [null, 1, "x"],
          [null, null, null],
        ],
      ),
    ),
    [1],
  );
});

test("whole numbers keep their digits", () => {
  assert.equal(textOfValue(["-9007199254740993"]), "-9007199254740993");
  assert.equal(groupDigits("-9007199254740993"), "-9,007,199,254,740,993");
  assert.equal(groupDigits("1234"), "1234");
  assert.equal(groupDigits("12345.678"), "12,345.678");
  assert.equal(groupDigits("1e+300"), "1e+300");
});

test("arrays of a store's are values of their own, but for those that hold a number's digits", () => {
  assert.equal(textOfValue([1, null, "a", ["9007199254740993"]]), "[1, null, a, 9007199254740993]");
  assert.equal(textOfValue(["a"]), "[a]");
  assert.equal(isNumber(["12"]), true);
  assert.equal(isNumber(["a"]), false);
  assert.equal(isNumber([1, 2]), false);
});

test("a row of a store with a rank and a time leads there, to the nanosecond", () => {
  const rows = answer(["rank", "ts", "dur", "job"], [[3, ["1780000000000000123"], 7, "other"]]);
  assert.deepEqual(timeOfRow(rows, 0, "job"), { job: "other", rank: 3, ts: 1780000000000000123n, dur: 7n });
  assert.deepEqual(timeOfRow(answer(["ts", "rank"], [[5, 0]]), 0, "job"), { job: "job", rank: 0, ts: 5n, dur: 0n });
  assert.equal(timeOfRow(answer(["rank", "dur"], [[3, 7]]), 0, "job"), null);
  assert.equal(timeOfRow(answer(["rank", "ts"], [[3, 7.5]]), 0, "job"), null);
  assert.equal(timeOfRow(answer(["rank", "ts"], [[null, 7]]), 0, "job"), null);
});

test("a row leads to what it names", () => {
  assert.equal(linkOfRow(null), null);
  const slice = linkOfRow({ slice: { lane: "a/b", index: 3, start_ns: 1000, dur_ns: 10, name: "k" } })!;
  assert.equal(slice.view, "timeline");
  assert.equal(slice.keys["event"], "a/b|@3.1000|k");
  const match = linkOfRow({ context: [2, "E_4"], pass: [1, "x"], match: 7 })!;
  assert.deepEqual(match, { view: "rewrites", keys: { context: "2:E_4", pass: "1:x", match: "7" } });
  const node = linkOfRow({ context: [2, "E_4"], pass: [1, "x"], node: 5 }, 3)!;
  assert.deepEqual(node.keys, { context: "2:E_4", pass: "1:x", match: "3", node: "5" });
  assert.deepEqual(linkOfRow({ rule: ["a.py", 3] })!.keys, { rule: "a.py:3" });
  assert.equal(linkOfRow({ time: [5000, 9000] })!.view, "timeline");
  assert.equal(linkOfRow({ program_of: [0, "E_4"] })!.view, "program");
});

test("ticks are round and within the range", () => {
  assert.deepEqual(makeTicks(0, 10, 5), [0, 2, 4, 6, 8, 10]);
  assert.deepEqual(makeTicks(3, 3, 5), [3]);
  assert.deepEqual(makeTicks(0.1, 0.45, 4), [0.1, 0.2, 0.30000000000000004, 0.4]);
  assert.equal(spread([5], 0, 100).at(5), 50);
  assert.equal(spread([0, 10], 0, 100).at(2.5), 25);
});

test("a query was asked once it was run in this tab, as it stands, whatever is stored", () => {
  const stored = new Map<string, string>();
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (k: string, v: string) => stored.set(k, v),
  };
  const asked = new AskedQueries("sql", storage as unknown as Storage);
  assert.equal(asked.has("SELECT 1"), false);
  asked.add("SELECT 1");
  assert.equal(asked.has("SELECT 1"), true);
  assert.equal(asked.has("SELECT 1 "), false);
  const reloaded = new AskedQueries("sql", storage as unknown as Storage);
  assert.equal(reloaded.has("SELECT 1"), true);
  assert.equal(new AskedQueries("jobsql", storage as unknown as Storage).has("SELECT 1"), false);
  for (let i = 0; i < 200; i++) reloaded.add(`SELECT ${i}`);
  assert.equal(reloaded.has("SELECT 1"), false);
  assert.equal(reloaded.has("SELECT 199"), true);
  stored.set("vizd.sql.asked", "{broken");
  assert.equal(new AskedQueries("sql", storage as unknown as Storage).has("SELECT 199"), false);
});
