// A report answers in the server's place: by what stands in the page, and plainly where it has nothing.
import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { createReportApi } from "../../web/src/lib/api";
import { nameQuestion, openReport, type Report } from "../../web/src/lib/report";
import { readEvents } from "../../web/src/lib/sse";

type Answer = [question: string, status: number, type: string, text: string];

const packed = (bytes: Uint8Array | string) => gzipSync(bytes).toString("base64");

/** As the server writes it: texts by the ids of elements. */
function writeReport(packs: Answer[][], left_out: string[] = []): Map<string, string> {
  const bytesOf = (text: string) => Buffer.from(text, "utf8");
  const index = {
    version: "9.9",
    left_out,
    packs: packs.map((answers) =>
      answers.map(([name, status, type, text]) => [name, status, type, bytesOf(text).length]),
    ),
  };
  const texts = new Map([["vizd-index", packed(JSON.stringify(index))]]);
  packs.forEach((answers, at) =>
    texts.set(`vizd-pack-${at}`, packed(Buffer.concat(answers.map(([, , , text]) => bytesOf(text))))),
  );
  return texts;
}

async function open(packs: Answer[][], left_out: string[] = []): Promise<{ report: Report; read: string[] }> {
  const texts = writeReport(packs, left_out);
  const read: string[] = [];
  const report = await openReport((id) => {
    read.push(id);
    return texts.get(id) ?? null;
  });
  assert.ok(report !== null);
  return { report, read };
}

const kJson = "application/json";

test("a page without an index is no report", async () => {
  assert.equal(await openReport(() => null), null);
});

test("answers come from their packs, each unpacked when it is first asked for and once", async () => {
  const { report, read } = await open([
    [
      ["/api/v1/session", 200, kJson, '{"a": "ä"}'],
      ["/api/v1/facts", 200, kJson, '{"b": 2}'],
    ],
    [["/api/v1/contexts", 200, kJson, '{"c": 3}']],
  ]);
  const api = createReportApi(report);
  assert.equal(api.report, report);
  assert.deepEqual(read, ["vizd-index"]);
  assert.deepEqual(await api.getJson("/api/v1/facts?capture=c0"), { ok: true, value: { b: 2 } });
  assert.deepEqual(await api.getJson("/api/v1/session"), { ok: true, value: { a: "ä" } });
  assert.deepEqual(read, ["vizd-index", "vizd-pack-0"]);
  assert.deepEqual(await api.getJson("/api/v1/contexts?capture=c0"), { ok: true, value: { c: 3 } });
});

test("the server's own refusals stay as they were", async () => {
  const refusal = '{"error": {"kind": "not_found", "message": "this capture has no graphs", "where": ""}}';
  const { report } = await open([[["/api/v1/rules", 404, kJson, refusal]]]);
  assert.equal(report.has("/api/v1/rules"), false);
  const answer = await createReportApi(report).getJson("/api/v1/rules");
  assert.ok(!answer.ok);
  assert.equal(answer.error.message, "this capture has no graphs");
});

test("what is not packed is said to be not in the report", async () => {
  const { report } = await open([[["/api/v1/session", 200, kJson, "{}"]]], ["graphs of passes: 3 of 4"]);
  assert.deepEqual(report.leftOut, ["graphs of passes: 3 of 4"]);
  const api = createReportApi(report);
  for (const answer of [await api.getJson("/api/v1/sql?q=1"), await api.sendBytes("/api/v1/session", new Blob())]) {
    assert.ok(!answer.ok);
    assert.equal(answer.error.kind, "not_in_report");
    assert.match(answer.error.message, /not in this report/);
  }
});

test("a question is the same whatever the order of its parameters and the capture's name", () => {
  const named = "/api/v1/memory/k/2/holders?at=peak&by=line&since=0";
  assert.equal(nameQuestion("/api/v1/memory/k/2/holders?by=line&since=0&at=peak&capture=c0"), named);
  assert.equal(nameQuestion("/api/v1/kernels?rank=a%20b&capture=c0"), "/api/v1/kernels?rank=a b");
  assert.equal(nameQuestion("/api/v1/tiles/k/all?&capture=c0"), "/api/v1/tiles/k/all");
});

test("the answer about the whole serves for its parts where more than asked for does no harm", () => {
  assert.equal(nameQuestion("/api/v1/idle?from=1&to=2&least_ns=3&capture=c0"), "/api/v1/idle");
  assert.equal(nameQuestion("/api/v1/critical-path?from_ns=1&to_ns=2&step=3"), "/api/v1/critical-path?step=3");
  assert.equal(nameQuestion("/api/v1/memory/k/2?axis=order&capture=c0"), "/api/v1/memory/k/2?axis=order");
  assert.equal(nameQuestion("/api/v1/range?from=1&to=2"), "/api/v1/range?from=1&to=2");
});

test("server-sent events come as from a server", async () => {
  const { report } = await open([
    [["/api/v1/rewrites/0/1", 200, "text/event-stream", 'event: graph\ndata: {"x":1}\n\n']],
  ]);
  const body = await createReportApi(report).openStream(
    "/api/v1/rewrites/0/1?capture=c0",
    new AbortController().signal,
  );
  assert.ok(body.ok);
  const events = [];
  for await (const event of readEvents(body.value)) events.push(event);
  assert.deepEqual(events, [{ name: "graph", data: '{"x":1}' }]);
});

test("an answer that is given up is not shown", async () => {
  const { report } = await open([[["/api/v1/session", 200, kJson, "{}"]]]);
  const abort = new AbortController();
  const answer = createReportApi(report).getJson("/api/v1/session", abort.signal);
  abort.abort();
  const given = await answer;
  assert.ok(!given.ok);
  assert.equal(given.error.kind, "aborted");
});
