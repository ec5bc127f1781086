// The one table of what the page can be told to do and by which keys. Views bind handlers to command ids
// (state/commands.ts); the help overlay, the palette and the small caps beside controls are drawn from this table.

export interface Command {
  id: string;
  title: string;
  /** The view it belongs to; "page" where it works everywhere. */
  group: "page" | "rewrites" | "timeline";
  /** Spelled as by nameKey(). */
  keys: string[];
  /** Not offered in the palette: it moves by a little, or the palette itself answers it. */
  quiet?: boolean;
}

export const commands: readonly Command[] = [
  { id: "page.palette", title: "Go to anything", group: "page", keys: ["Ctrl+K"], quiet: true },
  { id: "page.help", title: "Show the keys", group: "page", keys: ["?"] },
  { id: "page.search", title: "Search or filter this view", group: "page", keys: ["/"] },
  { id: "page.theme", title: "Switch between dark, light and the system's theme", group: "page", keys: ["Shift+D"] },
  { id: "page.clear", title: "Clear the selection, close what is open", group: "page", keys: ["Escape"], quiet: true },
  { id: "page.leftPane", title: "Fold or unfold the left pane", group: "page", keys: ["["] },
  { id: "page.rightPane", title: "Fold or unfold the right pane", group: "page", keys: ["]"] },
];

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/** "Ctrl+K", "Shift+ArrowLeft", "?", "Space". Cmd counts as Ctrl; Shift is named only where the key does not show it. */
export function nameKey(press: KeyPress): string {
  const key = press.key === " " ? "Space" : press.key.length === 1 ? press.key.toUpperCase() : press.key;
  const isLetter = key.length === 1 && key.toLowerCase() !== key.toUpperCase();
  const parts: string[] = [];
  if (press.ctrlKey || press.metaKey) parts.push("Ctrl");
  if (press.altKey) parts.push("Alt");
  if (press.shiftKey && (isLetter || key.length > 1)) parts.push("Shift");
  parts.push(key);
  return parts.join("+");
}

const kSymbols: Record<string, string> = {
  ArrowUp: "↑",
  ArrowDown: "↓",
  ArrowLeft: "←",
  ArrowRight: "→",
  Shift: "⇧",
  Escape: "Esc",
  PageUp: "PgUp",
  PageDown: "PgDn",
};

/** How a key is written beside a control: "⇧ →", "Ctrl K". */
export function showKey(key: string): string {
  if (key === "+") return key;
  return key
    .split("+")
    .map((part) => kSymbols[part] ?? part)
    .join(" ");
}

export function findCommand(id: string): Command | undefined {
  return commands.find((command) => command.id === id);
}
