// The scope: in the URL, in requests, in words; and where old links lead.
import assert from "node:assert/strict";
import { test } from "node:test";
import { renewPlace } from "../../web/src/lib/old-places";
import { changeKeys, parsePlace } from "../../web/src/lib/place";
import {
  formatScope,
  kNoScope,
  lastPart,
  linkWithScope,
  listParts,
  parseScope,
  pathInScope,
  queryOfScope,
  sayScope,
  scopeOfDevice,
  scopeOfKernel,
  type Scope,
} from "../../web/src/lib/scope";
import type { WireKernel } from "../../web/src/lib/devices";
import { addCondition, conditionOfScope } from "../../web/src/lib/scope-sql";
import { scopeOfRun, timeOfScope, type Run } from "../../web/src/lib/timeline/runs";
import { pathOfTrace } from "../../web/src/lib/trace-file";

const kScope: Scope = { step: 12, rank: "3", device: "0", range: { from: 500, to: 1500 }, kernel: "gemm<4, A&B>" };

test("a scope survives the URL, and what makes no sense is none", () => {
  const keys = changeKeys({ match: "4" }, formatScope(kScope));
  assert.deepEqual(parseScope(keys), kScope);
  assert.deepEqual(parseScope(changeKeys(keys, formatScope(kNoScope))), kNoScope);
  assert.deepEqual(parseScope({ "scope.step": "twelve", "scope.range": "9..3", "scope.rank": "" }), kNoScope);
  assert.equal(parseScope({ "scope.step": "-1" }).step, -1);
});

test("a change keeps the parts that it does not name", () => {
  assert.deepEqual(formatScope({ step: 3 }), { "scope.step": "3" });
  const link = linkWithScope({ view: "timeline", keys: { time: "1..2" } }, { step: 3, range: null });
  assert.deepEqual(link.keys, { time: "1..2", "scope.step": "3", "scope.range": null });
});

test("requests have its parts as the server's parameters", () => {
  const query = queryOfScope(kScope);
  assert.equal(query, "&step=12&rank=3&device=0&from=500&to=1500&kernel=gemm%3C4%2C%20A%26B%3E");
  assert.equal(pathInScope("/api/v1/devices", query), `/api/v1/devices?${query.slice(1)}`);
  assert.equal(pathInScope("/api/v1/kernels?group=name", "&step=12"), "/api/v1/kernels?group=name&step=12");
  assert.equal(pathInScope("/api/v1/devices", ""), "/api/v1/devices");
  assert.equal(queryOfScope(kNoScope), "");
});

test("a trace file is of the step and the time alone", () => {
  const path = pathOfTrace({ id: "c1" }, kScope, "chrome");
  assert.equal(path, "/api/v1/trace?to_format=chrome&step=12&from=500&to=1500&capture=c1");
});

test("it is said in words, part by part", () => {
  assert.equal(sayScope({ ...kScope, kernel: null }), "step 12, rank 3, GPU 0, 500 ns … 1.500 µs");
  assert.equal(sayScope({ ...kNoScope, device: "TPU 2" }), "TPU 2");
  assert.equal(sayScope(kNoScope), "");
  assert.deepEqual(listParts({ ...kNoScope, kernel: "k", step: 0 }), ["step", "kernel"]);
});

test("Escape takes the part away that was chosen last", () => {
  const keys = changeKeys(changeKeys({}, formatScope({ rank: "3" })), formatScope({ step: 12 }));
  assert.equal(lastPart(parseScope(keys), keys), "step");
  const rest = changeKeys(keys, formatScope({ step: null }));
  assert.equal(lastPart(parseScope(rest), rest), "rank");
  assert.equal(lastPart(kNoScope, {}), null);
});

test("rows about devices name parts of a scope", () => {
  assert.deepEqual(scopeOfDevice({ rank: 3, device: 0 }), { rank: "3", device: "0" });
  assert.deepEqual(scopeOfDevice({ rank: null, device: "CPU" }), { device: "CPU" });
  const row = { name: "\u001b[32mE_4\u001b[0m", rank: 1, device: null } as unknown as WireKernel;
  assert.deepEqual(scopeOfKernel(row, "name"), { kernel: "E_4" });
  assert.deepEqual(scopeOfKernel(row, "rank"), { rank: "1" });
  assert.equal(scopeOfKernel(row, "family"), null);
});

test("the time of a step is from its first rank's beginning to its last one's end", () => {
  const run = (kind: string, number: number, from: number, to: number): Run => ({ kind, name: "", number, from, to });
  const runs = [run("step", 1, 0, 100), run("step", 2, 100, 200), run("step", 2, 110, 230), run("call", 2, 0, 9)];
  assert.deepEqual(timeOfScope(runs, { step: 2, range: null }), { from: 100, to: 230 });
  assert.deepEqual(timeOfScope(runs, { step: 2, range: { from: 150, to: 900 } }), { from: 150, to: 230 });
  assert.deepEqual(timeOfScope(runs, { step: null, range: { from: 1, to: 2 } }), { from: 1, to: 2 });
  assert.equal(timeOfScope(runs, { step: 9, range: null }), null);
  assert.deepEqual(scopeOfRun(runs[1]!), { step: 2, range: null });
  assert.deepEqual(scopeOfRun(runs[3]!), { step: null, range: { from: 0, to: 9 } });
});

test("old links lead to where things are now", () => {
  const renewed = (fragment: string) => renewPlace(parsePlace(fragment));
  assert.deepEqual(renewed("view=kernels&shown=tree&kernels=gemm"), {
    view: "call-tree",
    capture: null,
    keys: { calltext: "gemm" },
  });
  assert.equal(renewed("shown=sequences").view, "sequences");
  assert.equal(renewed("view=kernels&shown=collectives&capture=a").view, "collectives");
  assert.equal(renewed("view=kernels&kernels=gemm").view, "kernels");
  assert.equal(renewed("view=rules&shown=tree").view, "rules");
});

test("SQL gets it as a condition, before those that it has", () => {
  const range = conditionOfScope({ ...kNoScope, range: { from: 5, to: 9 }, kernel: "it's" });
  assert.equal(range, "ts - TRACE_START() >= 5\n  AND ts - TRACE_START() < 9\n  AND name = 'it''s'");
  assert.match(conditionOfScope({ ...kNoScope, step: 3 }), /^ts >= \(SELECT min\(ts\) FROM run .*number = 3\)/);
  assert.equal(addCondition("SELECT 1 FROM slice", "a"), "SELECT 1 FROM slice\nWHERE a");
  assert.equal(addCondition("SELECT 1 FROM slice\nORDER BY ts;", "a"), "SELECT 1 FROM slice\nWHERE a\nORDER BY ts");
  assert.equal(
    addCondition("SELECT (SELECT 1 WHERE 2), 'where' FROM slice where dur > 1 LIMIT 9", "a"),
    "SELECT (SELECT 1 WHERE 2), 'where' FROM slice where a\n  AND dur > 1 LIMIT 9",
  );
});
