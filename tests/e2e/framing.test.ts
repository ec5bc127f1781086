// Where a match's change is looked at: by the rule for all matches of real passes, and on the page however one came.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import { unite, type Camera, type Rect } from "../../web/src/lib/camera";
import { boxesOfChange, stateOfChange } from "../../web/src/lib/graph/change-boxes";
import { frameChange } from "../../web/src/lib/graph/framing";
import { kPadX_px, kPadY_px } from "../../web/src/lib/graph/label";
import { layoutFor, takePassEvent, type LoadedPass } from "../../web/src/lib/graph/loaded-pass";
import { changesAt } from "../../web/src/lib/graph/pass-changes";
import { PassLayout } from "../../web/src/lib/graph/pass-layout";
import type { WireLayout } from "../../web/src/lib/graph/wire";
import type { WireContexts } from "../../web/src/lib/wire";
import { atRest, eventually, testPage } from "./harness";
import { findPass, getJson, openPass, waitForMatch } from "./rewrites-stage";

const top = process.env.VIZD_TOP ?? process.cwd();
/** A capture whose schedules have passes of hundreds of matches over graphs that fit into no window. */
const multi = join(top, "../shared/samples/tinygrad-2025-09/multi.rewrites.pkl");
const views = [
  { width: 762, height: 640 },
  { width: 420, height: 560 },
];

interface StreamEvent {
  name: string;
  data: string;
}

async function readStream(page: Page, path: string): Promise<StreamEvent[]> {
  const text = await page.evaluate(async (p) => (await fetch(p)).text(), path);
  return text.split("\n\n").flatMap((block) => {
    const field = (name: string) => new RegExp(`^${name}: ?(.*)$`, "m").exec(block)?.[1];
    const [name, data] = [field("event"), field("data")];
    return name === undefined || data === undefined ? [] : [{ name, data }];
  });
}

/** A pass as it is streamed, from left to right. */
async function loadPass(page: Page, context: number, pass: number): Promise<LoadedPass> {
  const events = await readStream(page, `/api/v1/rewrites/${context}/${pass}`);
  return events.reduce<LoadedPass | null>((loaded, event) => takePassEvent(loaded, event, "pass", 1), null)!;
}

/** The same pass laid out from top to bottom. */
async function turnPass(page: Page, context: number, pass: number, loaded: LoadedPass): Promise<LoadedPass> {
  const events = await readStream(page, `/api/v1/rewrites/${context}/${pass}?down=1`);
  const layouts = events
    .filter(({ name }) => name === "layout")
    .map(({ data }) => PassLayout.read(JSON.parse(data) as WireLayout, loaded.model));
  assert.ok(layouts.length > 0 && layouts.every(({ isDown }) => isDown));
  return { ...loaded, layouts };
}

const kSlack_px = 0.01;

interface HeldState {
  /** The change is no larger than the middle third. */
  isSmall: boolean;
  /** So are its sources and users in view; null where it has none. */
  isWhole: boolean | null;
}

/** Whether the rule keeps its word for a state. */
function holdState({ model, ...pass }: LoadedPass, state: number, view: { width: number; height: number }): HeldState {
  const layout = layoutFor({ model, ...pass }, state)!;
  if (stateOfChange(model, layout, state) !== state) return { isSmall: false, isWhole: null };
  const { changed, around } = boxesOfChange(model, layout, state);
  const camera = frameChange({ changed, around }, layout, view);
  const place = placeOf(unite(changed), camera);
  const third = { x: view.width / 3, y: view.height / 3 };
  const isSmall = place.right - place.left <= third.x && place.bottom - place.top <= third.y;
  const [reachX, reachY] = isSmall
    ? [Math.max(-place.left, place.right), Math.max(-place.top, place.bottom)]
    : changed.length === 1
      ? [Math.abs(place.left + place.right) / 2, Math.abs(place.top + place.bottom) / 2]
      : [0, 0]; // parts far from each other: those are looked at that stand together
  const said = `match ${state} reaches ${reachX}, ${reachY} of ${view.width / 6}, ${view.height / 6}`;
  assert.ok(reachX <= third.x / 2 + kSlack_px && reachY <= third.y / 2 + kSlack_px, said);
  assert.ok(camera.zoom >= 0.6, "names can be read");
  const all = placeOf(unite([...changed, ...around]), camera);
  const isWhole =
    Math.max(-all.left, all.right) <= view.width / 2 + kSlack_px &&
    Math.max(-all.top, all.bottom) <= view.height / 2 + kSlack_px;
  return { isSmall, isWhole: around.length === 0 ? null : isWhole };
}

function placeOf({ left, top, right, bottom }: Rect, { x, y, zoom }: Camera): Rect {
  return { left: (left - x) * zoom, top: (top - y) * zoom, right: (right - x) * zoom, bottom: (bottom - y) * zoom };
}

