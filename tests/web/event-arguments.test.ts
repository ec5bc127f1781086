// Arguments of events that hold more than a number or a text: fields, and the stack that something was called from.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fieldsOf, formatField, readFrames } from "../../web/src/lib/timeline/arguments";

const argument = (value: string | number) => ({ name: "details", unit: "", value });

test("an argument that is an object has its fields, and any other has none", () => {
  const fields = fieldsOf(argument('{"B/s": 12345, "metadata": "copy", "shape": [2, 3]}'));
  assert.deepEqual(
    fields?.map(([name, value]) => `${name} ${formatField(value)}`),
    ["B/s 12,345", "metadata copy", "shape [2,3]"],
  );
  for (const value of ["{not JSON}", "copy", 7]) assert.equal(fieldsOf(argument(value)), null);
});

test("where it was called from is a stack, the innermost first; what is none is not taken for one", () => {
  const [[, tb]] = fieldsOf(argument('{"tb": [["a.py", 3, "f", "f()"], ["b.py", 9, "g", null]]}'))! as [
    [string, unknown],
  ];
  assert.deepEqual(readFrames(tb), [
    { file: "a.py", line: 3, name: "f", code: "f()" },
    { file: "b.py", line: 9, name: "g", code: null },
  ]);
  for (const other of [[], [2, 3], [["a.py", "3", "f"]], "a.py", null]) assert.equal(readFrames(other), null);
});
