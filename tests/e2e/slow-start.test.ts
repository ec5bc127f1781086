// A start over a slow link: the theme and "Loading" before there is any code, and few requests one after another.
import assert from "node:assert/strict";
import { goToView, testPage } from "./harness";

testPage(
  "the first paint has the theme and says Loading, before there is code",
  { context: { colorScheme: "light" } },
  async ({ page }) => {
    await page.evaluate(() => localStorage.setItem("vizd.theme", JSON.stringify("dark")));
    let bring = () => {};
    const isWanted = new Promise<void>((resolve) => (bring = resolve));
    await page.route("**/app.js", async (route) => {
      await isWanted;
      await route.continue();
    });
    await page.reload({ waitUntil: "commit" });
    await page.getByText("Loading").waitFor();
    const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    assert.equal(colour, "rgb(14, 17, 22)", "as chosen, not the system's");
    bring();
    await page.locator(".graph-head").waitFor();
    assert.equal(await page.getByText("Loading").count(), 0);
  },
);

testPage("the session comes with the contexts, asked for in the head, and views bring no code", {}, async (stage) => {
  const { page, requests } = stage;
  await page.locator(".graph-head").waitFor();
  const code = () => requests.filter((path) => /\.(js|css)$/.test(path));
  const before = code();
  assert.deepEqual([...new Set(before)].sort(), ["/app.css", "/app.js", "/first.js"]);
  assert.ok(!requests.includes("/api/v1/contexts"), "they came with the session");
  assert.equal(requests.filter((path) => path === "/api/v1/session").length, 1);
  for (const view of ["Rules", "Timeline", "Program", "Info"]) {
    await goToView(page, view);
  }
  await page.locator(".info").waitFor();
  await page.keyboard.press("?");
  await page.getByRole("dialog", { name: "Keys" }).waitFor();
  assert.deepEqual(code(), before);
});
