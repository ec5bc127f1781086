// The places of the timeline that the palette offers: its lanes, and the names of its events, the busiest first.
import { stripAnsi } from "../../lib/ansi";
import { pathOfCapture } from "../../lib/api";
import { readLanes } from "../../lib/timeline/answers";
import { quoteName } from "../../lib/timeline/event-search";
import { listBoxes } from "../../lib/timeline/lanes-layout";
import type { WireLanes } from "../../lib/timeline/wire";
import type { App } from "../../state/app";
import type { PaletteEntry } from "../view";

const kNamesPage = 1024;
/** More names than these are found by the timeline's own search. */
const kMostPages = 8;

export async function fetchPlaces(app: App): Promise<readonly PaletteEntry[]> {
  const { api, session } = app;
  const id = session.capture.peek()?.id;
  if (id === undefined) return [];
  const answer = await api.getJson<WireLanes>(pathOfCapture("/api/v1/lanes", id));
  if (!answer.ok || answer.value.status !== "ready") return [];
  const { key, names, name_count } = answer.value;
  const pages = Math.min(Math.ceil(name_count / kNamesPage), kMostPages);
  const more = await Promise.all(
    Array.from({ length: Math.max(pages - 1, 0) }, (_, i) =>
      api.getJson<{ names: string[] }>(pathOfCapture(`/api/v1/names/${key}/${i + 1}`, id)),
    ),
  );
  const all = [...names, ...more.flatMap((page) => (page.ok ? page.value.names : []))];
  return [...listLanes(app, readLanes(answer.value)), ...listNames(app, all)];
}

function listLanes({ place }: App, lanes: ReturnType<typeof readLanes>): PaletteEntry[] {
  return listBoxes(lanes).map(({ key, title, kind }) => ({
    title,
    detail: kind === "events" ? "lane" : kind,
    run: () => place.follow({ view: "timeline", keys: { "lanes.top": `${key}|0` } }),
  }));
}

function listNames({ place }: App, names: readonly string[]): PaletteEntry[] {
  return names.map((name) => ({
    title: name,
    detail: "events",
    run: () => place.follow({ view: "timeline", keys: { find: quoteName(stripAnsi(name)), details: "search" } }),
  }));
}
