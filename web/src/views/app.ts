// App: all that the page knows, given to every view. Made once by main; nothing here is global, so that tests can make
// their own. Signals are read by views; only the functions beside them write.
import { effect } from "@preact/signals";
import type { Api } from "../lib/api";
import { createArrangement, type ArrangementState } from "./rewrites/state/arrangement";
import { createCommands, type CommandState } from "../state/commands";
import { createEventStream, type EventStream } from "../state/event-stream";
import { createDiff, type DiffState } from "./rewrites/state/diff";
import { createFilters, type FilterState } from "./rewrites/state/filters";
import { createFind, type FindState } from "./rewrites/state/find";
import { createNotices, type NoticeState } from "../state/notices";
import { createPanes, type PaneState } from "../state/panes";
import { createPlace, type PlaceState } from "../state/place";
import { createRewrites, type RewritesState } from "../state/rewrites";
import { createGraph, type GraphState } from "./rewrites/state/graph";
import { createMatchDetail, type MatchDetail } from "./rewrites/state/match-detail";
import { createProgram, type ProgramState } from "./program/state";
import { createSession, type SessionState } from "../state/session";
import { createPassList, type PassListState } from "./rewrites/state/pass-list";
import { createPassStream, type PassStream } from "./rewrites/state/pass-stream";
import { createTheme, type ThemeState } from "../state/theme";
import { createViewCamera, type ViewCamera } from "./rewrites/state/view-camera";
import { createTimeline, type TimelineState } from "./timeline/state/timeline";

export interface App {
  api: Api;
  place: PlaceState;
  session: SessionState;
  rewrites: RewritesState;
  passList: PassListState;
  pass: PassStream;
  arrangement: ArrangementState;
  diff: DiffState;
  graph: GraphState;
  find: FindState;
  camera: ViewCamera;
  detail: MatchDetail;
  timeline: TimelineState;
  program: ProgramState;
  filters: FilterState;
  theme: ThemeState;
  panes: PaneState;
  commands: CommandState;
  notices: NoticeState;
  events: EventStream;
}

export function createApp(api: Api): App {
  const notices = createNotices();
  const place = createPlace(window);
  const session = createSession(api, place, notices);
  const rewrites = createRewrites(session, place);
  const pass = createPassStream(api, session, place, rewrites);
  const arrangement = createArrangement(api, session, place, rewrites, pass);
  const diff = createDiff(api, session, place, rewrites, pass);
  const graph = createGraph(place, pass, arrangement, diff);
  const events = createEventStream(api, session);
  // A stream that broke off with the server is asked for again once the server is back.
  effect(() => {
    if (events.live.value && pass.problem.peek()?.kind === "offline") pass.retry();
  });
  return {
    api,
    place,
    session,
    rewrites,
    passList: createPassList(session),
    pass,
    arrangement,
    diff,
    graph,
    find: createFind(api, session, place, rewrites, graph),
    camera: createViewCamera(place, graph),
    detail: createMatchDetail(api, session, rewrites, pass),
    timeline: createTimeline(api, session, place, rewrites),
    program: createProgram(api, session, place, rewrites),
    filters: createFilters(),
    theme: createTheme(),
    panes: createPanes(),
    commands: createCommands(),
    notices,
    events,
  };
}
