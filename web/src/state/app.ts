// App: what the page gives to every view: the server, the place, the capture on screen, commands, notices. Made once by
// main; nothing here is global, so that tests can make their own. Signals are read by views; only the functions beside
// them write. What only one view knows, that view makes itself (views/view.ts).
import type { Signal } from "@preact/signals";
import type { Api } from "../lib/api";
import type { Command } from "../lib/keys";
import type { UrlKeys } from "../lib/place";
import { createChosen, type ChosenState } from "./chosen";
import { createCommands, type CommandState } from "./commands";
import { createEventStream, type EventStream } from "./event-stream";
import { createNotices, type NoticeState } from "./notices";
import { createPanes, type PaneState } from "./panes";
import { createPlace, type PlaceState } from "./place";
import { createRecorded, type RecordedState } from "./recorded";
import { createScope, type ScopeState } from "./scope";
import { createSession, type SessionState } from "./session";
import { createSettings, type SettingsState } from "./settings";
import { storedSignal } from "./stored";
import { createMarks, type MarkState } from "./marks";
import { createBookmarks, type BookmarkState } from "./bookmarks";
import { createUploads, type UploadState } from "./uploads";
import { createTheme, type ThemeState } from "./theme";

export interface App {
  api: Api;
  place: PlaceState;
  session: SessionState;
  chosen: ChosenState;
  scope: ScopeState;
  recorded: RecordedState;
  theme: ThemeState;
  settings: SettingsState;
  panes: PaneState;
  /** Whether the wheel zooms over drawings; else it scrolls, and zooms with Ctrl. */
  wheelZooms: Signal<boolean>;
  commands: CommandState;
  notices: NoticeState;
  uploads: UploadState;
  bookmarks: BookmarkState;
  marks: MarkState;
  events: EventStream;
}

/** commands: of the page and of all views; keysOf: each view's keys of the URL, by its id. */
export function createApp(api: Api, commands: readonly Command[], keysOf: ReadonlyMap<string, UrlKeys>): App {
  const notices = createNotices();
  const place = createPlace(window, keysOf);
  const session = createSession(api, place, notices);
  const marks = createMarks(api, session, notices);
  return {
    api,
    place,
    session,
    chosen: createChosen(session, place),
    scope: createScope(place),
    recorded: createRecorded(api, session),
    theme: createTheme(),
    settings: createSettings(),
    panes: createPanes(),
    wheelZooms: storedSignal("wheel.zooms", (stored) => stored === true),
    commands: createCommands(commands),
    notices,
    bookmarks: createBookmarks(),
    marks,
    uploads: createUploads(api, session, place, notices),
    events: createEventStream(api, session, marks),
  };
}
