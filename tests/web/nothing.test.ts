// Which kind of nothing a view has to show.
import assert from "node:assert/strict";
import { test } from "node:test";
import { sayNothing } from "../../web/src/lib/nothing";

const kRecorded = { not_recorded: { device_work: { why: "no work of a device", how: "record kernels too" } } };

test("what was not recorded is said with what records it, before the scope is blamed", () => {
  assert.equal(
    sayNothing(kRecorded, "device_work", "step 3", "None."),
    "Not recorded: no work of a device; record kernels too.",
  );
});

test("what lies outside of the scope was not asked for, and what is left is none", () => {
  assert.equal(sayNothing(kRecorded, "allocations", "step 3", "None."), "Nothing in this scope (step 3).");
  assert.equal(sayNothing(kRecorded, "allocations", "", "None."), "None.");
  assert.equal(sayNothing(null, "device_work", "", "None."), "None.");
});
