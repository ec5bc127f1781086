// The lists of rooms and views as the page uses them: those that suit what is open, the one on screen, the commands of
// all.
import type { Command } from "../../lib/keys";
import type { App } from "../../state/app";
import { rooms, views } from "../registry";
import type { Room, View } from "../view";
import { pageCommands } from "./commands";

/** The views that have something to show now. Reads signals. */
export function listSuitedViews({ api, session }: Pick<App, "api" | "session">): View[] {
  const capture = session.capture.value;
  const { store = null, captures = [] } = session.info.value ?? {};
  const others = captures.filter((other) => other !== capture);
  return views
    .filter((view) => api.report === undefined || !view.needsServer)
    .filter((view) => (view.isOfStore ? store !== null : capture !== null && view.suits(capture, others)));
}

/** The rooms in which some view has something to show now, each with those views alone. Reads signals. */
export function listSuitedRooms(app: Pick<App, "api" | "session">): Room[] {
  const suited = new Set(listSuitedViews(app));
  return rooms
    .map((room) => ({ ...room, views: room.views.filter((view) => suited.has(view)) }))
    .filter((room) => room.views.length > 0);
}

/** The view that the place names where it suits, else the first that does, else null. Reads signals. */
export function chooseView(app: Pick<App, "api" | "session" | "place">): View | null {
  const suited = listSuitedViews(app);
  return suited.find((view) => view.id === app.place.view.value) ?? suited[0] ?? null;
}

/** The commands of the page and of all views: each once, though several views may list it. */
export const commands: readonly Command[] = [...new Set([...pageCommands, ...views.flatMap((view) => view.commands)])];
