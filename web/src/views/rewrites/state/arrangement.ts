// How the state on screen is arranged (lib/graph/arrangement.ts): what of that the server has to lay out is asked for
// here, and can be given up at any time. While an answer is on its way, the one before stays.
import { computed, effect, signal, untracked, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../../lib/api";
import {
  formatArrangement,
  isView,
  kWhole,
  parseArrangement,
  queryOfView,
  type Arrangement,
} from "../../../lib/graph/arrangement";
import { layoutFor, type LoadedPass } from "../../../lib/graph/loaded-pass";
import type { Problem, Result } from "../../../lib/result";
import { PassLayout } from "../../../lib/graph/pass-layout";
import type { PassModel } from "../../../lib/graph/pass-model";
import type { WireProgress } from "../../../lib/graph/wire";
import type { WireView } from "../../../lib/graph/wire-history";
import { createBetterLayout } from "./better-layout";
import type { DirectionState } from "./direction";
import { followWish } from "../../../state/fetched";
import { fetchLayouts } from "./layout-stream";
import type { PlaceState } from "../../../state/place";
import type { ChosenState } from "../../../state/chosen";
import type { SessionState } from "../../../state/session";
import type { PassStream } from "./pass-stream";
import type { SpotState } from "./spot";

/** A layout made on request, and its pass. */
interface Arranged {
  model: PassModel;
  layout: PassLayout;
  /** For a view: how many nodes the whole state has, and how many of them were left out. */
  counts: { of: number; leftOut: number; hidden: number } | null;
}

export interface ArrangementState {
  current: ReadonlySignal<Arrangement>;
  set(change: Partial<Arrangement>): void;
  /** The layout to draw a state of a pass with. */
  layoutOf(pass: LoadedPass, state: number): PassLayout | null;
  /** How many nodes the view on screen leaves out; null where it is none. */
  counts: ReadonlySignal<Arranged["counts"]>;
  /** Whether the arrangement is still being made. */
  pending: ReadonlySignal<boolean>;
  progress: ReadonlySignal<WireProgress | null>;
  problem: ReadonlySignal<Problem | null>;
  /** Whether a layout has been found that took a hundred times the work, and is not used yet. */
  isBetterThere: ReadonlySignal<boolean>;
  /** Gives up what is pending, and goes back to what is on screen. */
  cancel(): void;
}

export function createArrangement(
  api: Api,
  session: SessionState,
  place: PlaceState,
  spot: SpotState,
  chosen: ChosenState,
  pass: PassStream,
  direction: DirectionState,
): ArrangementState {
  const current = computed(() => parseArrangement(place.keys.value));
  const progress = signal<WireProgress | null>(null);
  const better = createBetterLayout(api, session, chosen, pass);
  const wish = createWish(session, spot, chosen, pass, direction, current);
  const fetched = followWish(wish, (path, abort) =>
    fetchArranged(api, path, abort, pass.loaded.peek()!.model, (now) => (progress.value = now)),
  );
  const arranged = computed(() => {
    const { wish: wanted, value } = fetched.value;
    if (value === null || wanted === null) return null;
    // A match's own layout holds for it alone; a view goes on holding until the next match's has come.
    return isView(current.value) || value.wish === wanted ? value.data : null;
  });
  const pending = computed(() => fetched.value.wish !== null && fetched.value.wish !== fetched.value.value?.wish);

  // The arrangement on screen now, to go back to.
  let shown: Arrangement = kWhole;
  effect(() => {
    const isShown = fetched.value.wish !== null || !isView(current.peek()); // else the pass is yet to come
    if (!pending.value && fetched.value.problem === null && isShown) shown = untracked(() => current.value);
    if (!pending.value) progress.value = null;
  });

  const set = (change: Partial<Arrangement>) => place.adjust(formatArrangement({ ...current.peek(), ...change }));
  return {
    current,
    set,
    layoutOf(loaded, state) {
      const special = arranged.value;
      if (special !== null && special.model === loaded.model) return special.layout;
      const down = direction.find(loaded.model, state);
      if (down !== null) return down;
      return (current.value.better ? better.find(loaded.model, state) : null) ?? layoutFor(loaded, state);
    },
    counts: computed(() => arranged.value?.counts ?? null),
    pending: computed(() => pending.value && fetched.value.problem === null),
    progress,
    problem: computed(() => fetched.value.problem),
    isBetterThere: computed(() => better.isThere.value && !current.value.better),
    cancel: () => set(shown),
  };
}

/** The layout that the arrangement needs from the server; null where it needs none. */
function createWish(
  session: SessionState,
  spot: SpotState,
  chosen: ChosenState,
  pass: PassStream,
  direction: DirectionState,
  current: ReadonlySignal<Arrangement>,
): ReadonlySignal<string | null> {
  const models = new WeakMap<PassModel, number>();
  let modelCount = 0;
  const numberOf = (model: PassModel) => models.get(model) ?? (models.set(model, ++modelCount), modelCount);
  const isKnown = computed(() => {
    const model = pass.loaded.value?.model;
    return model !== undefined && spot.match.value < model.knownStates;
  });
  return computed(() => {
    const arrangement = current.value;
    const contexts = session.contexts.value;
    const [c, s] = [chosen.context.value, chosen.pass.value];
    if (contexts === null || c === null || s === null || !isKnown.value) return null;
    // A pass that was streamed anew has a model of its own, which answers for the old one do not fit.
    const mark = `${contexts.revision}.${numberOf(pass.loaded.peek()!.model)}`;
    const of = (path: string) => `${mark} ${pathOfCapture(path, contexts.capture)}`;
    const state = pass.state.value;
    const down = direction.isDown.value ? "&down=1" : "";
    if (isView(arrangement)) return of(`/api/v1/focus/${c}/${s}/${state}?${queryOfView(arrangement)}${down}`);
    if (arrangement.compact === state) return of(`/api/v1/rewrites/${c}/${s}?compact_state=${state}${down}`);
    return null;
  });
}

async function fetchArranged(
  api: Api,
  path: string,
  abort: AbortSignal,
  model: PassModel,
  tell: (progress: WireProgress) => void,
): Promise<Result<Arranged>> {
  if (path.startsWith("/api/v1/focus/")) {
    const answer = await api.getJson<WireView>(path, abort);
    if (!answer.ok) return answer;
    const { of, left_out, hidden } = answer.value;
    const layout = PassLayout.readView(answer.value, model);
    return { ok: true, value: { model, layout, counts: { of, leftOut: left_out, hidden } } };
  }
  const layouts = await fetchLayouts(api, path, abort, model, tell);
  if (!layouts.ok) return layouts;
  const [layout] = layouts.value;
  return layout === undefined
    ? { ok: false, error: { kind: "protocol", message: "vizd sent no layout.", where: path } }
    : { ok: true, value: { model, layout, counts: null } };
}
