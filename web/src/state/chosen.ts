// The context and the pass that are chosen: which of the capture on screen the place's shared keys "context" and "pass"
// mean.
import { computed, type ReadonlySignal } from "@preact/signals";
import { linkToPass } from "../lib/links";
import {
  formatNamedIndex,
  listContexts,
  listPasses,
  parseNamedIndex,
  resolveKeyed,
  resolvePass,
  type Named,
  type NamedIndex,
} from "../lib/named-index";
import type { Keys } from "../lib/place";
import type { WireContext } from "../lib/wire";
import type { PlaceState } from "./place";
import type { SessionState } from "./session";

export interface ChosenState {
  /**
   * In the contexts of the capture on screen: the one that the place names, or the first that has a match; null where
   * neither it nor one of its name is left.
   */
  context: ReadonlySignal<number | null>;
  /** The context, or else the pass, that the place names, where that is gone and another of its name is shown. */
  gone: ReadonlySignal<{ kind: "kernel" | "context" | "pass"; name: string } | null>;
  /** In the context's passes: by the same rule. */
  pass: ReadonlySignal<number | null>;
  /** As the place names them; null where it does not. */
  named: ReadonlySignal<{ context: NamedIndex | null; pass: NamedIndex | null }>;
  /** A context as links name it. */
  nameContext(context: number): NamedIndex;
  /** The context and the pass as links name them, also where the place names none. */
  listKeys(): Keys;
  /** Goes to a pass, as a move that back undoes. Pass null opens the context alone. */
  goToPass(context: number, pass: number | null, match?: number): void;
}

export function createChosen(session: SessionState, place: PlaceState): ChosenState {
  const contexts = computed<Named[]>(() => listContexts(session.contexts.value));
  const [contextKey, passKey] = [place.key("context"), place.key("pass")];
  const named = computed(() => ({ context: parseNamedIndex(contextKey.value), pass: parseNamedIndex(passKey.value) }));
  const resolved = computed(() => resolveKeyed(named.value.context, contexts.value));
  const context = computed(() => {
    if (named.value.context === null) return contexts.value.length > 0 ? firstWithMatches() : null;
    return resolved.value?.index ?? null;
  });
  /** The first pass in which a rule matched; -1 where none did. */
  const findMatches = ({ passes }: WireContext) => passes.matches.findIndex((count) => count > 0);
  const firstWithMatches = () =>
    Math.max(session.contexts.value?.contexts.findIndex((c) => findMatches(c) >= 0) ?? 0, 0);
  const chosenContext = computed(() => session.contexts.value?.contexts[context.value ?? -1] ?? null);
  const passes = computed<Named[]>(() =>
    chosenContext.value === null ? [] : listPasses(session.contexts.value!, chosenContext.value),
  );
  const resolvedPass = computed(() => resolvePass(named.value.pass, passes.value));
  const pass = computed(() => {
    if (chosenContext.value === null || passes.value.length === 0) return null;
    return named.value.pass === null
      ? Math.max(findMatches(chosenContext.value), 0)
      : (resolvedPass.value?.index ?? null);
  });
  const gone = computed(() => {
    const wanted = named.value;
    if (resolved.value?.isSame === false) {
      return {
        kind: chosenContext.value?.program ? ("kernel" as const) : ("context" as const),
        name: wanted.context!.name,
      };
    }
    return resolvedPass.value?.isSame === false ? { kind: "pass" as const, name: wanted.pass!.name } : null;
  });
  const nameContext = (c: number): NamedIndex => ({ index: c, ...(contexts.value[c] ?? { name: "" }) });
  const namePass = (of: readonly Named[], p: number): NamedIndex => ({ index: p, ...(of[p] ?? { name: "" }) });
  return {
    context,
    gone,
    pass,
    named,
    nameContext,
    listKeys() {
      if (chosenContext.value === null) return {};
      const keys = { context: formatNamedIndex(nameContext(context.value!)) };
      return pass.value === null ? keys : { ...keys, pass: formatNamedIndex(namePass(passes.value, pass.value)) };
    },
    goToPass(c, s, match) {
      const all = session.contexts.value;
      const chosen = all?.contexts[c];
      if (all === null || chosen === undefined) return;
      const inContext = s === null ? null : namePass(listPasses(all, chosen), s);
      place.follow(linkToPass(nameContext(c), inContext, match));
    },
  };
}
