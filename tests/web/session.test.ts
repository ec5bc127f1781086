// The page's state and the event stream are joined by the number of the last change: whichever is late, nothing that
// happened between them is lost.
import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import type { Api } from "../../web/src/lib/api";
import { fail, succeed, type Result } from "../../web/src/lib/result";
import type { SessionInfo } from "../../web/src/lib/wire";
import { createEventStream } from "../../web/src/state/event-stream";
import type { NoticeState } from "../../web/src/state/notices";
import type { PlaceState } from "../../web/src/state/place";
import { createMarks } from "../../web/src/state/marks";
import { createSession } from "../../web/src/state/session";

/** The other tabs, and what this one tells them. */
class Channel {
  static readonly told: unknown[] = [];
  static last: Channel;
  onmessage: ((event: { data: unknown }) => void) | null = null;
  constructor() {
    Channel.last = this;
  }
  postMessage(message: unknown): void {
    Channel.told.push(message);
  }
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A server that changes when it is told to, and answers when it is let. */
class Server {
  change = 1;
  asked = 0;
  readonly #waiting: (() => void)[] = [];
  #stream: ReadableStreamDefaultController<Uint8Array> | null = null;
  #openStream: (() => void) | null = null;

  readonly api = {
    getJson: () => {
      this.asked++;
      // As it is when the request comes, however late the answer is.
      const info = { change: this.change, captures: [] } as unknown as SessionInfo;
      return new Promise<Result<SessionInfo>>((resolve) => this.#waiting.push(() => resolve(succeed(info))));
    },
    openStream: () =>
      new Promise<Result<ReadableStream<Uint8Array>>>((resolve) => {
        this.#openStream = () => {
          const body = new ReadableStream<Uint8Array>({ start: (stream) => void (this.#stream = stream) });
          resolve(succeed(body));
          this.#send("opened");
        };
      }),
  } as unknown as Api;

  async answer(): Promise<void> {
    this.#waiting.shift()!();
    await settle();
  }

  async open(): Promise<void> {
    this.#openStream!();
    await settle();
  }

  async becomeAnother(): Promise<void> {
    this.change++;
    if (this.#stream !== null) this.#send("changed");
    await settle();
  }

  get waiting(): number {
    return this.#waiting.length;
  }

  #send(name: string): void {
    this.#stream!.enqueue(new TextEncoder().encode(`event: ${name}\ndata: {"change":${this.change}}\n\n`));
  }
}

function makePage(api: Api) {
  const globals = globalThis as unknown as { BroadcastChannel: unknown; navigator: unknown };
  globals.BroadcastChannel = Channel;
  Object.defineProperty(globals, "navigator", { value: {}, configurable: true });
  const session = createSession(api, { capture: signal("") } as unknown as PlaceState, {} as NoticeState);
  const events = createEventStream(api, session, createMarks(api, session, {} as NoticeState));
  return { session, events };
}

test("a change before the stream opens is seen when it opens, however late that is", async () => {
  const server = new Server();
  const { session, events } = makePage(server.api);
  void session.load().then(() => events.start());
  await server.answer();
  await server.becomeAnother();
  assert.equal(session.info.value?.change, 1);
  await server.open();
  await server.answer();
  assert.equal(session.info.value?.change, 2);
  assert.equal(server.waiting, 0, "and it is not asked for more than that");
});

test("an answer that is late, and older than what was heard meanwhile, is followed by another", async () => {
  const server = new Server();
  const { session, events } = makePage(server.api);
  events.start();
  void session.load();
  await server.open();
  await server.becomeAnother();
  await server.becomeAnother();
  await server.answer();
  assert.equal(session.info.value?.change, 1, "shown meanwhile");
  assert.equal(server.waiting, 1, "one request at a time");
  await server.answer();
  assert.equal(session.info.value?.change, 3);
  assert.equal(server.asked, 2);
  assert.equal(server.waiting, 0);
});

test("a stream that opens on what the page has makes it ask for nothing", async () => {
  const server = new Server();
  const { session, events } = makePage(server.api);
  void session.load().then(() => events.start());
  await server.answer();
  await server.open();
  assert.equal(server.asked, 1);
  assert.ok(events.live.value);
});

test("what could not be asked for is asked for again when the server is heard from", async () => {
  const server = new Server();
  const { getJson } = server.api;
  server.api.getJson = (() => Promise.resolve(fail("offline", "away"))) as unknown as typeof getJson;
  const { session, events } = makePage(server.api);
  await session.load();
  assert.equal(session.problem.value?.kind, "offline");
  server.api.getJson = getJson;
  events.start();
  await server.open();
  await server.answer();
  assert.equal(session.info.value?.change, 1);
  assert.equal(session.problem.value, null);
});

test("a tab that asks is told the last change, and another that is told it catches up", async () => {
  const server = new Server();
  const { session, events } = makePage(server.api);
  void session.load().then(() => events.start());
  await server.answer();
  await server.open();
  Channel.told.length = 0;
  Channel.last.onmessage!({ data: { ask: true } });
  assert.deepEqual(Channel.told, [{ live: true, change: 1 }]);

  const follower = makePage(server.api);
  void follower.session.load();
  await server.answer();
  await server.becomeAnother();
  await server.answer(); // the leader's
  Channel.last.onmessage!({ data: { live: true, change: 2 } });
  await settle();
  await server.answer();
  assert.equal(follower.session.info.value?.change, 2);
});
