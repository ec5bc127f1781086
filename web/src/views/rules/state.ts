// The rules of the capture on screen, and the matches of the one that is chosen. Counting them takes the server a
// while: how far it has come is told, with the rules of the passes that are done. What is chosen stands in the URL, the
// rule by its location's text.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../lib/api";
import { createList, type List } from "../parts/list-view/list";
import { ruleColumns } from "./columns";
import { kFirstOrder, listRules, textOfRule, type RuleRow } from "./rule-rows";
import type { WireRuleMatches, WireRules } from "../../lib/graph/wire-history";
import { followWish, type Fetched } from "../../state/fetched";
import { getWhenDone, type Progress } from "../../state/pending-answer";
import type { PlaceState } from "../../state/place";
import type { SessionState } from "../../state/session";

export const kEffects = ["all", "changed", "unchanged", "undone"] as const;
export type Effect = (typeof kEffects)[number];

export interface RulesState {
  fetched: ReadonlySignal<Fetched<WireRules>>;
  /** The rules of the passes that are done; null: none yet. */
  table: ReadonlySignal<WireRules | null>;
  /** While there are others. */
  progress: ReadonlySignal<Progress | null>;
  list: List<RuleRow>;
  effect: ReadonlySignal<Effect>;
  matches: ReadonlySignal<Fetched<WireRuleMatches>>;
  setEffect(effect: Effect): void;
}

export function createRules(api: Api, session: SessionState, place: PlaceState): RulesState {
  const progress = signal<Progress | null>(null);
  const soFar = signal<WireRules | null>(null);
  const effectName = place.key("effect");
  const wishOf = (path: string) => {
    const contexts = session.contexts.value;
    return contexts === null ? null : `${contexts.revision} ${pathOfCapture(path, contexts.capture)}`;
  };
  const tell = (now: Progress | null, known?: Partial<WireRules>) => {
    progress.value = now;
    // At the end the whole table takes its place.
    if (now !== null) soFar.value = known?.rules === undefined ? null : (known as WireRules);
  };
  const fetched = followWish(
    computed(() => wishOf("/api/v1/rules")),
    (path, abort) => getWhenDone<WireRules>(api, path, abort, tell),
  );
  const table = computed(() => fetched.value.value?.data ?? soFar.value);
  const all = computed(() => (table.value === null ? [] : listRules(table.value)));
  const list = createList<RuleRow>(place, {
    rows: () => all.value,
    columns: () => ruleColumns(all.value),
    keyOf: (rule) => `${rule.file}:${rule.line}`,
    textOf: textOfRule,
    keys: { text: "rules", order: "by", chosen: "rule" },
    firstOrder: kFirstOrder,
  });
  const effect = computed(() => kEffects.find((name) => name === effectName.value) ?? "all");
  const matches = followWish(
    computed(() => {
      const rule = list.chosen.value;
      if (rule === null) return null;
      const only = effect.value === "all" ? "" : `&effect=${effect.value}`;
      return wishOf(`/api/v1/rules/${rule.location}/matches?limit=10000${only}`);
    }),
    (path, abort) => getWhenDone<WireRuleMatches>(api, path, abort, () => undefined),
  );
  return {
    fetched,
    table,
    progress,
    list,
    effect,
    matches,
    setEffect: (next) => place.adjust({ effect: next === "all" ? null : next }),
  };
}
