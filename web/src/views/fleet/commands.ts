// The commands of the ranks' view.
import type { Command } from "../../lib/keys";
import { sqlCommands } from "../parts/sql/commands";

export const fleetCommands: readonly Command[] = [
  { id: "fleet.open", title: "Open the chosen rank", keys: [] },
  { id: "fleet.reload", title: "Ask the store again", keys: [] },
  ...sqlCommands,
];