interface HeldCounts {
  matches: number;
  small: number;
  /** In the narrow view: with sources or users, and of those with all of them in view. */
  surrounded: number;
  whole: number;
}

async function holdPasses(page: Page, isMeant: (name: string) => boolean): Promise<HeldCounts> {
  const { contexts, pass_names } = (await getJson(page, "/api/v1/contexts")) as WireContexts;
  const counts: HeldCounts = { matches: 0, small: 0, surrounded: 0, whole: 0 };
  for (const [c, { passes }] of contexts.entries()) {
    for (const [p, name] of passes.name.entries()) {
      if (!isMeant(pass_names[name]!) || passes.matches[p] === 0) continue;
      const pass = await loadPass(page, c, p);
      for (const laid of [pass, await turnPass(page, c, p, pass)]) {
        for (const view of views) {
          for (let state = 1; state < laid.model.knownStates; state++) {
            const { isSmall, isWhole } = holdState(laid, state, view);
            counts.matches++;
            if (isSmall) counts.small++;
            if (view !== views.at(-1) || isWhole === null) continue;
            counts.surrounded++;
            if (isWhole) counts.whole++;
          }
        }
      }
    }
  }
  return counts;
}

testPage("every match's change is in the middle third, in every pass of the small capture", {}, async ({ page }) => {
  await page.getByRole("treeitem").first().waitFor();
  const { matches, small, surrounded, whole } = await holdPasses(page, () => true);
  assert.ok(matches > 1000, `${matches}`);
  assert.ok(small > 0.6 * matches, `${small} of ${matches} fit there`);
  assert.ok(whole > 0.5 * surrounded, `${whole} of ${surrounded} with all sources and users, 420 pixels wide`);
});

if (existsSync(multi)) {
  testPage(
    "every match's change is in the middle third, in all merge_views of real schedules",
    { args: () => ["--kernels", multi] },
    async ({ page }) => {
      await page.getByRole("treeitem").first().waitFor();
      const { matches, small, surrounded, whole } = await holdPasses(page, (name) => name === "merge_views");
      assert.ok(matches > 4000 && small > 0.85 * matches, `${small} of ${matches} fit there`);
      assert.ok(whole > 0.6 * surrounded, `${whole} of ${surrounded} with all sources and users, 420 pixels wide`);
    },
  );
}

/** The selected node's label, in the graph's box: where it is on screen. */
async function placeOfLabel(page: Page): Promise<Rect & { width: number; height: number }> {
  const label = page.locator(".node-overlay");
  await label.waitFor();
  return page.evaluate(() => {
    const graph = document.querySelector(".graph")!.getBoundingClientRect();
    const { left, top, right, bottom } = document.querySelector(".node-overlay")!.getBoundingClientRect();
    const round = Math.round;
    return {
      left: round(left - graph.left),
      top: round(top - graph.top),
      right: round(right - graph.left),
      bottom: round(bottom - graph.top),
      width: round(graph.width),
      height: round(graph.height),
    };
  });
}

/** A match that made one node, in the second half of a pass; and that node. */
function findMaker({ model, ...pass }: LoadedPass): { match: number; node: number } {
  for (let match = Math.floor(model.knownStates / 2); match < model.knownStates; match++) {
    const layout = layoutFor({ model, ...pass }, match)!;
    const made = [...changesAt(model, match).made].filter((node) => layout.has(node) && model.isBox(node, match));
    if (made.length === 1) return { match, node: made[0]! };
  }
  throw new Error("no match made just one node");
}

/** Where the rule has a node's label, in the graph's box. */
function expectLabel(pass: LoadedPass, match: number, node: number, view: { width: number; height: number }) {
  const layout = layoutFor(pass, match)!;
  const camera = frameChange(boxesOfChange(pass.model, layout, match), layout, view);
  const { x, y } = layout.box(node);
  return {
    left: (x + kPadX_px - camera.x) * camera.zoom + view.width / 2,
    top: (y + kPadY_px - camera.y) * camera.zoom + view.height / 2,
  };
}

