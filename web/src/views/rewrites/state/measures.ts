// Numbers on the nodes of the state on screen, where the capture has any, and which of them colours the graph.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../../lib/api";
import { readMeasures, type NodeMeasure, type WireMeasures } from "../../../lib/graph/measures";
import { succeed } from "../../../lib/result";
import type { ChosenState } from "../../../state/chosen";
import { dataOf, followWish } from "../../../state/fetched";
import type { PlaceState } from "../../../state/place";
import type { SessionState } from "../../../state/session";
import type { PassStream } from "./pass-stream";

export interface MeasureState {
  /** Names of all that the capture has. */
  names: ReadonlySignal<readonly string[]>;
  /** The numbers at the state on screen; empty until they are there. */
  all: ReadonlySignal<readonly NodeMeasure[]>;
  /** The one that the graph is coloured by: chosen, and there; null: by op. */
  shown: ReadonlySignal<NodeMeasure | null>;
  /** The name that is chosen; null for none. */
  chosen: ReadonlySignal<string | null>;
  choose(name: string | null): void;
}

export function createMeasures(
  api: Api,
  session: SessionState,
  place: PlaceState,
  spot: ChosenState,
  pass: PassStream,
): MeasureState {
  const names = computed(() => session.contexts.value?.measures.map(({ name }) => name) ?? []);
  const wish = computed(() => {
    const contexts = session.contexts.value;
    const [context, number] = [spot.context.value, spot.pass.value];
    if (contexts === null || names.value.length === 0 || context === null || number === null) return null;
    if (pass.loaded.value === null) return null;
    const path = `/api/v1/measures/${context}/${number}/${pass.state.value}`;
    return `${contexts.revision} ${pathOfCapture(path, contexts.capture)}`;
  });
  const fetched = followWish(wish, async (path, abort) => {
    const answer = await api.getJson<WireMeasures>(path, abort);
    return answer.ok ? succeed(readMeasures(answer.value)) : answer;
  });
  const all = computed(() => dataOf(fetched.value) ?? []);
  const key = place.key("colour");
  const chosen = computed(() => key.value ?? null);
  return {
    names,
    all,
    shown: computed(() => all.value.find(({ name }) => name === chosen.value) ?? null),
    chosen,
    choose: (name) => place.adjust({ colour: name }),
  };
}
