// The commands of Delegation.
import type { Command } from "../../lib/keys";

export const commands: readonly Command[] = [
  { id: "delegation.previous", title: "Previous row", keys: ["ArrowUp"], quiet: true },
  { id: "delegation.next", title: "Next row", keys: ["ArrowDown"], quiet: true },
];
