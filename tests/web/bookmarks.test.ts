// Bookmarks: kept by name, read from anything, taken along as a file.
import assert from "node:assert/strict";
import { test } from "node:test";
import { addBookmarks, formatBookmarks, readBookmarks, type Bookmark } from "../../web/src/lib/bookmarks";

const make = (name: string, capture = "ramp"): Bookmark => ({ capture, name, note: "n", place: "#view=rules" });

test("what is written is read again, and only one capture's", () => {
  const all = [make("a"), make("b", "other"), make("c")];
  const text = formatBookmarks("ramp", all);
  assert.deepEqual(readBookmarks(JSON.parse(text)), [make("a"), make("c")]);
});

test("what is no bookmark is left out, and a place brings no token", () => {
  for (const stored of [undefined, null, 3, {}, { bookmarks: 3 }, [null, 1, { name: "x" }]])
    assert.deepEqual(readBookmarks(stored), []);
  const [read] = readBookmarks([{ capture: "c", name: "n", place: "#token=secret&view=timeline&time=1..2", note: 5 }]);
  assert.deepEqual(read, { capture: "c", name: "n", note: "", place: "#view=timeline&time=1..2" });
});

test("a name is used once a capture", () => {
  const all = addBookmarks([make("a"), make("b")], [{ ...make("a"), note: "new" }, make("a", "other")]);
  assert.deepEqual(
    all.map(({ capture, name, note }) => [capture, name, note]),
    [
      ["ramp", "b", "n"],
      ["ramp", "a", "new"],
      ["other", "a", "n"],
    ],
  );
});
