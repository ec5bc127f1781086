// How far a capture is read that is opened for the first time.
import assert from "node:assert/strict";
import { test } from "node:test";
import { signal } from "@preact/signals";
import type { Api } from "../../web/src/lib/api";
import { succeed } from "../../web/src/lib/result";
import type { CaptureInfo } from "../../web/src/lib/wire";
import { watchOpening } from "../../web/src/state/opening";

const kUnread = {
  id: "c1",
  has_rewrites: false,
  has_profile: false,
  is_beginning: false,
  tells_values: false,
  files: [{ path: "large.bin", status: "loading" }],
} as unknown as CaptureInfo;

/** Answers in turn, the last one again and again. */
function makeApi(answers: object[]): { api: Api; paths: string[] } {
  const paths: string[] = [];
  const getJson = (path: string) => {
    paths.push(path);
    return Promise.resolve(succeed(answers[Math.min(paths.length, answers.length) - 1]!));
  };
  return { api: { getJson } as unknown as Api, paths };
}

const settle = () => new Promise((resolve) => setImmediate(resolve));

test("while a capture is not there as a whole the server is asked how far it is, and no longer", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const opening = { status: "opening", lanes: [{ name: "GPU 0" }] };
  const { api, paths } = makeApi([
    { ...opening, lanes: [], progress: { what: "reading the files", unit: "bytes", done: 0, of: null } },
    { ...opening, progress: { what: "sorting events", unit: "events", done: 3, of: 10 } },
    { status: "ready" },
  ]);
  const capture = signal<CaptureInfo | null>(kUnread);
  const shown = watchOpening(api, capture);
  await settle();
  assert.deepEqual(shown.value, { what: "reading the files", unit: "bytes", done: 0, of: null, lanes: [] });
  t.mock.timers.tick(500);
  await settle();
  assert.deepEqual(shown.value, { what: "sorting events", unit: "events", done: 3, of: 10, lanes: ["GPU 0"] });
  capture.value = { ...kUnread, has_profile: true, is_beginning: true };
  assert.notEqual(shown.value, null, "of a beginning the rest is still read");
  t.mock.timers.tick(500);
  await settle();
  capture.value = { ...kUnread, has_profile: true };
  assert.equal(shown.value, null);
  t.mock.timers.tick(5000);
  await settle();
  assert.equal(paths.length, 3);
  assert.match(paths[0]!, /^\/api\/v1\/lanes\?capture=c1$/);
});

test("a capture that turns out to have no profile is asked about no more", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { api, paths } = makeApi([
    { status: "opening", lanes: [] },
    { status: "none", lanes: [] },
  ]);
  watchOpening(api, signal<CaptureInfo | null>(kUnread));
  await settle();
  for (let i = 0; i < 5; i++) {
    t.mock.timers.tick(500);
    await settle();
  }
  assert.equal(paths.length, 2);
});

test("lanes that are being made are asked for again soon", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { api, paths } = makeApi([
    { status: "opening", lanes: [], lanes_soon: true },
    { status: "opening", lanes: [{ name: "GPU 0" }] },
  ]);
  const shown = watchOpening(api, signal<CaptureInfo | null>(kUnread));
  await settle();
  assert.deepEqual(shown.value?.lanes, []);
  t.mock.timers.tick(100);
  await settle();
  assert.deepEqual(shown.value?.lanes, ["GPU 0"]);
  t.mock.timers.tick(100);
  await settle();
  assert.equal(paths.length, 2);
});

test("a capture of which something is there already, or that is broken, is not asked about", async () => {
  const { api, paths } = makeApi([{ status: "ready" }]);
  const capture = signal<CaptureInfo | null>({ ...kUnread, has_rewrites: true });
  watchOpening(api, capture);
  capture.value = { ...kUnread, files: [{ ...kUnread.files[0]!, status: "broken" }] };
  capture.value = null;
  await settle();
  assert.deepEqual(paths, []);
});
