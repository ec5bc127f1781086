// A layout that the server found only with a hundred times the work: asked for in the background once a pass that was
// laid out in a hurry is whole and has been looked at for a moment, and then offered. Nothing moves unasked.
import { effect, signal, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../../lib/api";
import type { PassLayout } from "../../../lib/graph/pass-layout";
import type { PassModel } from "../../../lib/graph/pass-model";
import { fetchLayouts } from "./layout-stream";
import type { ChosenState } from "../../../state/chosen";
import type { SessionState } from "../../../state/session";
import type { PassStream } from "./pass-stream";

export interface BetterLayout {
  /** Whether there is one for the pass on screen. */
  isThere: ReadonlySignal<boolean>;
  /** The one for a state; null where there is none, or none better. */
  find(model: PassModel, state: number): PassLayout | null;
}

const kLook_ms = 1200;

export function createBetterLayout(
  api: Api,
  session: SessionState,
  chosen: ChosenState,
  pass: PassStream,
): BetterLayout {
  const found = signal<{ model: PassModel; layouts: readonly PassLayout[] } | null>(null);
  const isThere = signal(false);

  effect(() => {
    const loaded = pass.loaded.value;
    const contexts = session.contexts.peek();
    const [c, s] = [chosen.context.peek(), chosen.pass.peek()];
    isThere.value = loaded !== null && found.peek()?.model === loaded.model && found.peek()!.layouts.length > 0;
    if (loaded === null || !loaded.done || contexts === null || c === null || s === null) return;
    if (found.peek()?.model === loaded.model || loaded.layouts.every((layout) => layout.isOptimal)) return;
    const abort = new AbortController();
    const path = pathOfCapture(`/api/v1/rewrites/${c}/${s}?better=1`, contexts.capture);
    const timer = setTimeout(() => {
      void fetchLayouts(api, path, abort.signal, loaded.model, () => {}).then((answer) => {
        if (!answer.ok || abort.signal.aborted) return; // nobody asked for it, so nobody is told
        found.value = { model: loaded.model, layouts: answer.value };
        isThere.value = answer.value.length > 0;
      });
    }, kLook_ms);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  });

  return {
    isThere,
    find(model, state) {
      const better = found.value;
      if (better?.model !== model) return null;
      return better.layouts.find((layout) => layout.from <= state && state <= layout.to) ?? null;
    },
  };
}
