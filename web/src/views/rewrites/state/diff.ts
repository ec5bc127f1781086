// The comparison of the state on screen with a marked one, of the same pass or of another. In one pass everything but
// the printed diff is known here, and follows the scrubber; between passes the server pairs the nodes.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../../lib/api";
import { diffStates, formatMark, parseMark, type Mark } from "../../../lib/graph/diff";
import { listContexts, listPasses, resolveKeyed, resolvePass } from "../../../lib/named-index";
import type { PassChanges } from "../../../lib/graph/pass-changes";
import type { PassModel } from "../../../lib/graph/pass-model";
import type { WireDiff, WirePlaceOfState } from "../../../lib/graph/wire-history";
import type { WireContexts } from "../../../lib/wire";
import { followWish, type Fetched } from "../../../state/fetched";
import type { PlaceState } from "../../../state/place";
import type { ChosenState } from "../../../state/chosen";
import type { SessionState } from "../../../state/session";
import type { PassStream } from "./pass-stream";
import type { SpotState } from "./spot";

export interface DiffState {
  /** The marked state, where the capture has it. */
  mark: ReadonlySignal<WirePlaceOfState | null>;
  /** Whether the mark is of the pass on screen. */
  isMarkHere: ReadonlySignal<boolean>;
  isOn: ReadonlySignal<boolean>;
  /** The changes to draw in place of a match's; null where nothing is compared, or the answer is on its way. */
  changesOf(model: PassModel, state: number): PassChanges | null;
  fetched: ReadonlySignal<Fetched<WireDiff>>;
  /** Marks the state on screen. */
  setMark(): void;
  clear(): void;
  /** Starts or ends the comparison; without a mark, with the pass's input. */
  turn(): void;
  /** Compares the pass's last state with its first. */
  compareEnds(): void;
  /** Goes to the marked state, and marks the one on screen. */
  swap(): void;
}

export function createDiff(
  api: Api,
  session: SessionState,
  place: PlaceState,
  spot: SpotState,
  chosen: ChosenState,
  pass: PassStream,
): DiffState {
  const wanted = computed(() => parseMark(place.keys.value.mark));
  const mark = computed(() => placeOfMark(wanted.value, session.contexts.value));
  const isMarkHere = computed(
    () => mark.value?.context === chosen.context.value && mark.value?.pass === chosen.pass.value,
  );
  const isOn = computed(() => mark.value !== null && place.keys.value.diff === "1");
  const wish = computed(() => {
    const [contexts, from] = [session.contexts.value, mark.value];
    const [c, s] = [chosen.context.value, chosen.pass.value];
    if (!isOn.value || contexts === null || from === null || c === null || s === null) return null;
    const to = isMarkHere.value ? "" : `&to_context=${c}&to_pass=${s}`;
    const path = `/api/v1/diff/${from.context}/${from.pass}?from=${from.state}&to=${pass.state.value}${to}`;
    return `${contexts.revision} ${pathOfCapture(path, contexts.capture)}`;
  });
  const fetched = followWish(wish, (path, abort) => api.getJson<WireDiff>(path, abort));
  const acrossPasses = computed(() => {
    const { value, wish: now } = fetched.value;
    if (value === null || value.wish !== now || mark.value === null) return null;
    return changesAcrossPasses(value.data, pass.state.value);
  });
  const markAt = (state: number) => markOf(session.contexts.peek(), chosen.context.peek(), chosen.pass.peek(), state);
  const set = (next: Mark | null, on: boolean) =>
    place.adjust({ mark: next === null ? null : formatMark(next), diff: on && next !== null ? "1" : null });

  return {
    mark,
    isMarkHere,
    isOn,
    changesOf(model, state) {
      if (!isOn.value || mark.value === null) return null;
      if (!isMarkHere.value) return acrossPasses.value;
      return mark.value.state < model.knownStates ? diffStates(model, mark.value.state, state) : null;
    },
    fetched,
    setMark: () => set(markAt(pass.state.peek()), isOn.peek()),
    clear: () => set(null, false),
    turn() {
      if (isOn.peek()) place.adjust({ diff: null });
      else set(mark.peek() === null ? markAt(0) : wanted.peek(), true);
    },
    compareEnds() {
      set(markAt(0), true);
      spot.goToMatch((pass.loaded.peek()?.model.stateCount ?? 1) - 1);
    },
    swap() {
      const [from, isHere] = [mark.peek(), isMarkHere.peek()];
      if (from === null) return;
      set(markAt(pass.state.peek()), true);
      if (isHere) spot.goToMatch(from.state);
      else chosen.goToPass(from.context, from.pass, from.state);
    },
  };
}

/** Where a mark is in the capture; null where the capture lacks it. */
function placeOfMark(wanted: Mark | null, contexts: WireContexts | null): WirePlaceOfState | null {
  if (wanted === null || contexts === null) return null;
  const context = resolveKeyed(wanted.context, listContexts(contexts))?.index ?? null;
  if (context === null) return null;
  const s = resolvePass(wanted.pass, listPasses(contexts, contexts.contexts[context]!));
  return s === null ? null : { context, pass: s.index, state: wanted.state };
}

/** The mark of a state of pass s of context c. */
function markOf(contexts: WireContexts | null, c: number | null, s: number | null, state: number): Mark | null {
  const context = contexts?.contexts[c ?? -1];
  if (contexts === null || context === undefined || c === null || s === null) return null;
  return {
    context: { index: c, ...listContexts(contexts)[c]! },
    pass: { index: s, ...(listPasses(contexts, context)[s] ?? { name: "" }) },
    state,
  };
}

function changesAcrossPasses({ only_to, changed }: WireDiff, before: number): PassChanges {
  return {
    before,
    made: new Set(only_to),
    rewritten: new Set(changed.to),
    removed: [], // they are of the other pass, and have no place in this one
    madeEdges: new Set(),
    removedEdges: [],
  };
}
