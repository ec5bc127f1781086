// The way to the match that changed the most: in the pass of the context that has the most matches, the match that made
// and removed the most nodes. Of a kernel that is where it became what it is.
import { untracked, useSignal, useSignalEffect } from "@preact/signals";
import { findLargestChange } from "../../lib/graph/pass-changes";
import { useApp, useCommand } from "../parts/app-context";
import { useRewrites } from "./context";

export function useLargest(): void {
  const { session, chosen } = useApp();
  const { graph } = useRewrites();
  /** The pass that is meant, until all of it has come. */
  const wanted = useSignal<{ context: number; pass: number } | null>(null);
  useCommand("match.largest", () => {
    const context = chosen.context.peek();
    const matches = session.contexts.peek()?.contexts[context ?? -1]?.passes.matches ?? [];
    const pass = matches.indexOf(Math.max(...matches));
    if (context === null || pass < 0) return;
    wanted.value = { context, pass };
    if (pass !== chosen.pass.peek()) chosen.goToPass(context, pass);
  });
  useSignalEffect(() => {
    const model = graph.shown.value?.loaded.model;
    const meant = wanted.value;
    if (meant === null || model === undefined) return;
    const isHere = meant.context === chosen.context.value && meant.pass === chosen.pass.value;
    if (!isHere || !graph.shown.value!.loaded.done) return;
    untracked(() => {
      wanted.value = null;
      graph.goToState(findLargestChange(model));
    });
  });
}
