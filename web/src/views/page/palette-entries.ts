// What the palette offers: the commands that somebody answers now, views, captures, and what the views' own lists have.
import { stripAnsi } from "../../lib/ansi";
import { showKey } from "../../lib/keys";
import type { App } from "../../state/app";
import { views } from "../registry";
import type { PaletteEntry } from "../view";

export interface SearchedEntry extends PaletteEntry {
  /** What is searched: in lower case, without colours. */
  text: string;
}

export function listEntries(app: App): SearchedEntry[] {
  const { commands, place, session } = app;
  const capture = session.capture.value;
  const suited = views.filter((view) => capture !== null && view.suits(capture));
  const others = (session.info.value?.captures ?? []).filter((other) => other !== capture);
  const entries: PaletteEntry[] = [
    ...commands.available.value
      .filter((command) => !command.quiet)
      .map(({ id, title, keys }) => ({ title, detail: keys.map(showKey).join(" "), run: () => commands.run(id) })),
    ...suited.map(({ id, title }) => ({ title: `${title} view`, detail: "", run: () => place.goToView(id) })),
    ...others.map(({ name }) => ({ title: name, detail: "capture", run: () => place.goToCapture(name) })),
    ...suited.flatMap((view) => view.listPlaces?.(app) ?? []),
  ];
  return entries.map((entry) => ({ ...entry, text: stripAnsi(entry.title).toLowerCase() }));
}
