// Commands: what the page can be told to do and by which keys. Each view lists its own, the page those that work
// everywhere; the help overlay, the palette and the small caps beside controls are drawn from these lists.

export interface Command {
  id: string;
  title: string;
  /** What people call it too, with blanks between: the palette finds it by these words. */
  words?: string;
  /** Spelled as by nameKey(). */
  keys: readonly string[];
  /** Not offered in the palette: it moves by a little, or the palette itself answers it. */
  quiet?: boolean;
}

export interface KeyPress {
  key: string;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  shiftKey: boolean;
}

/**
 * "Ctrl+K", "Shift+ArrowLeft", "?", "Space". Cmd counts as Ctrl; Shift is named only where the key does not show it.
 */
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
