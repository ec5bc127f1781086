// The page's own commands, which work in every view.
import type { Command } from "../../lib/keys";

export const pageCommands: readonly Command[] = [
  { id: "page.palette", title: "Go to anything", keys: ["Ctrl+K", "Ctrl+Shift+P"], quiet: true },
  { id: "page.help", title: "Show the keys", keys: ["?"] },
  { id: "page.search", title: "Search or filter this view", keys: ["/"] },
  { id: "page.nextView", title: "Next view of this room", keys: ["Shift+V"] },
  { id: "page.previousView", title: "View of this room before", keys: [], quiet: true },
  { id: "page.error", title: "Go to the next rewrite that raised an error", keys: ["Shift+E"] },
  { id: "page.open", title: "Open a capture of this computer", keys: ["Ctrl+O"] },
  { id: "page.copyLink", title: "Copy a link to exactly this", keys: ["Y"] },
  { id: "page.bookmarks", title: "Bookmarks: name this place, go to one", keys: ["Shift+B"] },
  { id: "page.settings", title: "Settings: the editor that lines of source open in", keys: ["Ctrl+,"] },
  { id: "page.theme", title: "Switch between dark, light and the system's theme", keys: ["Shift+D"] },
  { id: "page.wheel", title: "Let the wheel zoom, or scroll", keys: [] },
  { id: "scope.savePerfetto", title: "Export the step or time in scope as a trace for Perfetto", keys: [] },
  { id: "scope.saveChrome", title: "Export the step or time in scope as a Chrome trace", keys: [] },
  { id: "scope.saveNative", title: "Export the step or time in scope as a capture of vizd (.bin)", keys: [] },
  { id: "scope.clear", title: "Clear the scope: figures of the whole capture", keys: [] },
  {
    id: "page.clear",
    title: "Close what is open, clear the selection, then take the scope away part by part",
    keys: ["Escape"],
    quiet: true,
  },
];
