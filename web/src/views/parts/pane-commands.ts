// The commands of the panes at the sides (parts/split.tsx): a view with panes lists these with its own.
import type { Command } from "../../lib/keys";

export const paneCommands: readonly Command[] = [
  { id: "page.leftPane", title: "Fold or unfold the left pane", keys: ["["] },
  { id: "page.rightPane", title: "Fold or unfold the right pane", keys: ["]"] },
];
