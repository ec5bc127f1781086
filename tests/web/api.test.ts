import assert from "node:assert/strict";
import { test } from "node:test";
import { createApi, pathOfCapture } from "../../web/src/lib/api";

type Call = { path: string; init: RequestInit };

function fakeApi(answer: () => Response | Promise<Response>, token: string | null = null) {
  const calls: Call[] = [];
  const api = createApi(token, async (path, init) => {
    calls.push({ path, init });
    return answer();
  });
  return { api, calls };
}

test("an answer is its value", async () => {
  const { api } = fakeApi(() => Response.json({ a: 1 }));
  assert.deepEqual(await api.getJson("/x"), { ok: true, value: { a: 1 } });
});

test("the token goes along as a Bearer, and only where there is one", async () => {
  const withToken = fakeApi(() => new Response("t"), "secret");
  await withToken.api.getText("/x");
  assert.deepEqual(withToken.calls[0]!.init.headers, { Authorization: "Bearer secret" });
  const without = fakeApi(() => new Response("t"));
  await without.api.getText("/x");
  assert.deepEqual(without.calls[0]!.init.headers, {});
});

test("the server's errors come as it says them", async () => {
  const body = { error: { kind: "bad_input", message: "no such context", where: "/api/v1/rewrites/9/9" } };
  const { api } = fakeApi(() => Response.json(body, { status: 400 }));
  assert.deepEqual(await api.getJson("/x"), { ok: false, error: body.error });
});

test("what is no error of the server's is told by its status", async () => {
  const { api } = fakeApi(() => new Response("<html>proxy</html>", { status: 502 }));
  const answer = await api.getJson("/x");
  assert.ok(!answer.ok && answer.error.kind === "http_502" && answer.error.where === "/x");
});

test("a missing token, a server that is away and an answer that is no JSON are told apart", async () => {
  const denied = await fakeApi(() => new Response("", { status: 401 })).api.getJson("/x");
  assert.ok(!denied.ok && denied.error.kind === "denied" && /open the URL/.test(denied.error.message));
  const away = await fakeApi(() => Promise.reject(new TypeError("fetch failed"))).api.getJson("/x");
  assert.ok(!away.ok && away.error.kind === "offline");
  const garbled = await fakeApi(() => new Response("{")).api.getJson("/x");
  assert.ok(!garbled.ok && garbled.error.kind === "protocol");
});

test("an aborted request says so, whatever it failed with", async () => {
  const abort = new AbortController();
  abort.abort();
  const { api } = fakeApi(() => Promise.reject(new Error("any")));
  const answer = await api.getJson("/x", abort.signal);
  assert.ok(!answer.ok && answer.error.kind === "aborted");
});

const busy = () => new Response("", { status: 503, headers: { "Retry-After": "2" } });
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("what a busy server has no time for is asked for again when it says, and as long as anybody wants it", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  let free = 3;
  const { api, calls } = fakeApi(() => (--free > 0 ? busy() : Response.json(7)));
  const answer = api.getJson("/x");
  await settle();
  t.mock.timers.tick(1999);
  await settle();
  assert.equal(calls.length, 1);
  for (let i = 0; i < 2; i++) {
    t.mock.timers.tick(2000);
    await settle();
  }
  assert.deepEqual([await answer, calls.length], [{ ok: true, value: 7 }, 3]);

  const abort = new AbortController();
  const late = fakeApi(() => (abort.signal.aborted ? Promise.reject(new Error("aborted")) : busy()));
  const given = late.api.getJson("/x", abort.signal);
  await settle();
  abort.abort();
  assert.equal((await given).ok, false);
});

test("a server that stays busy is told of after a minute, and what is sent, or asked of a store, only once", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout", "Date"] });
  const { api, calls } = fakeApi(busy);
  const answer = api.getJson("/x");
  for (let i = 0; i < 40; i++) {
    await settle();
    t.mock.timers.tick(2000);
  }
  const { ok } = await answer;
  assert.deepEqual([ok, calls.length], [false, 30]);
  await api.sendBytes("/x", new Blob(["b"]));
  await api.getJson("/api/v1/fleet/jobs");
  assert.equal(calls.length, 32);
});

test("the capture is added to paths with and without a query", () => {
  assert.equal(pathOfCapture("/a", "c 0"), "/a?capture=c%200");
  assert.equal(pathOfCapture("/a?b=1", "c1"), "/a?b=1&capture=c1");
});
