// The list of passes: the contexts that are unfolded in it, and what the last reload changed.
import { effect, signal, untracked, type ReadonlySignal } from "@preact/signals";
import { stripAnsi } from "../../../lib/ansi";
import type { WireContexts } from "../../../lib/wire";
import type { ChosenState } from "../../../state/chosen";
import type { SessionState } from "../../../state/session";

export interface PassListState {
  open: ReadonlySignal<ReadonlySet<number>>;
  toggle(context: number): void;
  unfold(context: number): void;
  /**
   * Rows, as "context.pass" (pass -1 is the context's own), that the last reload added or changed. Empties by itself.
   */
  changed: ReadonlySignal<ReadonlySet<string>>;
}

const kFlash_ms = 1600;

export function createPassList(session: SessionState, chosen: ChosenState): PassListState {
  const open = signal<ReadonlySet<number>>(new Set());
  const changed = signal<ReadonlySet<string>>(new Set());
  let before: WireContexts | null = null;

  effect(() => {
    const now = session.contexts.value;
    const old = before;
    before = now;
    if (now === null || old === null || old.capture !== now.capture) {
      const first = untracked(() => chosen.context.value);
      open.value = new Set(first === null ? [] : [first]);
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

  const set = (context: number, isOpen: boolean) => {
    const next = new Set(open.peek());
    if (isOpen) next.add(context);
    else next.delete(context);
    open.value = next;
  };
  return {
    open,
    changed,
    toggle: (context) => set(context, !open.peek().has(context)),
    unfold: (context) => {
      if (!open.peek().has(context)) set(context, true);
    },
  };
}

/** Contexts that were unfolded stay so, by name. */
function carryOver(old: WireContexts, now: WireContexts, open: ReadonlySet<number>): Set<number> {
  const names = new Set([...open].map((c) => stripAnsi(old.contexts[c]?.name ?? "")));
  const next = new Set<number>();
  now.contexts.forEach((context, c) => {
    if (names.has(stripAnsi(context.name))) next.add(c);
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
