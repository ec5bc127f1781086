// The commands of the call tree.
import type { Command } from "../../lib/keys";

export const commands: readonly Command[] = [
  { id: "calls.previous", title: "Previous place of the call tree", keys: ["ArrowUp"], quiet: true },
  { id: "calls.next", title: "Next place of the call tree", keys: ["ArrowDown"], quiet: true },
  { id: "calls.open", title: "Unfold the place of the call tree", keys: ["ArrowRight"], quiet: true },
  { id: "calls.close", title: "Fold it, or go to what it is in", keys: ["ArrowLeft"], quiet: true },
  { id: "calls.worst", title: "Go to the longest launch below the place", keys: ["Enter"] },
];
