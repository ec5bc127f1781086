// The rules of the capture on screen, and the matches of the one that is chosen. Counting them takes the server a while:
// how far it is is told. What is chosen stands in the URL, the rule by its location's text.
import { computed, signal, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../lib/api";
import {
  arrangeRules,
  formatOrder,
  listRules,
  parseOrder,
  type RuleColumn,
  type RuleOrder,
  type RuleRow,
} from "./rule-rows";
import type { WireRuleMatches, WireRules } from "../../lib/graph/wire-history";
import { followWish, type Fetched } from "../../state/fetched";
import { getWhenDone, type Progress } from "../../state/pending-answer";
import type { PlaceState } from "../../state/place";
import type { SessionState } from "../../state/session";

export const kEffects = ["all", "changed", "unchanged", "undone"] as const;
export type Effect = (typeof kEffects)[number];

export interface RulesState {
  fetched: ReadonlySignal<Fetched<WireRules>>;
  progress: ReadonlySignal<Progress | null>;
  rows: ReadonlySignal<readonly RuleRow[]>;
  text: ReadonlySignal<string>;
  order: ReadonlySignal<RuleOrder>;
  chosen: ReadonlySignal<RuleRow | null>;
  effect: ReadonlySignal<Effect>;
  matches: ReadonlySignal<Fetched<WireRuleMatches>>;
  setText(text: string): void;
  sortBy(column: RuleColumn): void;
  choose(rule: RuleRow | null): void;
  setEffect(effect: Effect): void;
}

export function createRules(api: Api, session: SessionState, place: PlaceState): RulesState {
  const progress = signal<Progress | null>(null);
  const field = (key: string) => computed(() => place.keys.value[key]);
  const [text, sorted, named, effectName] = [field("rules"), field("by"), field("rule"), field("effect")];
  const wishOf = (path: string) => {
    const contexts = session.contexts.value;
    return contexts === null ? null : `${contexts.revision} ${pathOfCapture(path, contexts.capture)}`;
  };
  const tell = (now: Progress | null) => (progress.value = now);
  const fetched = followWish(
    computed(() => wishOf("/api/v1/rules")),
    (path, abort) => getWhenDone<WireRules>(api, path, abort, tell),
  );
  const all = computed(() => (fetched.value.value === null ? [] : listRules(fetched.value.value.data)));
  const order = computed(() => parseOrder(sorted.value));
  const rows = computed(() => arrangeRules(all.value, text.value ?? "", order.value));
  const chosen = computed(() => all.value.find((row) => `${row.file}:${row.line}` === named.value) ?? null);
  const effect = computed(() => kEffects.find((name) => name === effectName.value) ?? "all");
  const matches = followWish(
    computed(() => {
      const rule = chosen.value;
      if (rule === null) return null;
      const only = effect.value === "all" ? "" : `&effect=${effect.value}`;
      return wishOf(`/api/v1/rules/${rule.location}/matches?limit=10000${only}`);
    }),
    (path, abort) => getWhenDone<WireRuleMatches>(api, path, abort, tell),
  );
  return {
    fetched,
    progress,
    rows,
    text: computed(() => text.value ?? ""),
    order,
    chosen,
    effect,
    matches,
    setText: (next) => place.adjust({ rules: next === "" ? null : next }),
    sortBy(column) {
      const { column: now, descending } = order.peek();
      const next = { column, descending: column === now ? !descending : column !== "name" };
      place.adjust({ by: formatOrder(next) });
    },
    choose: (rule) => place.adjust({ rule: rule === null ? null : `${rule.file}:${rule.line}` }),
    setEffect: (next) => place.adjust({ effect: next === "all" ? null : next }),
  };
}
