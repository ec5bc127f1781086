// The one table of what the page can be told to do and by which keys. Views bind handlers to command ids
// (state/commands.ts); the help overlay, the palette and the small caps beside controls are drawn from this table.

export interface Command {
  id: string;
  title: string;
  /** The view it belongs to; "page" where it works everywhere. */
  group: "page" | "rewrites" | "rules" | "timeline" | "program";
  /** Spelled as by nameKey(). */
  keys: string[];
  /** Not offered in the palette: it moves by a little, or the palette itself answers it. */
  quiet?: boolean;
}

export const commands: readonly Command[] = [
  { id: "page.palette", title: "Go to anything", group: "page", keys: ["Ctrl+K", "Ctrl+Shift+P"], quiet: true },
  { id: "page.help", title: "Show the keys", group: "page", keys: ["?"] },
  { id: "page.search", title: "Search or filter this view", group: "page", keys: ["/"] },
  { id: "page.theme", title: "Switch between dark, light and the system's theme", group: "page", keys: ["Shift+D"] },
  { id: "page.clear", title: "Clear the selection, close what is open", group: "page", keys: ["Escape"], quiet: true },
  { id: "page.leftPane", title: "Fold or unfold the left pane", group: "rewrites", keys: ["["] },
  { id: "page.rightPane", title: "Fold or unfold the right pane", group: "rewrites", keys: ["]"] },
  { id: "list.filter", title: "Filter contexts and passes", group: "rewrites", keys: ["L"] },
  { id: "list.previous", title: "Previous context or pass", group: "rewrites", keys: ["ArrowUp"], quiet: true },
  { id: "list.next", title: "Next context or pass", group: "rewrites", keys: ["ArrowDown"], quiet: true },
  { id: "list.toggle", title: "Unfold or fold the context", group: "rewrites", keys: ["Enter"], quiet: true },
  { id: "match.previous", title: "Previous match", group: "rewrites", keys: ["ArrowLeft"], quiet: true },
  { id: "match.next", title: "Next match", group: "rewrites", keys: ["ArrowRight"], quiet: true },
  {
    id: "match.previousTouching",
    title: "Previous match that touches the selected node",
    group: "rewrites",
    keys: ["Shift+ArrowLeft"],
  },
  {
    id: "match.nextTouching",
    title: "Next match that touches the selected node",
    group: "rewrites",
    keys: ["Shift+ArrowRight"],
  },
  { id: "match.back", title: "Back by a tenth of the pass", group: "rewrites", keys: ["PageUp"], quiet: true },
  { id: "match.ahead", title: "Ahead by a tenth of the pass", group: "rewrites", keys: ["PageDown"], quiet: true },
  { id: "match.first", title: "The pass's input graph", group: "rewrites", keys: ["Home"] },
  { id: "match.last", title: "The pass's last match", group: "rewrites", keys: ["End"] },
  { id: "match.play", title: "Play the matches, or stop", group: "rewrites", keys: ["K"] },
  { id: "graph.fit", title: "Fit the graph into the view", group: "rewrites", keys: ["Space"] },
  { id: "graph.zoomIn", title: "Zoom in", group: "rewrites", keys: ["+", "="], quiet: true },
  { id: "graph.zoomOut", title: "Zoom out", group: "rewrites", keys: ["-"], quiet: true },
  { id: "graph.zoomToSelection", title: "Zoom to the selected node", group: "rewrites", keys: ["Z"] },
  { id: "graph.zoomToChange", title: "Zoom to what this match changed", group: "rewrites", keys: ["C"] },
  { id: "node.source", title: "Select the first source of the selected node", group: "rewrites", keys: ["I"] },
  { id: "node.user", title: "Select the first user of the selected node", group: "rewrites", keys: ["O"] },
  { id: "node.origin", title: "Go to the match that made the selected node", group: "rewrites", keys: ["P"] },
  { id: "node.life", title: "Show the selected node's biography", group: "rewrites", keys: ["H"] },
  { id: "node.end", title: "Go to the match that removed the selected node", group: "rewrites", keys: ["Shift+P"] },
  { id: "match.rule", title: "Show this match's rule among all rules", group: "rewrites", keys: ["G"] },
  { id: "find.next", title: "Next node or match found", group: "rewrites", keys: ["N"] },
  { id: "find.previous", title: "Previous node or match found", group: "rewrites", keys: ["Shift+N"] },
  { id: "diff.mark", title: "Mark this match, to compare with it", group: "rewrites", keys: ["M"] },
  { id: "diff.turn", title: "Compare with the marked match, or stop", group: "rewrites", keys: ["D"] },
  { id: "diff.ends", title: "Compare the pass's first graph and its last", group: "rewrites", keys: ["E"] },
  { id: "diff.swap", title: "Show the comparison's other side", group: "rewrites", keys: ["X"] },
  { id: "focus.near", title: "Only what is around the selected node", group: "rewrites", keys: ["F"] },
  { id: "focus.wider", title: "One edge further around it", group: "rewrites", keys: ["."], quiet: true },
  { id: "focus.narrower", title: "One edge less around it", group: "rewrites", keys: [","], quiet: true },
  { id: "focus.up", title: "Only what the selected node is made from", group: "rewrites", keys: ["Shift+I"] },
  { id: "focus.down", title: "Only what is made from the selected node", group: "rewrites", keys: ["Shift+O"] },
  {
    id: "focus.between",
    title: "Only what lies between the selected node and the one selected before",
    group: "rewrites",
    keys: ["B"],
  },
  { id: "view.whole", title: "The whole graph again, with nothing left out", group: "rewrites", keys: ["W"] },
  { id: "view.fold", title: "Fold nodes that are alike, or unfold them", group: "rewrites", keys: ["T"] },
  { id: "view.hide", title: "Choose what to leave out", group: "rewrites", keys: ["V"] },
  { id: "view.hideOp", title: "Leave out ops like the selected node", group: "rewrites", keys: ["S"] },
  { id: "view.compact", title: "Compact this match's graph, or put it back", group: "rewrites", keys: ["R"] },
  { id: "view.better", title: "Use the better layout, where one was found", group: "rewrites", keys: ["Shift+R"] },
  { id: "rules.previous", title: "Previous rule", group: "rules", keys: ["ArrowUp"], quiet: true },
  { id: "rules.next", title: "Next rule", group: "rules", keys: ["ArrowDown"], quiet: true },
  { id: "rules.open", title: "Go to the rule's first match", group: "rules", keys: ["Enter"] },
  { id: "timeline.zoomIn", title: "Zoom in at the pointer", group: "timeline", keys: ["W", "+", "="], quiet: true },
  { id: "timeline.zoomOut", title: "Zoom out", group: "timeline", keys: ["S", "-"], quiet: true },
  { id: "timeline.earlier", title: "Move to earlier times", group: "timeline", keys: ["A", "ArrowLeft"], quiet: true },
  { id: "timeline.later", title: "Move to later times", group: "timeline", keys: ["D", "ArrowRight"], quiet: true },
  { id: "timeline.muchEarlier", title: "Move by a view", group: "timeline", keys: ["Shift+ArrowLeft"], quiet: true },
  { id: "timeline.muchLater", title: "Move by a view", group: "timeline", keys: ["Shift+ArrowRight"], quiet: true },
  { id: "timeline.up", title: "Scroll the lanes up", group: "timeline", keys: ["ArrowUp"], quiet: true },
  { id: "timeline.down", title: "Scroll the lanes down", group: "timeline", keys: ["ArrowDown"], quiet: true },
  { id: "timeline.focus", title: "Zoom to the selection; again: everything", group: "timeline", keys: ["F"] },
  { id: "timeline.fit", title: "Fit everything into the view", group: "timeline", keys: ["Space", "Home"] },
  { id: "timeline.next", title: "Next event of the row", group: "timeline", keys: ["."] },
  { id: "timeline.previous", title: "Previous event of the row", group: "timeline", keys: [","] },
  { id: "timeline.nextSame", title: "Next event of the same name", group: "timeline", keys: ["N"] },
  { id: "timeline.previousSame", title: "Previous event of the same name", group: "timeline", keys: ["Shift+N"] },
  { id: "timeline.flowAhead", title: "Follow the arrow to what the event led to", group: "timeline", keys: ["]"] },
  { id: "timeline.flowBack", title: "Follow the arrow back to what led to it", group: "timeline", keys: ["["] },
  { id: "timeline.open", title: "Open the rewrites of the selected event", group: "timeline", keys: ["Enter"] },
  { id: "timeline.mark", title: "Mark the selection's time, or the pointer's", group: "timeline", keys: ["M"] },
  { id: "timeline.keepMark", title: "Mark, and keep the marks there are", group: "timeline", keys: ["Shift+M"] },
  { id: "timeline.search", title: "Search events", group: "timeline", keys: ["Ctrl+F"], quiet: true },
  {
    id: "timeline.clock",
    title: "Count the axis in cycles, where a clock is known, or in time",
    group: "timeline",
    keys: ["C"],
  },
  { id: "timeline.slowest", title: "Tick the slowest of each name, or no longer", group: "timeline", keys: ["L"] },
  { id: "timeline.lanes", title: "Find a lane; show, hide and pin lanes", group: "timeline", keys: ["Ctrl+P"] },
  { id: "program.previous", title: "Previous instruction", group: "program", keys: ["ArrowUp"], quiet: true },
  { id: "program.next", title: "Next instruction", group: "program", keys: ["ArrowDown"], quiet: true },
  { id: "program.follow", title: "Follow the jump", group: "program", keys: ["Enter"] },
  { id: "program.nextHit", title: "Next instruction found", group: "program", keys: ["N"] },
  { id: "program.previousHit", title: "Previous instruction found", group: "program", keys: ["Shift+N"] },
  { id: "program.code", title: "Source and disassembly", group: "program", keys: ["1"] },
  { id: "program.flow", title: "The graph of basic blocks", group: "program", keys: ["2"] },
  { id: "program.compare", title: "Compare with another program", group: "program", keys: ["3"] },
  { id: "program.nextChange", title: "Next difference of a comparison", group: "program", keys: ["D"] },
  { id: "program.previousChange", title: "Previous difference of a comparison", group: "program", keys: ["Shift+D"] },
  { id: "program.loop", title: "Analyse the next loop, or everything", group: "program", keys: ["O"] },
  { id: "program.nextProgram", title: "The next program", group: "program", keys: ["J"] },
  { id: "program.previousProgram", title: "The previous program", group: "program", keys: ["K"] },
  { id: "program.rewrites", title: "Go to the program's rewrites", group: "program", keys: ["G"] },
  { id: "timeline.drawer", title: "Fold or unfold the details", group: "timeline", keys: ["Q"] },
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
