// The context and the pass that are chosen: which of the capture on screen the place's shared keys "context" and "pass"
// mean.
import { computed, type ReadonlySignal } from "@preact/signals";
import { stripAnsi } from "../lib/ansi";
import { linkToPass } from "../lib/links";
import {
  formatNamedIndex,
  parseNamedIndex,
  resolveKeyed,
  resolveNamedIndex,
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
  /** The context that the place names, where that is gone and another of its name is shown. */
  gone: ReadonlySignal<NamedIndex | null>;
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
  const contexts = computed<Named[]>(
    () => session.contexts.value?.contexts.map(({ name, key }) => ({ name: stripAnsi(name), key })) ?? [],
  );
  const [contextKey, passKey] = [place.key("context"), place.key("pass")];
  const named = computed(() => ({ context: parseNamedIndex(contextKey.value), pass: parseNamedIndex(passKey.value) }));
  const resolved = computed(() => resolveKeyed(named.value.context, contexts.value));
  const context = computed(() => {
    if (named.value.context === null) return contexts.value.length > 0 ? firstWithMatches() : null;
    return resolved.value?.index ?? null;
  });
  const gone = computed(() => (resolved.value?.isSame === false ? named.value.context : null));
  /** The first pass in which a rule matched; -1 where none did. */
  const findMatches = ({ passes }: WireContext) => passes.matches.findIndex((count) => count > 0);
  const firstWithMatches = () =>
    Math.max(session.contexts.value?.contexts.findIndex((c) => findMatches(c) >= 0) ?? 0, 0);
  const passNames = (c: WireContext) =>
    c.passes.name.map((n) => stripAnsi(session.contexts.value?.pass_names[n] ?? ""));
  const pass = computed(() => {
    const chosen = context.value === null ? undefined : session.contexts.value?.contexts[context.value];
    const wanted = named.value.pass;
    if (chosen === undefined || chosen.passes.name.length === 0) return null;
    return wanted === null ? Math.max(findMatches(chosen), 0) : resolveNamedIndex(wanted, passNames(chosen));
  });
  const nameContext = (c: number): NamedIndex => ({ index: c, ...(contexts.value[c] ?? { name: "" }) });
  const namePass = (c: WireContext, p: number): NamedIndex => ({ index: p, name: passNames(c)[p] ?? "" });
  return {
    context,
    gone,
    pass,
    named,
    nameContext,
    listKeys() {
      const chosen = session.contexts.value?.contexts[context.value ?? -1];
      if (chosen === undefined) return {};
      const keys = { context: formatNamedIndex(nameContext(context.value!)) };
      return pass.value === null ? keys : { ...keys, pass: formatNamedIndex(namePass(chosen, pass.value)) };
    },
    goToPass(c, s, match) {
      const chosen = session.contexts.value?.contexts[c];
      if (chosen === undefined) return;
      const inContext = s === null ? null : namePass(chosen, s);
      place.follow(linkToPass(nameContext(c), inContext, match));
    },
  };
}
