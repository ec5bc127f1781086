// All that the view of a pass knows, made when it is first shown.
import { effect } from "@preact/signals";
import type { App } from "../../../state/app";
import { createArrangement, type ArrangementState } from "./arrangement";
import { createDiff, type DiffState } from "./diff";
import { createFilters, type FilterState } from "./filters";
import { createFind, type FindState } from "./find";
import { createGraph, type GraphState } from "./graph";
import { createMatchDetail, type MatchDetail } from "./match-detail";
import { createPassList, type PassListState } from "./pass-list";
import { createPassStream, type PassStream } from "./pass-stream";
import { createSpot, type SpotState } from "./spot";
import { createViewCamera, type ViewCamera } from "./view-camera";

export interface RewritesState {
  spot: SpotState;
  passList: PassListState;
  pass: PassStream;
  arrangement: ArrangementState;
  diff: DiffState;
  graph: GraphState;
  find: FindState;
  camera: ViewCamera;
  detail: MatchDetail;
  filters: FilterState;
}

export function createRewrites({ api, session, place, chosen, events }: App): RewritesState {
  const spot = createSpot(place);
  const pass = createPassStream(api, session, spot, chosen);
  const arrangement = createArrangement(api, session, place, spot, chosen, pass);
  const diff = createDiff(api, session, place, spot, chosen, pass);
  const graph = createGraph(spot, pass, arrangement, diff);
  // A stream that broke off with the server is asked for again once the server is back.
  effect(() => {
    if (events.live.value && pass.problem.peek()?.kind === "offline") pass.retry();
  });
  return {
    spot,
    passList: createPassList(session),
    pass,
    arrangement,
    diff,
    graph,
    find: createFind(api, session, place, chosen, graph),
    camera: createViewCamera(spot, graph),
    detail: createMatchDetail(api, session, chosen, pass),
    filters: createFilters(),
  };
}
