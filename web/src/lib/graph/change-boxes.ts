// The boxes of a match's change, and of what they read and are read by: what framing.ts brings into view.
import type { Rect } from "../camera";
import type { Framed } from "./framing";
import { changesAt, type PassChanges } from "./pass-changes";
import type { PassLayout } from "./pass-layout";
import type { PassModel } from "./pass-model";

/** How far to look for a match that changed anything. */
const kFarthest = 256;

/**
 * The state whose change is looked at: this one, or, where nothing of its change has a place, the nearest before that
 * has, or else after; null where there is none near. The input has no change of its own: the first to come.
 */
export function stateOfChange(model: PassModel, layout: PassLayout, state: number): number | null {
  const isPlaced = (at: number) => placedOf(changesAt(model, at), layout).length > 0;
  for (let at = state; at > Math.max(state - kFarthest, 0); at--) if (isPlaced(at)) return at;
  const end = Math.min(model.knownStates, state + kFarthest);
  for (let at = Math.max(state, 0) + 1; at < end; at++) if (isPlaced(at)) return at;
  return null;
}

export function boxesOfChange(model: PassModel, layout: PassLayout, state: number): Framed {
  const changes = changesAt(model, state);
  const { made, rewritten, removed, before } = changes;
  const placed = placedOf(changes, layout);
  const isCore = (node: number) => made.has(node) || !rewritten.has(node);
  // A label may change far from what was made or removed, as a shape does that follows from it.
  const core = placed.some(isCore) ? placed.filter(isCore) : placed;
  const around = new Set(placed);
  const gone = new Set(removed);
  for (const node of core) {
    // A removed node had its neighbours before.
    for (const other of neighboursOf(model, layout, node, gone.has(node) ? before : state)) around.add(other);
  }
  for (const node of core) around.delete(node);
  return { changed: rectsOf(layout, core), around: rectsOf(layout, around) };
}

function placedOf({ made, rewritten, removed }: PassChanges, layout: PassLayout): number[] {
  return [...made, ...rewritten, ...removed].filter((node) => layout.has(node));
}

/** Sources and users; those that a stub names, in place of a long edge, are not looked for. */
function neighboursOf(model: PassModel, layout: PassLayout, node: number, state: number): number[] {
  const { edges } = layout;
  const sources = edges.into(node, model, state).filter((edge) => !edges.isCut(edge));
  const users = edges.outOf(node, model, state).filter((edge) => !edges.isCut(edge));
  return [
    ...sources.map((edge) => edges.sourceOf(edge, model)),
    ...users.map((edge) => edges.userOf(edge, model)),
  ].filter((other) => layout.has(other) && model.isBox(other, state));
}

function rectsOf(layout: PassLayout, nodes: Iterable<number>): Rect[] {
  return Array.from(nodes, (node) => {
    const { x, y, w, h } = layout.box(node);
    return { left: x, top: y, right: x + w, bottom: y + h };
  });
}
