// The difference between two states of a pass; and the mark that a state is compared with, as it stands in the URL: it
// may be of another pass, known by index and name as places are.
import { formatNamedIndex, parseNamedIndex, type NamedIndex } from "../named-index";
import type { PassChanges } from "./pass-changes";
import type { PassModel } from "./pass-model";

export interface Mark {
  context: NamedIndex;
  pass: NamedIndex;
  state: number;
}

/** "12|3:E_4|0:expander". */
export function formatMark({ state, context, pass }: Mark): string {
  return [state, formatNamedIndex(context), formatNamedIndex(pass)].join("|");
}

export function parseMark(text: string | undefined): Mark | null {
  const [state, contextText, passText] = (text ?? "").split("|");
  const [context, pass] = [parseNamedIndex(contextText), parseNamedIndex(passText)];
  if (context === null || pass === null || !/^\d{1,9}$/.test(state ?? "")) return null;
  return { context, pass, state: Number(state) };
}

/**
 * The changes on the way from one state to another, which may lead back. A node has changed where its label
 * or its sources have. O(nodes and edges of all states).
 */
export function diffStates(model: PassModel, from: number, to: number): PassChanges {
  const changes: PassChanges = {
    before: from,
    made: new Set(),
    rewritten: new Set(),
    removed: [],
    madeEdges: new Set(),
    removedEdges: [],
  };
  const noteUser = (edge: number) => {
    const user = model.edgeUser.at(edge);
    if (model.isBox(user, from) && model.isBox(user, to)) changes.rewritten.add(user);
  };
  for (let node = 0; node < model.nodeCount; node++) {
    const [was, is] = [model.isBox(node, from), model.isBox(node, to)];
    if (is && !was) changes.made.add(node);
    else if (was && !is) changes.removed.push(node);
    else if (is && !isSameVersion(model, model.versionAt(node, from), model.versionAt(node, to))) {
      changes.rewritten.add(node);
    }
  }
  for (let edge = 0; edge < model.edgeCount; edge++) {
    const [was, is] = [model.isEdgeAlive(edge, from), model.isEdgeAlive(edge, to)];
    if (was === is) continue;
    if (is) changes.madeEdges.add(edge);
    else changes.removedEdges.push(edge);
    noteUser(edge);
  }
  return changes;
}

function isSameVersion(model: PassModel, a: number, b: number): boolean {
  if (a === b) return true;
  return (
    model.kinds[model.versionKind.at(a)]?.name === model.kinds[model.versionKind.at(b)]?.name &&
    model.labels[model.versionLabel.at(a)] === model.labels[model.versionLabel.at(b)] &&
    model.versionTag[a] === model.versionTag[b]
  );
}