testPage("a match looks the same however one comes to it", {}, async ({ page, vizd }) => {
  await page.getByRole("treeitem").first().waitFor();
  const found = await findPass(page, "devectorize");
  const pass = await loadPass(page, found.context, found.pass);
  const { match, node } = findMaker(pass);
  const places = new Map<string, Awaited<ReturnType<typeof placeOfLabel>>>();
  const note = async (way: string) => {
    await waitForMatch(page, match);
    await page.waitForFunction(() => document.querySelector(".stream-line") === null);
    places.set(way, await placeOfLabel(page));
  };
  await openPass(page, vizd, "devectorize", `&match=${match}&node=${node}`);
  await note("a link");
  const isDown = (await page.getByRole("button", { name: /^Down/ }).getAttribute("aria-pressed")) === "true";
  const laid = isDown ? await turnPass(page, found.context, found.pass, pass) : pass;
  await openPass(page, vizd, "devectorize", `&match=${match - 1}&node=${node}`);
  await page.keyboard.press("ArrowRight");
  await note("an arrow key");
  await page.keyboard.press("End");
  await page.keyboard.press("n"); // nothing is searched for
  await waitForMatch(page, found.matches);
  const strip = (await page.getByRole("slider", { name: "Match" }).boundingBox())!;
  const step = strip.width / (found.matches + 1);
  await page.mouse.click(strip.x + (match + 0.5) * step, strip.y + 20);
  await note("a click into the strip");
  await page.keyboard.press("Home");
  await page.keyboard.press("z"); // close to the node, where it is there
  await page.keyboard.press("/");
  await page.keyboard.insertText(`id=${node}`);
  await page
    .locator(".find-bisect")
    .getByRole("button", { name: `match ${match}`, exact: true })
    .first()
    .click();
  await note("the search");
  const [first] = places.values();
  for (const [way, place] of places) assert.deepEqual(place, first, way);
  const expected = expectLabel(laid, match, node, first!);
  assert.ok(Math.abs(first!.left - expected.left) < 2 && Math.abs(first!.top - expected.top) < 2, "as the rule says");
});

testPage("moving the graph ends the following, and J takes it up again", {}, async ({ page, vizd }) => {
  const { matches } = await openPass(page, vizd, "devectorize", "&match=1");
  const button = (pressed: boolean) => page.getByRole("button", { name: /^Follow/, pressed });
  await button(true).waitFor();
  const canvas = (await page.locator(".graph").boundingBox())!;
  await page.mouse.move(canvas.x + 200, canvas.y + 200);
  await page.mouse.wheel(50, 40);
  await button(false).waitFor();
  const camera = () => page.evaluate(() => new URLSearchParams(location.hash.slice(1)).get("camera"));
  await page.waitForFunction(() => location.hash.includes("camera="));
  const own = await camera();
  await page.keyboard.press("End");
  await waitForMatch(page, matches);
  await atRest(page);
  assert.equal(await camera(), own, "it stays where it was put");
  await page.keyboard.press("j");
  await button(true).waitFor();
  await page.waitForFunction(() => !location.hash.includes("camera="));
});

/** Notes the size of the smallest text that a canvas of the page is drawn with, in pixels of the screen. */
function noteTexts(): void {
  const noted = { least_px: Infinity, text: "" };
  (window as unknown as { texts: typeof noted }).texts = noted;
  const draw = CanvasRenderingContext2D.prototype.fillText;
  CanvasRenderingContext2D.prototype.fillText = function (text, x, y) {
    const font_px = Number(/([\d.]+)px/.exec(this.font)![1]);
    const size_px = (font_px * this.getTransform().a) / devicePixelRatio;
    if (this.canvas.closest(".graph") !== null && size_px < noted.least_px)
      [noted.least_px, noted.text] = [size_px, text];
    draw.call(this, text, x, y);
  };
}

testPage(
  "no text of the graph is smaller than ten pixels, near or from afar, and a group leads to what it names",
  existsSync(multi) ? { args: () => ["--kernels", multi] } : {},
  async ({ page, vizd }) => {
    await page.addInitScript(noteTexts);
    await openPass(page, vizd, existsSync(multi) ? "merge_views" : "devectorize", "&match=3");
    const least = async () => {
      await atRest(page);
      const texts = await page.evaluate(() => {
        const { texts } = window as unknown as { texts: { least_px: number; text: string } };
        const told = { ...texts };
        texts.least_px = Infinity;
        return told;
      });
      assert.ok(texts.least_px >= 9.99, `${texts.text} of ${texts.least_px} px`);
      return texts;
    };
    await eventually(async () => assert.ok((await least()).least_px < Infinity, "there is text"));
    for (let i = 0; i < 14; i++) {
      await page.keyboard.press("-");
      await least();
    }
    await page.keyboard.press("Space");
    await least();
    if (!existsSync(multi)) return;
    const graph = (await page.locator(".graph").boundingBox())!;
    await page.mouse.move(graph.x + graph.width / 2, graph.y + graph.height / 2);
    const at = await page.evaluate(async () => {
      const canvas = document.querySelector<HTMLCanvasElement>(".graph canvas")!;
      const { left, top, width, height } = canvas.getBoundingClientRect();
      for (let y = 10; y < height; y += 7) {
        for (let x = 10; x < width; x += 13) {
          canvas.dispatchEvent(
            new PointerEvent("pointermove", { clientX: left + x, clientY: top + y, bubbles: true, pointerId: 1 }),
          );
          if (canvas.title === "Look at these") return { x: left + x, y: top + y };
        }
      }
      return null;
    });
    assert.ok(at !== null, "some group has a label");
    await page.mouse.click(at.x, at.y);
    await page.waitForFunction(() => {
      const camera = new URLSearchParams(location.hash.slice(1)).get("camera");
      return camera !== null && Number(camera.split(",")[2]) >= 0.6;
    });
    await least();
  },
);
