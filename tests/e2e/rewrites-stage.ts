// What tests of the rewrites view share: a pass of several matches opened, and the match on screen.
import type { Page } from "playwright-core";
import type { WireContexts } from "../../web/src/lib/wire";
import type { Vizd } from "./harness";

/** A pass of several matches: context 2 (E_4), the step of that name. */
export async function findStep(page: Page, name: string): Promise<{ context: number; step: number; matches: number }> {
  const contexts = (await getJson(page, "/api/v1/contexts")) as WireContexts;
  for (const [context, { steps }] of contexts.contexts.entries()) {
    const step = steps.name.findIndex((n, i) => contexts.step_names[n] === name && steps.matches[i]! > 4);
    if (step >= 0) return { context, step, matches: steps.matches[step]! };
  }
  throw new Error(`no pass is called ${name}`);
}

export const getJson = (page: Page, path: string) =>
  page.evaluate(async (p) => (await fetch(p)).json() as Promise<unknown>, path);

export async function openStep(page: Page, vizd: Vizd, name: string, rest = "") {
  await page.getByRole("treeitem").first().waitFor();
  const found = await findStep(page, name);
  await page.goto("about:blank");
  await page.goto(`${vizd.origin}#context=${found.context}:&step=${found.step}:${rest}`);
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
