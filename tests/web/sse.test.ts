import assert from "node:assert/strict";
import { test } from "node:test";
import { EventParser, readEvents, type ServerEvent } from "../../web/src/lib/sse";

const kText =
  ': heartbeat\n\nevent: graph\ndata: {"a": 1}\n\ndata: one\r\ndata: two\r\n\r\nid: 7\ndata:no space\r\rdata\n\nevent: x\n\n';
const kEvents: ServerEvent[] = [
  { name: "graph", data: '{"a": 1}' },
  { name: "message", data: "one\ntwo" },
  { name: "message", data: "no space" },
  { name: "message", data: "" },
];

function parse(pieces: string[]): ServerEvent[] {
  const parser = new EventParser();
  const events: ServerEvent[] = [];
  for (const piece of pieces) parser.feed(piece, (event) => events.push(event));
  return events;
}

test("events are the same however the text is cut", () => {
  assert.deepEqual(parse([kText]), kEvents);
  assert.deepEqual(parse([...kText]), kEvents, "one character at a time");
  for (let cut = 0; cut < kText.length; cut++) {
    assert.deepEqual(parse([kText.slice(0, cut), "", kText.slice(cut)]), kEvents, `cut at ${cut}`);
  }
});

test("an event that has not ended is not told", () => {
  assert.deepEqual(parse(["data: half"]), []);
  assert.deepEqual(parse(["data: half\n"]), []);
});

test("characters cut between chunks of bytes stay whole", async () => {
  const bytes = new TextEncoder().encode("data: µ→𝄞\n\n");
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  const events: ServerEvent[] = [];
  for await (const event of readEvents(body)) events.push(event);
  assert.deepEqual(events, [{ name: "message", data: "µ→𝄞" }]);
});

test("who stops reading cancels the body", async () => {
  let cancelled = false;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => controller.enqueue(new TextEncoder().encode("data: x\n\n")),
    cancel: () => {
      cancelled = true;
    },
  });
  for await (const event of readEvents(body)) {
    assert.equal(event.data, "x");
    break;
  }
  assert.equal(cancelled, true);
});
