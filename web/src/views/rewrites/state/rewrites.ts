// All that the view of a pass knows, made when it is first shown.
import { computed, effect, signal, type ReadonlySignal, type Signal } from "@preact/signals";
import type { Size } from "../../../lib/camera";
import type { App } from "../../../state/app";
import { storedSignal } from "../../../state/stored";
import { createArrangement, type ArrangementState } from "./arrangement";
import { createDirection, type DirectionState } from "./direction";
import { createDiff, type DiffState } from "./diff";
import { createFilters, type FilterState } from "./filters";
import { createFind, type FindState } from "./find";
import { createGraph, type GraphState } from "./graph";
import { createMatchDetail, type MatchDetail } from "./match-detail";
import { createMeasures, type MeasureState } from "./measures";
import { createPassList, type PassListState } from "./pass-list";
import { createPassStream, type PassStream } from "./pass-stream";
import { createSpot, type SpotState } from "./spot";
import { createViewCamera, type ViewCamera } from "./view-camera";

export interface RewritesState {
  spot: SpotState;
  passList: PassListState;
  pass: PassStream;
  direction: DirectionState;
  arrangement: ArrangementState;
  diff: DiffState;
  graph: GraphState;
  find: FindState;
  camera: ViewCamera;
  detail: MatchDetail;
  /** Errors at states of the pass on screen: raised by rules, as the capture says, and by their replay, if known. */
  errors: ReadonlySignal<ReadonlyMap<number, string>>;
  filters: FilterState;
  measures: MeasureState;
  /** Whether the selected node's sources that have no box of their own are unfolded where they are listed. */
  unfoldsExcluded: Signal<boolean>;
}

export function createRewrites({ api, session, place, chosen, events }: App): RewritesState {
  const spot = createSpot(place);
  const pass = createPassStream(api, session, spot, chosen);
  const size = signal<Size>({ width: 0, height: 0 });
  const direction = createDirection(api, session, place, chosen, pass, spot, size);
  const arrangement = createArrangement(api, session, place, spot, chosen, pass, direction);
  const diff = createDiff(api, session, place, spot, chosen, pass);
  const graph = createGraph(spot, pass, arrangement, diff);
  // A stream that broke off with the server is asked for again once the server is back.
  effect(() => {
    if (events.live.value && pass.problem.peek()?.kind === "offline") pass.retry();
  });
  return {
    spot,
    passList: createPassList(session, chosen),
    pass,
    direction,
    arrangement,
    diff,
    graph,
    find: createFind(api, session, place, chosen, graph),
    camera: createViewCamera(
      spot,
      graph,
      place,
      size,
      storedSignal("graph.follow", (stored) => stored !== false),
    ),
    detail: createMatchDetail(api, session, chosen, pass),
    errors: computed(() => {
      const context = session.contexts.value?.contexts[chosen.context.value ?? -1];
      const raised = (context?.errors ?? []).filter((error) => error.pass === chosen.pass.value);
      const replayed = graph.shown.value?.loaded.model.errors ?? [];
      return new Map([...raised.map(({ match, message }) => [match, message] as const), ...replayed]);
    }),
    filters: createFilters(),
    measures: createMeasures(api, session, place, chosen, pass),
    unfoldsExcluded: storedSignal("graph.excluded", (stored) => stored === true),
  };
}
