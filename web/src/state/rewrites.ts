// Which context and pass of the capture on screen the place means, and moves between them.
import { computed, type ReadonlySignal } from "@preact/signals";
import { stripAnsi } from "../lib/ansi";
import { kPassKeys } from "../lib/graph/arrangement";
import { changeRest, resolveNamedIndex } from "../lib/place";
import type { WireContext, WireLocation } from "../lib/wire";
import type { PlaceState } from "./place";
import type { SessionState } from "./session";

export interface RewritesState {
  /** In the contexts of the capture on screen: the one that the place names, or the first; null where none of that name is left. */
  context: ReadonlySignal<number | null>;
  /** In the context's passes: by the same rule. */
  pass: ReadonlySignal<number | null>;
  /** Goes to a pass, as a move that back undoes. Pass null opens the context alone. */
  goToPass(context: number, pass: number | null, match?: number): void;
  /** Goes to a rule in the table of rules, as a move that back undoes. */
  goToRule(location: WireLocation): void;
}

const kPassless = Object.fromEntries(kPassKeys.map((key) => [key, null]));

export function createRewrites(session: SessionState, place: PlaceState): RewritesState {
  const contextNames = computed(() => session.contexts.value?.contexts.map((c) => stripAnsi(c.name)) ?? []);
  const context = computed(() => {
    const wanted = place.part.context.value;
    if (wanted === null) return contextNames.value.length > 0 ? 0 : null;
    return resolveNamedIndex(wanted, contextNames.value);
  });
  const passNames = (c: WireContext) =>
    c.passes.name.map((n) => stripAnsi(session.contexts.value?.pass_names[n] ?? ""));
  const pass = computed(() => {
    const chosen = context.value === null ? undefined : session.contexts.value?.contexts[context.value];
    const wanted = place.part.pass.value;
    if (chosen === undefined || chosen.passes.name.length === 0) return null;
    return wanted === null ? 0 : resolveNamedIndex(wanted, passNames(chosen));
  });
  return {
    context,
    pass,
    goToRule([file, line]) {
      const rest = changeRest(place.current.peek().rest, { rule: `${file}:${line}`, effect: null });
      place.go({ view: "rules", rest });
    },
    goToPass(c, s, match = 0) {
      const chosen = session.contexts.value?.contexts[c];
      if (chosen === undefined) return;
      place.go({
        view: "rewrites",
        context: { index: c, name: contextNames.value[c] ?? "" },
        pass: s === null ? null : { index: s, name: passNames(chosen)[s] ?? "" },
        match,
        node: null,
        camera: null,
        rest: changeRest(place.current.peek().rest, kPassless),
      });
    },
  };
}
