// A node's biography: one chapter a match that made, relabelled, rewired, merged or removed it, with what it was before
// and after.
import { stripAnsi } from "../ansi";
import { tellLife, tellRewirings, type Rewiring } from "./pass-changes";
import type { PassModel } from "./pass-model";
import type { WireLocation } from "../wire";

export interface Chapter {
  state: number;
  what: "made" | "label" | "sources" | "merged" | "removed";
  /** The rule of the match; undefined where the node was there from the start. */
  rule: WireLocation | undefined;
  /** Label before and after, without colours; null where there is none. */
  before: string | null;
  after: string | null;
  rewirings: readonly Rewiring[];
}

export function tellBiography(model: PassModel, node: number): Chapter[] {
  const rewirings = new Map<number, Rewiring[]>();
  for (const rewiring of tellRewirings(model, node)) {
    rewirings.set(rewiring.state, [...(rewirings.get(rewiring.state) ?? []), rewiring]);
  }
  const chapters = new Map<number, Chapter>();
  let label: string | null = null;
  for (const { state, what, version } of tellLife(model, node)) {
    const after = version < 0 ? null : stripAnsi(model.labels[model.versionLabel.at(version)] ?? "");
    chapters.set(state, {
      state,
      what,
      rule: model.ruleAt(state),
      before: label,
      after,
      rewirings: rewirings.get(state) ?? [],
    });
    label = after;
  }
  for (const [state, changed] of rewirings) {
    if (chapters.has(state)) continue;
    const now = stripAnsi(model.labelAt(node, state));
    const text = { before: now, after: now };
    chapters.set(state, { state, what: "sources", rule: model.ruleAt(state), ...text, rewirings: changed });
  }
  return [...chapters.values()].sort((a, b) => a.state - b.state);
}
