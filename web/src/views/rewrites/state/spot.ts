// The spot in a pass that is looked at: the match, the selected node, the camera; as they stand in the URL.
import { computed, effect, signal, type ReadonlySignal } from "@preact/signals";
import { formatCamera, parseCamera, type Camera } from "../../../lib/camera";
import type { PlaceState } from "../../../state/place";

export interface SpotState {
  /** Matches applied: 0 is the pass's input graph. */
  match: ReadonlySignal<number>;
  node: ReadonlySignal<number | null>;
  /** Null until somebody moves it. */
  camera: ReadonlySignal<Camera | null>;
  goToMatch(match: number): void;
  select(node: number | null): void;
  /** Null gives it back. */
  moveCamera(camera: Camera | null): void;
}

export function createSpot(place: PlaceState): SpotState {
  const [matchKey, nodeKey, cameraKey] = [place.key("match"), place.key("node"), place.key("camera")];
  // Finer than the URL has it, so that many small moves add up.
  const camera = signal<Camera | null>(null);
  let written: string | undefined;
  effect(() => {
    if (cameraKey.value === written && written !== undefined) return;
    written = cameraKey.value;
    camera.value = parseCamera(written);
  });
  return {
    match: computed(() => parseCount(matchKey.value) ?? 0),
    node: computed(() => parseCount(nodeKey.value)),
    camera,
    goToMatch: (match) => place.adjust({ match: match === 0 ? null : String(match) }),
    select: (node) => place.adjust({ node: node === null ? null : String(node) }),
    moveCamera(next) {
      if (next === null && camera.peek() === null) return;
      written = next === null ? undefined : formatCamera(next);
      camera.value = next;
      place.adjust({ camera: written ?? null });
    },
  };
}

function parseCount(text: string | undefined): number | null {
  return /^\d{1,9}$/.test(text ?? "") ? Number(text) : null;
}
