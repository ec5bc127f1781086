// The entries of the palette: every command of every view, views, captures, and the places that views list.
import { stripAnsi } from "../../lib/ansi";
import { showKey, type Command } from "../../lib/keys";
import { parsePlace } from "../../lib/place";
import type { App } from "../../state/app";
import { listSuitedViews } from "./listed-views";
import type { PaletteEntry, View } from "../view";

export interface SearchedEntry extends PaletteEntry {
  /** The text that is searched: in lower case, without colours. */
  text: string;
}

/** fetched: what views had to ask for. */
export function listEntries(app: App, fetched: readonly PaletteEntry[]): SearchedEntry[] {
  const { commands, place, session } = app;
  const capture = session.capture.value;
  const suited = listSuitedViews(app);
  const others = (session.info.value?.captures ?? []).filter((other) => other !== capture);
  const here = commands.available.value.filter((command) => !command.quiet);
  const entries: PaletteEntry[] = [
    ...here.map((command) => entryOf(command, "", () => commands.run(command.id))),
    ...suited.map(({ id, title }) => ({ title: `${title} view`, detail: "", run: () => place.goToView(id) })),
    ...others.map(({ id, name }) => ({
      title: session.labels.value.get(id) ?? name,
      detail: "capture",
      run: () => place.goToCapture(name),
    })),
    ...app.bookmarks.all.value
      .filter((bookmark) => bookmark.capture === capture?.name)
      .map(({ name, place: there }) => ({ title: name, detail: "bookmark", run: () => place.goTo(parsePlace(there)) })),
    ...suited.flatMap((view) => listElsewhere(app, view)),
    ...suited.flatMap((view) => view.listPlaces?.(app) ?? []),
    ...fetched,
  ];
  return entries.map((entry) => ({ ...entry, text: stripAnsi(entry.title).toLowerCase() }));
}

/** The places that views have to ask the server for. */
export async function fetchEntries(app: App): Promise<PaletteEntry[]> {
  const lists = await Promise.all(listSuitedViews(app).map((view) => view.fetchPlaces?.(app) ?? []));
  return lists.flat();
}

function entryOf({ title, keys }: Command, where: string, run: () => void): PaletteEntry {
  const detail = [where, keys.map(showKey).join(" ")].filter((text) => text !== "").join(" · ");
  return { title, detail, run };
}

/** Commands that a view answers once it is on screen: it is gone to first. */
function listElsewhere({ commands, place }: App, view: View): PaletteEntry[] {
  const here = new Set(commands.available.value);
  return view.commands
    .filter((command) => !command.quiet && !here.has(command))
    .map((command) =>
      entryOf(command, view.title, () => {
        if (place.view.peek() !== view.id) place.goToView(view.id);
        commands.runOnceBound(command.id);
      }),
    );
}
