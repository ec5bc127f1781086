// The way that the graph is read, from left to right or from top to bottom: as somebody has chosen, or the one that
// makes it larger in this window. That is settled once a pass, so that nothing moves unasked; a camera in the URL is of
// the direction that stands there with it, or else from left to right. Layouts from top to bottom are asked for when
// they are wanted.
import { effect, signal, untracked, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../../lib/api";
import { chooseDirection } from "../../../lib/graph/direction";
import type { PassLayout } from "../../../lib/graph/pass-layout";
import type { PassModel } from "../../../lib/graph/pass-model";
import type { Size } from "../../../lib/camera";
import type { ChosenState } from "../../../state/chosen";
import type { PlaceState } from "../../../state/place";
import type { SessionState } from "../../../state/session";
import { storedSignal } from "../../../state/stored";
import type { SpotState } from "./spot";
import { fetchLayouts } from "./layout-stream";
import type { PassStream } from "./pass-stream";

export interface DirectionState {
  isDown: ReadonlySignal<boolean>;
  turn(): void;
  /** The layout from top to bottom of a state; null where there is none yet. */
  find(model: PassModel, state: number): PassLayout | null;
}

export function createDirection(
  api: Api,
  session: SessionState,
  place: PlaceState,
  chosen: ChosenState,
  pass: PassStream,
  spot: SpotState,
  size: ReadonlySignal<Size>,
): DirectionState {
  const wanted = place.key("dir");
  const preferred = storedSignal<"right" | "down" | null>("graph.direction", (stored) =>
    stored === "right" || stored === "down" ? stored : null,
  );
  const isDown = signal(false);
  const found = signal<{ model: PassModel; layouts: readonly PassLayout[] } | null>(null);
  let settled: string | null = null;

  effect(() => {
    const loaded = pass.loaded.value;
    if (wanted.value === "down" || wanted.value === "right") {
      isDown.value = wanted.value === "down";
      settled = loaded?.key ?? null;
      return;
    }
    const layout = loaded?.layouts.find(({ hasRoutes, isDown }) => hasRoutes && !isDown);
    if (loaded === null || layout === undefined || settled === loaded.key || size.value.width === 0) return;
    settled = loaded.key;
    const usual = preferred.peek() ?? chooseDirection(layout, layout.sizeDown, size.value);
    isDown.value = spot.camera.peek() === null && usual === "down";
  });
  // A link to what is on screen says which way the camera's layout runs.
  effect(() => {
    if (spot.camera.value !== null && isDown.value && wanted.value === undefined) {
      untracked(() => place.adjust({ dir: "down" }));
    }
  });

  effect(() => {
    const loaded = pass.loaded.value;
    const contexts = session.contexts.peek();
    const [c, s] = [chosen.context.peek(), chosen.pass.peek()];
    if (!isDown.value || loaded === null || !loaded.done || contexts === null || c === null || s === null) return;
    if (untracked(() => found.value)?.model === loaded.model) return;
    const abort = new AbortController();
    const path = pathOfCapture(`/api/v1/rewrites/${c}/${s}?down=1`, contexts.capture);
    void fetchLayouts(api, path, abort.signal, loaded.model, () => {}).then((answer) => {
      if (answer.ok && !abort.signal.aborted) found.value = { model: loaded.model, layouts: answer.value };
    });
    return () => abort.abort();
  });

  return {
    isDown,
    turn() {
      preferred.value = isDown.peek() ? "right" : "down";
      place.adjust({ dir: preferred.value });
    },
    find(model, state) {
      if (!isDown.value || found.value?.model !== model) return null;
      return found.value.layouts.find((layout) => layout.from <= state && state <= layout.to) ?? null;
    },
  };
}
