// Shared by tests of the rewrites view: a pass of several matches opened, and the match on screen.
import type { Page } from "playwright-core";
import type { WireContexts } from "../../web/src/lib/wire";
import { atRest, type Vizd } from "./harness";

/** A pass of several matches: context 2 (E_4), the pass of that name. */
export async function findPass(page: Page, name: string): Promise<{ context: number; pass: number; matches: number }> {
  const contexts = (await getJson(page, "/api/v1/contexts")) as WireContexts;
  for (const [context, { passes }] of contexts.contexts.entries()) {
    const pass = passes.name.findIndex((n, i) => contexts.pass_names[n] === name && passes.matches[i]! > 4);
    if (pass >= 0) return { context, pass, matches: passes.matches[pass]! };
  }
  throw new Error(`no pass is called ${name}`);
}

export const getJson = (page: Page, path: string) =>
  page.evaluate(async (p) => (await fetch(p)).json() as Promise<unknown>, path);
export const getText = (page: Page, path: string) => page.evaluate(async (p) => (await fetch(p)).text(), path);

export async function openPass(page: Page, vizd: Vizd, name: string, rest = "") {
  await page.getByRole("treeitem").first().waitFor();
  const found = await findPass(page, name);
  await page.goto("about:blank");
  await page.goto(`${vizd.origin}#context=${found.context}:&pass=${found.pass}:${rest}`);
  await page.locator(".graph-head", { hasText: name }).waitFor();
  await page.getByRole("slider", { name: "Match" }).waitFor();
  await page.waitForFunction(() => document.querySelector(".stream-line") === null);
  return found;
}

export const shownMatch = (page: Page) => page.getByRole("slider", { name: "Match" }).getAttribute("aria-valuenow");
export const waitForMatch = (page: Page, match: number) =>
  page.waitForFunction(
    (m) => document.querySelector('[aria-label="Match"]')?.getAttribute("aria-valuenow") === m,
    `${match}`,
  );

/** The page's URL once it is at rest: what follows the camera is written when the camera stands. */
export async function settledUrl(page: Page): Promise<string> {
  await atRest(page);
  return page.url();
}
