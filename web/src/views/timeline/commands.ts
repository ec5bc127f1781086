// What the timeline can be told to do.
import type { Command } from "../../lib/keys";

export const commands: readonly Command[] = [
  { id: "timeline.zoomIn", title: "Zoom in at the pointer", keys: ["W", "+", "="], quiet: true },
  { id: "timeline.zoomOut", title: "Zoom out", keys: ["S", "-"], quiet: true },
  { id: "timeline.earlier", title: "Move to earlier times", keys: ["A", "ArrowLeft"], quiet: true },
  { id: "timeline.later", title: "Move to later times", keys: ["D", "ArrowRight"], quiet: true },
  { id: "timeline.muchEarlier", title: "Move by a view", keys: ["Shift+ArrowLeft"], quiet: true },
  { id: "timeline.muchLater", title: "Move by a view", keys: ["Shift+ArrowRight"], quiet: true },
  { id: "timeline.up", title: "Scroll the lanes up", keys: ["ArrowUp"], quiet: true },
  { id: "timeline.down", title: "Scroll the lanes down", keys: ["ArrowDown"], quiet: true },
  { id: "timeline.focus", title: "Zoom to the selection; again: everything", keys: ["F"] },
  { id: "timeline.fit", title: "Fit everything into the view", keys: ["Space", "Home"] },
  { id: "timeline.next", title: "Next event of the row", keys: ["."] },
  { id: "timeline.previous", title: "Previous event of the row", keys: [","] },
  { id: "timeline.nextSame", title: "Next event of the same name", keys: ["N"] },
  { id: "timeline.previousSame", title: "Previous event of the same name", keys: ["Shift+N"] },
  { id: "timeline.flowAhead", title: "Follow the arrow to what the event led to", keys: ["]"] },
  { id: "timeline.flowBack", title: "Follow the arrow back to what led to it", keys: ["["] },
  { id: "timeline.open", title: "Open the rewrites of the selected event", keys: ["Enter"] },
  { id: "timeline.mark", title: "Mark the selection's time, or the pointer's", keys: ["M"] },
  { id: "timeline.keepMark", title: "Mark, and keep the marks there are", keys: ["Shift+M"] },
  { id: "timeline.search", title: "Search events", keys: ["Ctrl+F"], quiet: true },
  { id: "timeline.clock", title: "Count the axis in cycles, where a clock is known, or in time", keys: ["C"] },
  { id: "timeline.slowest", title: "Tick the slowest of each name, or no longer", keys: ["L"] },
  { id: "timeline.lanes", title: "Find a lane; show, hide and pin lanes", keys: ["Ctrl+P"] },
  { id: "timeline.drawer", title: "Fold or unfold the details", keys: ["Q"] },
];
