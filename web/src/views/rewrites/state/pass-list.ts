// The list of passes: what is unfolded in it, and what the last reload changed.
import { effect, signal, untracked, type ReadonlySignal } from "@preact/signals";
import { stripAnsi } from "../../../lib/ansi";
import { openKey, openKeysOf } from "../../../lib/graph/pass-rows";
import type { WireContexts } from "../../../lib/wire";
import type { ChosenState } from "../../../state/chosen";
import type { SessionState } from "../../../state/session";

export interface PassListState {
  /** By lib/graph/pass-rows' openKey. */
  open: ReadonlySignal<ReadonlySet<string>>;
  toggle(key: string): void;
  /** All that a pass is folded into. */
  unfold(context: number, pass: number | null): void;
  /**
   * Rows, as "context.pass" (pass -1 is the context's own), that the last reload added or changed. Empties by itself.
   */
  changed: ReadonlySignal<ReadonlySet<string>>;
}

const kFlash_ms = 1600;

export function createPassList(session: SessionState, chosen: ChosenState): PassListState {
  const open = signal<ReadonlySet<string>>(new Set());
  const changed = signal<ReadonlySet<string>>(new Set());
  let before: WireContexts | null = null;

  effect(() => {
    const now = session.contexts.value;
    const old = before;
    before = now;
    if (now === null || old === null || old.capture !== now.capture) {
      const first = untracked(() => chosen.context.value);
      open.value = new Set(first === null ? [] : [openKey({ context: first, pass: -1, quiet: 0 })]);
      return;
    }
    open.value = carryOver(
      old,
      now,
      untracked(() => open.value),
    );
    changed.value = findChanged(old, now);
    const timer = setTimeout(() => (changed.value = new Set()), kFlash_ms);
    return () => clearTimeout(timer);
  });

  return {
    open,
    changed,
    toggle(key) {
      const next = new Set(open.peek());
      if (!next.delete(key)) next.add(key);
      open.value = next;
    },
    unfold(context, pass) {
      const contexts = session.contexts.peek();
      const keys = contexts === null ? [] : openKeysOf(contexts, context, pass);
      if (keys.some((key) => !open.peek().has(key))) open.value = new Set([...open.peek(), ...keys]);
    },
  };
}

/** What was unfolded stays so, by the context's name, and in it by the place of the pass. */
function carryOver(old: WireContexts, now: WireContexts, open: ReadonlySet<string>): Set<string> {
  const inside = new Map<string, string[]>(); // by a context's name, what of it is unfolded
  for (const key of open) {
    const dot = key.indexOf(".");
    const name = stripAnsi(old.contexts[Number(key.slice(0, dot))]?.name ?? "");
    inside.set(name, [...(inside.get(name) ?? []), key.slice(dot)]);
  }
  const next = new Set<string>();
  now.contexts.forEach((context, c) => {
    for (const rest of inside.get(stripAnsi(context.name)) ?? []) next.add(`${c}${rest}`);
  });
  return next;
}

function findChanged(old: WireContexts, now: WireContexts): Set<string> {
  const matchesBefore = new Map<string, number[]>();
  for (const context of old.contexts) matchesBefore.set(context.name, context.passes.matches);
  const changed = new Set<string>();
  now.contexts.forEach((context, c) => {
    const before = matchesBefore.get(context.name);
    if (before === undefined) changed.add(`${c}.-1`);
    else context.passes.matches.forEach((n, s) => n !== before[s] && changed.add(`${c}.${s}`));
  });
  return changed;
}
