import type { Command } from "../../lib/keys";

export const commands: readonly Command[] = [
  { id: "fleet.open", title: "Open the chosen rank", keys: [] },
  { id: "fleet.reload", title: "Ask the store again", keys: [] },
];
