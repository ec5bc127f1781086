// The way to the match that changed the most: in the pass of the context that has the most matches, the match that made
// and removed the most nodes. Of a kernel that is where it became what it is.
import { untracked, useSignal, useSignalEffect } from "@preact/signals";
import { keyOfPass } from "../../lib/graph/loaded-pass";
import { findLargestChange } from "../../lib/graph/pass-changes";
import { useApp, useCommand } from "../parts/app-context";
import { useRewrites } from "./context";

export function useLargest(): void {
  const { session, chosen } = useApp();
  const { graph } = useRewrites();
  /** The key of the pass that is meant, until all of it has come. */
  const wanted = useSignal<string | null>(null);
  useCommand("match.largest", () => {
    const context = chosen.context.peek();
    const known = session.contexts.peek();
    const matches = known?.contexts[context ?? -1]?.passes.matches ?? [];
    const pass = matches.indexOf(Math.max(...matches));
    if (known === null || context === null || pass < 0) return;
    wanted.value = keyOfPass(known.capture, context, pass);
    if (pass !== chosen.pass.peek()) chosen.goToPass(context, pass);
  });
  useSignalEffect(() => {
    // The pass before it stays on screen, and is whole, until the first of this one has come.
    const loaded = graph.shown.value?.loaded;
    if (wanted.value === null || loaded?.key !== wanted.value || !loaded.done) return;
    untracked(() => {
      wanted.value = null;
      graph.goToState(findLargestChange(loaded.model));
    });
  });
}
