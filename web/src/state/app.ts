// App: what the page gives to every view: the server, the place, the capture on screen, commands, notices. Made once by
// main; nothing here is global, so that tests can make their own. Signals are read by views; only the functions beside
// them write. What only one view knows, that view makes itself (views/view.ts).
import type { Api } from "../lib/api";
import type { Command } from "../lib/keys";
import type { UrlKeys } from "../lib/place";
import { createChosen, type ChosenState } from "./chosen";
import { createCommands, type CommandState } from "./commands";
import { createEventStream, type EventStream } from "./event-stream";
import { createNotices, type NoticeState } from "./notices";
import { createPanes, type PaneState } from "./panes";
import { createPlace, type PlaceState } from "./place";
import { createSession, type SessionState } from "./session";
import { createTheme, type ThemeState } from "./theme";

export interface App {
  api: Api;
  place: PlaceState;
  session: SessionState;
  chosen: ChosenState;
  theme: ThemeState;
  panes: PaneState;
  commands: CommandState;
  notices: NoticeState;
  events: EventStream;
}

/** commands: of the page and of all views; keysOf: each view's keys of the URL, by its id. */
export function createApp(api: Api, commands: readonly Command[], keysOf: ReadonlyMap<string, UrlKeys>): App {
  const notices = createNotices();
  const place = createPlace(window, keysOf);
  const session = createSession(api, place, notices);
  return {
    api,
    place,
    session,
    chosen: createChosen(session, place),
    theme: createTheme(),
    panes: createPanes(),
    commands: createCommands(commands),
    notices,
    events: createEventStream(api, session),
  };
}
