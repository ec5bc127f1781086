// The page's own commands, which work in every view.
import type { Command } from "../../lib/keys";

export const pageCommands: readonly Command[] = [
  { id: "page.palette", title: "Go to anything", keys: ["Ctrl+K", "Ctrl+Shift+P"], quiet: true },
  { id: "page.help", title: "Show the keys", words: "help shortcuts keyboard", keys: ["?"] },
  { id: "page.search", title: "Search or filter this view", words: "find", keys: ["/"] },
  { id: "page.nextView", title: "Next view of this room", words: "tab", keys: ["Shift+V"] },
  { id: "page.previousView", title: "Previous view of this room", keys: [], quiet: true },
  {
    id: "page.error",
    title: "Go to the next rewrite that raised an error",
    words: "exception failed",
    keys: ["Shift+E"],
  },
  { id: "page.open", title: "Open a capture of this computer", words: "load upload file trace", keys: ["Ctrl+O"] },
  { id: "page.copyLink", title: "Copy a link to exactly this", words: "share url", keys: ["Y"] },
  {
    id: "page.copyCommand",
    title: "Copy as command: the line that tells this in a terminal",
    words: "cli shell script agent",
    keys: ["Shift+Y"],
  },
  {
    id: "page.export",
    title: "Export the table: as CSV, as Markdown, for a spreadsheet",
    words: "export copy save download",
    keys: [],
  },
  { id: "page.bookmarks", title: "Bookmarks: name this place, go to one", words: "save place", keys: ["Shift+B"] },
  {
    id: "page.settings",
    title: "Settings: the editor that lines of source open in",
    words: "preferences options vscode",
    keys: ["Ctrl+,"],
  },
  {
    id: "page.theme",
    title: "Switch between dark, light and the system's theme",
    words: "colours colors appearance",
    keys: ["Shift+D"],
  },
  { id: "page.wheel", title: "Let the wheel zoom, or scroll", words: "mouse scroll trackpad", keys: [] },
  {
    id: "scope.savePerfetto",
    title: "Export the step or time in scope as a trace for Perfetto",
    words: "save download cut pftrace",
    keys: [],
  },
  {
    id: "scope.saveChrome",
    title: "Export the step or time in scope as a Chrome trace",
    words: "save download cut json",
    keys: [],
  },
  {
    id: "scope.saveNative",
    title: "Export the step or time in scope as a capture of vizd (.bin)",
    words: "save download cut",
    keys: [],
  },
  {
    id: "scope.clear",
    title: "Clear the scope: figures of the whole capture",
    words: "reset whole everything",
    keys: [],
  },
  {
    id: "page.clear",
    title: "Close what is open, clear the selection, then remove the scope part by part",
    keys: ["Escape"],
    quiet: true,
  },
];
