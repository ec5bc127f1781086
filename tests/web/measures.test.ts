// What colours the graph: amounts from blue to red, and memories in the colours that the compiler's viewer gives them.
import assert from "node:assert/strict";
import { test } from "node:test";
import { colourOfMeasure, readMeasures, readMemories } from "../../web/src/lib/graph/measures";

test("a node has the colour of its memory, and none where it is not told", () => {
  const measure = readMemories({
    memories: [
      { name: "GLOBAL", colour: "#75bd7b" },
      { name: "REG", colour: "#e68181" },
    ],
    id: [3, 8, 9],
    memory: [0, 1, 0],
  });
  assert.equal(colourOfMeasure(measure, 3), "#75bd7b");
  assert.equal(colourOfMeasure(measure, 8), "#e68181");
  assert.equal(colourOfMeasure(measure, 4), null);
  assert.equal(measure.name, "memory");
});

test("amounts have colours of their own, the same for equal ones", () => {
  const [time] = readMeasures({ measures: [{ name: "time", unit: "ns", id: [1, 2, 3, 4], value: [5, 10, 10, null] }] });
  assert.notEqual(colourOfMeasure(time!, 1), colourOfMeasure(time!, 2));
  assert.equal(colourOfMeasure(time!, 2), colourOfMeasure(time!, 3));
  assert.equal(colourOfMeasure(time!, 4), null);
  assert.equal(time!.most, 10);
});
