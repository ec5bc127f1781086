import assert from "node:assert/strict";
import { test } from "node:test";
import { inOrderOfSending } from "../../web/src/lib/dropped";

test("what names the kernels of a trace is sent before it, whether it lies in a folder or beside", () => {
  const order = (paths: string[]) =>
    inOrderOfSending(paths.map((path) => ({ file: new File([], path.split("/").pop()!), path }))).map(
      ({ path }) => path,
    );
  assert.deepEqual(order(["run/trace.json", "run/capture_traces/bs_4.json"]), [
    "run/capture_traces/bs_4.json",
    "run/trace.json",
  ]);
  assert.deepEqual(order(["a.json", "kernel_annotations_rank0.json", "b.json"]), [
    "kernel_annotations_rank0.json",
    "a.json",
    "b.json",
  ]);
});
