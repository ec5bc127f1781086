// The bookmarks of all captures that this browser has seen, remembered from one visit to the next.
import type { ReadonlySignal } from "@preact/signals";
import { addBookmarks, readBookmarks, type Bookmark } from "../lib/bookmarks";
import { storedSignal } from "./stored";

export interface BookmarkState {
  all: ReadonlySignal<readonly Bookmark[]>;
  add(bookmarks: readonly Bookmark[]): void;
  remove(bookmark: Bookmark): void;
}

export function createBookmarks(): BookmarkState {
  const all = storedSignal<readonly Bookmark[]>("bookmarks", readBookmarks);
  return {
    all,
    add: (bookmarks) => (all.value = addBookmarks(all.value, bookmarks)),
    remove: (bookmark) => (all.value = all.value.filter((other) => other !== bookmark)),
  };
}
