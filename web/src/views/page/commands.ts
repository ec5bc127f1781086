// The page's own commands, which work in every view.
import type { Command } from "../../lib/keys";

export const pageCommands: readonly Command[] = [
  { id: "page.palette", title: "Go to anything", keys: ["Ctrl+K", "Ctrl+Shift+P"], quiet: true },
  { id: "page.help", title: "Show the keys", keys: ["?"] },
  { id: "page.search", title: "Search or filter this view", keys: ["/"] },
  { id: "page.error", title: "Go to the next rewrite that raised an error", keys: ["Shift+E"] },
  { id: "page.open", title: "Open a capture of this computer", keys: ["Ctrl+O"] },
  { id: "page.copyLink", title: "Copy a link to exactly this", keys: ["Y"] },
  { id: "page.bookmarks", title: "Bookmarks: name this place, go to one", keys: ["Shift+B"] },
  { id: "page.settings", title: "Settings: the editor that lines of source open in", keys: ["Ctrl+,"] },
  { id: "page.theme", title: "Switch between dark, light and the system's theme", keys: ["Shift+D"] },
  { id: "page.wheel", title: "Let the wheel zoom, or scroll", keys: [] },
  { id: "page.clear", title: "Clear the selection, close what is open", keys: ["Escape"], quiet: true },
];
