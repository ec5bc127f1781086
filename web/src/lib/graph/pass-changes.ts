// The changes that one match made to the graph, and the matches that touch a node: asked of a PassModel.
import type { PassModel } from "./pass-model";

export interface PassChanges {
  /** The state compared with: what was removed is as it was there. */
  before: number;
  made: Set<number>;
  /** Nodes that went on with another label. */
  rewritten: Set<number>;
  /** Boxes of the state before that are none any more. */
  removed: number[];
  madeEdges: Set<number>;
  removedEdges: number[];
}

/** The changes of the match that led to this state; none for state 0. O(changes). */
export function changesAt(model: PassModel, state: number): PassChanges {
  const made = new Set<number>();
  const rewritten = new Set<number>();
  const removed: number[] = [];
  if (state > 0) {
    for (const version of model.versionsFrom(state)) {
      const node = model.versionNode.at(version);
      if (model.born.at(node) === state) made.add(node);
      else if (model.isBox(node, state)) rewritten.add(node);
      else if (model.isBox(node, state - 1)) removed.push(node);
    }
    for (const node of model.deathsAt(state)) if (model.isBox(node, state - 1)) removed.push(node);
  }
  return {
    before: Math.max(state - 1, 0),
    made,
    rewritten,
    removed,
    madeEdges: new Set(state > 0 ? model.edgeBirthsAt(state) : []),
    removedEdges: [...model.edgeDeathsAt(state)],
  };
}

/** States at which a node is made, gets another label or other sources, or is removed: in order, each once. */
export function touchingStates(model: PassModel, node: number): number[] {
  const states = new Set<number>([model.born.at(node)]);
  for (const version of model.versionsOf(node)) states.add(model.versionState.at(version));
  if (model.died.at(node) < model.stateCount) states.add(model.died.at(node));
  for (const edge of model.allSourceEdges(node)) {
    states.add(model.edgeBorn.at(edge));
    if (model.edgeDied.at(edge) < model.stateCount) states.add(model.edgeDied.at(edge));
  }
  return [...states].sort((a, b) => a - b);
}

/** One event in the life of a node. */
export interface LifeEvent {
  state: number;
  what: "made" | "label" | "removed" | "merged";
  /** The version that begins; -1 at the end of a life. */
  version: number;
}

/** A node's biography, from its birth to its end. */
export function tellLife(model: PassModel, node: number): LifeEvent[] {
  const events: LifeEvent[] = [];
  for (const version of model.versionsOf(node)) {
    const state = model.versionState.at(version);
    events.push({ state, what: state === model.born.at(node) ? "made" : "label", version });
  }
  const death = model.died.at(node);
  if (death < model.stateCount) {
    events.push({ state: death, what: model.mergedInto.at(node) >= 0 ? "merged" : "removed", version: -1 });
  }
  return events;
}

/** A port of a node that reads from another node from a state on; -1 where it reads, or read, from none. */
export interface Rewiring {
  state: number;
  port: number;
  from: number;
  to: number;
}

/** Every change of a node's sources between its birth and its end, by state and port. */
export function tellRewirings(model: PassModel, node: number): Rewiring[] {
  const changes = new Map<string, Rewiring>();
  const at = (state: number, port: number) => {
    const key = `${state} ${port}`;
    if (!changes.has(key)) changes.set(key, { state, port, from: -1, to: -1 });
    return changes.get(key)!;
  };
  const [birth, death] = [model.born.at(node), model.died.at(node)];
  for (const edge of model.allSourceEdges(node)) {
    const [source, port] = [model.edgeSource.at(edge), model.edgePort.at(edge)];
    if (model.edgeBorn.at(edge) > birth) at(model.edgeBorn.at(edge), port).to = source;
    if (model.edgeDied.at(edge) < Math.min(death, model.stateCount)) at(model.edgeDied.at(edge), port).from = source;
  }
  return [...changes.values()].sort((a, b) => a.state - b.state || a.port - b.port);
}

/** The state whose match made and removed the most boxes, the first of equals; 0 where none did anything. */
export function findLargestChange({ made, removed, knownStates }: PassModel): number {
  let largest = 0;
  for (let state = 1; state < knownStates; state++) {
    const isLarger = made[state]! + removed[state]! > (largest === 0 ? 0 : made[largest]! + removed[largest]!);
    if (isLarger) largest = state;
  }
  return largest;
}

/** How often each rule (index into locations) has matched in the known states. */
export function countRuleHits(model: PassModel): Map<number, number> {
  const hits = new Map<number, number>();
  for (const rule of model.rule.view()) if (rule >= 0) hits.set(rule, (hits.get(rule) ?? 0) + 1);
  return hits;
}

/** How many boxes of each op there are at a state, the most first. O(nodes of all states). */
export function countKinds(model: PassModel, state: number): Map<string, number> {
  const counts = new Map<string, number>();
  for (const node of model.listBoxes(state)) {
    const name = model.kindAt(node, state)?.name ?? "";
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return new Map([...counts].sort((a, b) => b[1] - a[1]));
}

/** Boxes of a state of a replay whose label an older replay of the pass has nowhere in its graph. */
export function findNewLabels(old: PassModel, oldState: number, now: PassModel, state: number): Set<number> {
  const known = new Set(old.listBoxes(oldState).map((node) => old.labelAt(node, oldState)));
  return new Set(now.listBoxes(state).filter((node) => !known.has(now.labelAt(node, state))));
}

/**
 * The node of a newer replay that stands for one of an older: of the same number, or else the first, with its label.
 */
export function findSameNode(
  old: PassModel,
  oldState: number,
  node: number,
  now: PassModel,
  state: number,
): number | null {
  if (node >= old.nodeCount) return null;
  const label = old.labelAt(node, oldState);
  if (now.isAlive(node, state) && now.labelAt(node, state) === label) return node;
  return now.listBoxes(state).find((candidate) => now.labelAt(candidate, state) === label) ?? null;
}
