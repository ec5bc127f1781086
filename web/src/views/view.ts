// View: the page's side of a view. Everything else about it is in its folder: components, state, wire types, style.
import type { ReadonlySignal } from "@preact/signals";
import type { ComponentType } from "preact";
import type { Command } from "../lib/keys";
import type { Keys, UrlKeys } from "../lib/place";
import type { CaptureInfo } from "../lib/wire";
import type { App } from "../state/app";

export interface View {
  /** As the URL has it, and the name of its folder. */
  id: string;
  title: string;
  /** What people look for there, with blanks between: the palette finds the view by these words. */
  words?: string;
  /** Its name among the views of its room, where that is not its title. */
  tab?: string;
  /** Whether the capture has something for this view to show; others: those that are open beside it. */
  suits(capture: CaptureInfo, others: readonly CaptureInfo[]): boolean;
  /**
   * Whether its tab is offered, where only an answer of the server tells. Called once its room is shown; without it, it
   * is wherever the view suits.
   */
  isOffered?(app: App): ReadonlySignal<boolean>;
  /** Whatever it shows is asked in words of the person's own: a report has no answer to any. */
  needsServer?: true;
  /** It shows the jobs of a store where there is one, whatever captures are open, and none are. */
  isOfStore?: true;
  commands: readonly Command[];
  /** The pointer's gestures there, for the help. */
  pointer?: string;
  /** Its keys of the URL. No two views share one. */
  urlKeys: UrlKeys;
  /** The keys of its defaults, where the place names none: a link to what is on screen has them too. Reads signals. */
  listDefaults?(app: App): Keys;
  /**
   * The command line that tells in a terminal what is on screen, its files left out: they are those of the captures, or
   * else of the one on screen. Null where no command tells it. Reads signals.
   */
  asCommand?(app: App): AsCommand | null;
  /** Where in it one is, for the document's title: "" where that is nowhere in particular. Reads signals. */
  sayWhere?(app: App): string;
  /** The capture's places there that the palette offers; reads signals. */
  listPlaces?(app: App): readonly PaletteEntry[];
  /** The same of what the page has to ask for first. Called when the palette opens. */
  fetchPlaces?(app: App): Promise<readonly PaletteEntry[]>;
  /** What the palette offers for a text that is typed, before all it has by name: searches that the view understands. */
  listSearches?(app: App, typed: string): readonly PaletteEntry[];
  open: OpenView;
}

/**
 * Makes the view's state and what draws it. Called once, when the view is first shown. What it asks of the server it
 * asks while it is shown.
 */
export type OpenView = (app: App, isShown: ReadonlySignal<boolean>) => ComponentType;

export interface AsCommand {
  words: readonly string[];
  captures?: readonly CaptureInfo[];
}

/** A part of the page's top bar: one or several views of one thing. */
export interface Room {
  id: string;
  title: string;
  views: readonly View[];
  /** It stands at the right, small: for looking something up. */
  isAside?: true;
}

export interface PaletteEntry {
  title: string;
  detail: string;
  /** What people call it too, with blanks between. */
  words?: string;
  /** How near it is to where one is in its view: below 10, the larger the nearer. */
  nearness?: number;
  run(): void;
}
