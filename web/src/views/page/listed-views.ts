// The list of views as the page uses it: those that suit what is open, the one on screen, the commands of all.
import type { Command } from "../../lib/keys";
import type { App } from "../../state/app";
import { views } from "../registry";
import type { View } from "../view";
import { pageCommands } from "./commands";

/** The views that have something to show now. Reads signals. */
export function listSuitedViews({ session }: Pick<App, "session">): View[] {
  const capture = session.capture.value;
  const hasStore = (session.info.value?.store ?? null) !== null;
  return views.filter((view) => (view.isOfStore ? hasStore : capture !== null && view.suits(capture)));
}

/** The view that the place names where it suits, else the first that does, else null. Reads signals. */
export function chooseView(app: Pick<App, "session" | "place">): View | null {
  const suited = listSuitedViews(app);
  return suited.find((view) => view.id === app.place.view.value) ?? suited[0] ?? null;
}

/** The commands of the page and of all views: each once, though several views may list it. */
export const commands: readonly Command[] = [...new Set([...pageCommands, ...views.flatMap((view) => view.commands)])];
