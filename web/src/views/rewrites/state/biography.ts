// The selected node's life as the server knows it, beyond the stream: its sources when it was made, its successor.
import { computed, type ReadonlySignal } from "@preact/signals";
import { pathOfCapture, type Api } from "../../../lib/api";
import type { WireBiography } from "../../../lib/graph/wire-history";
import { followWish, type Fetched } from "../../../state/fetched";
import type { GraphState } from "./graph";
import type { ChosenState } from "../../../state/chosen";
import type { SessionState } from "../../../state/session";

export function fetchBiography(
  api: Api,
  session: SessionState,
  chosen: ChosenState,
  graph: GraphState,
): ReadonlySignal<Fetched<WireBiography>> {
  const wish = computed(() => {
    const contexts = session.contexts.value;
    const [c, s, node] = [chosen.context.value, chosen.pass.value, graph.node.value];
    if (contexts === null || c === null || s === null || node === null) return null;
    return `${contexts.revision} ${pathOfCapture(`/api/v1/node/${c}/${s}/${node}`, contexts.capture)}`;
  });
  return followWish(wish, (path, abort) => api.getJson<WireBiography>(path, abort));
}
