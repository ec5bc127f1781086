// The search in the other passes, where the one on screen has nothing at any match: those of the same context first,
// then all others, one after another until one has it. Leads there.
import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../../lib/api";
import type { WireSearch } from "../../../lib/graph/wire-history";
import type { WireContext } from "../../../lib/wire";
import type { ChosenState } from "../../../state/chosen";
import type { SessionState } from "../../../state/session";

export interface FindElsewhere {
  /** How many passes have been looked into, and of how many; null where nobody has asked. */
  progress: ReadonlySignal<{ done: number; of: number } | null>;
  look(): void;
}

export function createFindElsewhere(
  api: Api,
  session: SessionState,
  chosen: ChosenState,
  query: ReadonlySignal<string>,
): FindElsewhere {
  const progress = signal<{ done: number; of: number } | null>(null);
  let abort = new AbortController();
  const stop = () => {
    abort.abort();
    progress.value = null;
  };
  effect(() => {
    void [query.value, chosen.context.value, chosen.pass.value, session.contexts.value?.revision];
    stop(); // another question
  });

  async function look(): Promise<void> {
    const contexts = session.contexts.peek();
    const [here, pass] = [chosen.context.peek(), chosen.pass.peek()];
    if (contexts === null || here === null || pass === null) return;
    abort = new AbortController();
    const mine = abort;
    const places = otherPasses(contexts.contexts, here, pass);
    const asked = encodeURIComponent(query.peek());
    for (const [done, [c, p]] of places.entries()) {
      progress.value = { done, of: places.length };
      const path = pathOfCapture(`/api/v1/search/${c}/${p}?q=${asked}&from=0&limit=1`, contexts.capture);
      const answer = await api.getJson<WireSearch>(path, mine.signal);
      if (mine.signal.aborted) return;
      const first = answer.ok ? answer.value.first_state?.some : null; // a pass that cannot be replayed has nothing
      if (first !== null && first !== undefined) return chosen.goToPass(c, p, first);
    }
    progress.value = { done: places.length, of: places.length };
  }
  return { progress, look: () => void look() };
}

/** Every pass but the one on screen, from the next one on, those of its context first. */
export function otherPasses(
  contexts: readonly Pick<WireContext, "passes">[],
  here: number,
  pass: number,
): (readonly [context: number, pass: number])[] {
  const around = <T>(all: readonly T[], at: number) => [...all.slice(at + 1), ...all.slice(0, at)];
  const passesOf = (c: number) => contexts[c]!.passes.name.map((_, p) => [c, p] as const);
  const others = around([...contexts.keys()], here);
  return [...around(passesOf(here), pass), ...others.flatMap(passesOf)];
}
