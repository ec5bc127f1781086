// Finds faults in what is on screen, with axe-core.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Page } from "playwright-core";

const top = process.env.VIZD_TOP ?? process.cwd();
/** To be evaluated in the page before anything is looked for. */
export const axe = readFileSync(createRequire(join(top, "web/package.json")).resolve("axe-core/axe.min.js"), "utf8");

/** Until the page has stood still for a few frames, and nothing fades: axe takes a colour on its way for the last one. */
async function waitForRest(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const kStill = 10; // frames
    let last = "";
    for (let frames = 0; frames < kStill; frames++) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      const now = document.body.innerHTML;
      if (now !== last) frames = 0;
      last = now;
    }
    await Promise.allSettled(document.getAnimations().map((animation) => animation.finished));
  });
}

/**
 * The faults once the page is at rest, a line each: the rule, and where. Targets are at least 24 px, or that far from
 * each other (WCAG 2.2).
 */
export async function findFaults(page: Page): Promise<string[]> {
  await waitForRest(page);
  return page.evaluate(async () => {
    type Found = { violations: { id: string; nodes: { html: string; failureSummary?: string }[] }[] };
    const { axe } = window as unknown as { axe: { run(root: Document, options: object): Promise<Found> } };
    const { violations } = await axe.run(document, {
      runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"],
      resultTypes: ["violations"],
    });
    return violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id}: ${html.slice(0, 160)} ${failureSummary?.slice(0, 300) ?? ""}`),
    );
  });
}
