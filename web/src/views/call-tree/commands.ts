// The commands of the call tree.
import type { Command } from "../../lib/keys";

export const commands: readonly Command[] = [
  { id: "calls.previous", title: "Previous row", keys: ["ArrowUp"], quiet: true },
  { id: "calls.next", title: "Next row", keys: ["ArrowDown"], quiet: true },
  { id: "calls.open", title: "Unfold the row", keys: ["ArrowRight"], quiet: true },
  { id: "calls.close", title: "Fold the row, or go to its parent", keys: ["ArrowLeft"], quiet: true },
  { id: "calls.worst", title: "Go to the longest launch of the row", keys: ["Enter"] },
];
