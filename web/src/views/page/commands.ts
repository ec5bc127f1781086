// What the page can be told to do whatever view is on screen.
import type { Command } from "../../lib/keys";

export const pageCommands: readonly Command[] = [
  { id: "page.palette", title: "Go to anything", keys: ["Ctrl+K", "Ctrl+Shift+P"], quiet: true },
  { id: "page.help", title: "Show the keys", keys: ["?"] },
  { id: "page.search", title: "Search or filter this view", keys: ["/"] },
  { id: "page.theme", title: "Switch between dark, light and the system's theme", keys: ["Shift+D"] },
  { id: "page.clear", title: "Clear the selection, close what is open", keys: ["Escape"], quiet: true },
];
