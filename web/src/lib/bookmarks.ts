// Bookmarks: places that somebody named, with a note. They are the page's, not the capture's: kept in the browser, and
// taken along as a file that stands beside the capture.
import { formatPlace, parsePlace } from "./place";

export interface Bookmark {
  /** The name of the capture that the place is in. */
  capture: string;
  name: string;
  note: string;
  /** The URL's fragment. */
  place: string;
}

const kMost = 1000;
const kLongest = 4000;

/** From what was stored, or a file: anything. What is no bookmark is left out. */
export function readBookmarks(stored: unknown): Bookmark[] {
  const list = Array.isArray(stored) ? stored : ((stored as { bookmarks?: unknown } | null)?.bookmarks ?? []);
  if (!Array.isArray(list)) return [];
  return list.slice(0, kMost).flatMap((each) => {
    const { capture, name, note, place } = (each ?? {}) as Partial<Record<keyof Bookmark, unknown>>;
    if (typeof capture !== "string" || typeof name !== "string" || typeof place !== "string") return [];
    // Through the parser: a fragment holds nothing but a place, and no token.
    const text = typeof note === "string" ? note : "";
    return [
      { capture, name: name.slice(0, kLongest), note: text.slice(0, kLongest), place: formatPlace(parsePlace(place)) },
    ];
  });
}

/** As a file has them: those of one capture. */
export function formatBookmarks(capture: string, all: readonly Bookmark[]): string {
  const bookmarks = all.filter((bookmark) => bookmark.capture === capture);
  return `${JSON.stringify({ vizd: "bookmarks", bookmarks }, null, 1)}\n`;
}

/** If two in one capture have one name, the later one stays. */
export function addBookmarks(all: readonly Bookmark[], more: readonly Bookmark[]): Bookmark[] {
  const keyOf = ({ capture, name }: Bookmark) => `${capture}\n${name}`;
  const added = new Map(more.map((bookmark) => [keyOf(bookmark), bookmark]));
  return [...all.filter((bookmark) => !added.has(keyOf(bookmark))), ...added.values()].slice(-kMost);
}
