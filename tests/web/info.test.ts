// Facts of a capture as text.
import assert from "node:assert/strict";
import { test } from "node:test";
import { valueText } from "../../web/src/views/info/facts";

test("a fact's value reads with its unit, bytes in the one that suits", () => {
  const read = (value: number | string, unit: string) => valueText({ subject: "", name: "", value, unit });
  assert.equal(read("550.54", ""), "550.54");
  assert.equal(read(81_600_000_000, "B"), "81.6 GB");
  assert.equal(read(1980, "MHz"), "1,980 MHz");
  assert.equal(read(132, ""), "132");
});
