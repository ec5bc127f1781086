// The entries of the palette: every command of every view, views, captures, and the places that views list.
import { stripAnsi } from "../../lib/ansi";
import { showKey, type Command } from "../../lib/keys";
import { parsePlace } from "../../lib/place";
import type { App } from "../../state/app";
import { chooseView, listSuitedViews } from "./listed-views";
import { goToId } from "./share";
import type { PaletteEntry, View } from "../view";

export interface SearchedEntry extends PaletteEntry {
  /** The text that is searched: in lower case, without colours. */
  text: string;
}

/** Commands of the view on screen come before its places, and these before all else. */
const kCommandHere = 30;
const kPlaceHere = 20;

/** fetched: what views had to ask for. */
export function listEntries(app: App, fetched: readonly PaletteEntry[]): SearchedEntry[] {
  const { commands, place, session } = app;
  const capture = session.capture.value;
  const suited = listSuitedViews(app);
  const others = (session.info.value?.captures ?? []).filter((other) => other !== capture);
  const here = commands.available.value.filter((command) => !command.quiet);
  const entries: PaletteEntry[] = [
    ...here.map((command) => entryOf(command, "", kCommandHere, () => commands.run(command.id))),
    ...suited.map(({ id, title, words = "" }) => ({
      title: `${title} view`,
      detail: "",
      words,
      run: () => place.goToView(id),
    })),
    ...others.map(({ id, name }) => ({
      title: session.labels.value.get(id) ?? name,
      detail: "capture",
      run: () => place.goToCapture(name),
    })),
    ...app.bookmarks.all.value
      .filter((bookmark) => bookmark.capture === capture?.name)
      .map(({ name, place: there }) => ({ title: name, detail: "bookmark", run: () => place.goTo(parsePlace(there)) })),
    ...suited.flatMap((view) => listElsewhere(app, view)),
    ...suited.flatMap((view) => placesOf(app, view, view.listPlaces?.(app) ?? [])),
    ...fetched,
  ];
  return entries.map((entry) => ({ ...entry, text: stripAnsi(entry.title).toLowerCase() }));
}

const kId = /^(slice|match|pass|context|memory|time|kernel|rule|view):\S/;

/** What an id of a command's answer names, as slice:17: the server knows where the page shows it. */
export function listNamed(app: App, query: string): PaletteEntry[] {
  const id = query.trim();
  if (!kId.test(id) || app.api.report !== undefined) return [];
  return [{ title: id, detail: "an id of an answer", run: () => void goToId(app, id) }];
}

/** What views make of a text that is typed. */
export function listSearches(app: App, typed: string): readonly PaletteEntry[] {
  return typed === "" ? [] : listSuitedViews(app).flatMap((view) => view.listSearches?.(app, typed) ?? []);
}

/** The places that views have to ask the server for. */
export async function fetchEntries(app: App): Promise<PaletteEntry[]> {
  const lists = listSuitedViews(app).map(async (view) => placesOf(app, view, (await view.fetchPlaces?.(app)) ?? []));
  return (await Promise.all(lists)).flat();
}

function placesOf(app: App, view: View, places: readonly PaletteEntry[]): PaletteEntry[] {
  const isHere = view === chooseView(app);
  return places.map((place) => ({ ...place, nearness: (place.nearness ?? 0) + (isHere ? kPlaceHere : 0) }));
}

function entryOf({ title, keys, words = "" }: Command, where: string, nearness: number, run: () => void): PaletteEntry {
  const detail = [where, keys.map(showKey).join(" ")].filter((text) => text !== "").join(" · ");
  return { title, detail, words, nearness, run };
}

/** Commands that a view answers once it is on screen: it is gone to first. */
function listElsewhere(app: App, view: View): PaletteEntry[] {
  const { commands, place } = app;
  const here = new Set(commands.available.value);
  return view.commands
    .filter((command) => !command.quiet && !here.has(command))
    .map((command) =>
      entryOf(command, view.title, view === chooseView(app) ? kCommandHere : 0, () => {
        if (place.view.peek() !== view.id) place.goToView(view.id);
        commands.runOnceBound(command.id);
      }),
    );
}
