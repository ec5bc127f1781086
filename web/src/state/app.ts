// App: all that the page knows, given to every view. Made once by main; nothing here is global, so that tests can make
// their own. Signals are read by views; only the functions beside them write.
import type { Api } from "../lib/api";
import { createCommands, type CommandState } from "./commands";
import { createEventStream, type EventStream } from "./event-stream";
import { createNotices, type NoticeState } from "./notices";
import { createPanes, type PaneState } from "./panes";
import { createPlace, type PlaceState } from "./place";
import { createRewrites, type RewritesState } from "./rewrites";
import { createSession, type SessionState } from "./session";
import { createTheme, type ThemeState } from "./theme";

export interface App {
  api: Api;
  place: PlaceState;
  session: SessionState;
  rewrites: RewritesState;
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
  return {
    api,
    place,
    session,
    rewrites: createRewrites(session, place),
    theme: createTheme(),
    panes: createPanes(),
    commands: createCommands(),
    notices,
    events: createEventStream(api, session),
  };
}
