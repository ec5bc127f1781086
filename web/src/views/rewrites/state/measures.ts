// Numbers on the nodes of the state on screen, where the capture has any, and which of them colours the graph; or the
// memories that values lie in, which are asked for when they do.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../../lib/api";
import {
  kMemoryMeasure,
  readMeasures,
  readMemories,
  type NodeMeasure,
  type WireMeasures,
  type WireMemories,
} from "../../../lib/graph/measures";
import { succeed } from "../../../lib/result";
import type { ChosenState } from "../../../state/chosen";
import { dataOf, followWish } from "../../../state/fetched";
import type { PlaceState } from "../../../state/place";
import type { SessionState } from "../../../state/session";
import type { PassStream } from "./pass-stream";

export interface MeasureState {
  /** Names of all that the graph can be coloured by. */
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
  const names = computed(() => {
    const contexts = session.contexts.value;
    if (contexts === null) return [];
    return [...contexts.measures.map(({ name }) => name), ...(contexts.tells_memory ? [kMemoryMeasure] : [])];
  });
  const key = place.key("colour");
  const chosen = computed(() => key.value ?? null);
  const ofState = (what: string) => {
    const contexts = session.contexts.value;
    const [context, number] = [spot.context.value, spot.pass.value];
    if (contexts === null || context === null || number === null || pass.loaded.value === null) return null;
    const path = `/api/v1/${what}/${context}/${number}/${pass.state.value}`;
    return `${contexts.revision} ${pathOfCapture(path, contexts.capture)}`;
  };
  const wish = computed(() => ((session.contexts.value?.measures.length ?? 0) > 0 ? ofState("measures") : null));
  const isOfMemory = computed(() => chosen.value === kMemoryMeasure && (session.contexts.value?.tells_memory ?? false));
  const memories = followWish(
    computed(() => (isOfMemory.value ? ofState("memories") : null)),
    async (path, abort) => {
      const answer = await api.getJson<WireMemories>(path, abort);
      return answer.ok ? succeed(readMemories(answer.value)) : answer;
    },
  );
  const fetched = followWish(wish, async (path, abort) => {
    const answer = await api.getJson<WireMeasures>(path, abort);
    return answer.ok ? succeed(readMeasures(answer.value)) : answer;
  });
  const all = computed(() => dataOf(fetched.value) ?? []);
  return {
    names,
    all,
    shown: computed(() =>
      isOfMemory.value
        ? (dataOf(memories.value) ?? null)
        : (all.value.find(({ name }) => name === chosen.value) ?? null),
    ),
    chosen,
    choose: (name) => place.adjust({ colour: name }),
  };
}
