// The answer that the page's head asked for serves the first who asks, once, and never where it failed.
import assert from "node:assert/strict";
import { test } from "node:test";
import { fetchWithFirst } from "../../web/src/lib/first-answers";

const kSession = "/api/v1/session";

function countFetches() {
  const paths: string[] = [];
  const fetchFn = (path: string) => {
    paths.push(path);
    return Promise.resolve(new Response("fetched"));
  };
  return { paths, fetchFn };
}

test("the session that is on its way is not asked for again, the next one is", async () => {
  const { paths, fetchFn } = countFetches();
  const fetchFirst = fetchWithFirst(Promise.resolve({ status: 200, text: "first" }), fetchFn);
  assert.equal(await (await fetchFirst("/api/v1/other", {})).text(), "fetched");
  assert.equal(await (await fetchFirst(kSession, {})).text(), "first");
  assert.equal(await (await fetchFirst(kSession, {})).text(), "fetched");
  assert.deepEqual(paths, ["/api/v1/other", kSession]);
});

test("one that failed, or was never asked for, is asked for", async () => {
  for (const answer of [Promise.resolve({ status: 401, text: "" }), Promise.resolve(null), undefined]) {
    const { paths, fetchFn } = countFetches();
    assert.equal(await (await fetchWithFirst(answer, fetchFn)(kSession, {})).text(), "fetched");
    assert.deepEqual(paths, [kSession]);
  }
});
