// The commands of the comparison.
import type { Command } from "../../lib/keys";

export const commands: readonly Command[] = [
  { id: "compare.swap", title: "Swap before and after", keys: ["X"] },
  { id: "compare.previous", title: "Previous row", keys: ["ArrowUp"], quiet: true },
  { id: "compare.next", title: "Next row", keys: ["ArrowDown"], quiet: true },
  { id: "compare.part", title: "Go to the first match that differs", keys: ["Enter"] },
];
