// The commands of a program's view.
import type { Command } from "../../lib/keys";
import { paneCommands } from "../parts/pane-commands";

export const commands: readonly Command[] = [
  ...paneCommands,
  { id: "program.previous", title: "Previous instruction", keys: ["ArrowUp"], quiet: true },
  { id: "program.next", title: "Next instruction", keys: ["ArrowDown"], quiet: true },
  { id: "program.follow", title: "Follow the jump", keys: ["Enter"] },
  { id: "program.nextHit", title: "Next search result", keys: ["N"] },
  { id: "program.previousHit", title: "Previous search result", keys: ["Shift+N"] },
  {
    id: "program.hotter",
    title: "Go to the hottest instruction, then to the next",
    words: "cycles stall samples slowest",
    keys: ["H"],
  },
  { id: "program.cooler", title: "Go to the next hotter instruction", keys: ["Shift+H"] },
  { id: "program.code", title: "Source and disassembly", words: "assembly disassembly", keys: ["1"] },
  { id: "program.flow", title: "Control flow graph", words: "cfg control flow", keys: ["2"] },
  { id: "program.compare", title: "Compare with another program", words: "diff", keys: ["3"] },
  { id: "program.ops", title: "Ops of the program in order", words: "uops linear list", keys: ["4"] },
  { id: "program.nextChange", title: "Next difference of a comparison", keys: ["D"] },
  { id: "program.previousChange", title: "Previous difference of a comparison", keys: ["U"] },
  { id: "program.loop", title: "Analyze the next loop, or everything", keys: ["O"] },
  { id: "program.nextProgram", title: "Next program", keys: ["J"] },
  { id: "program.previousProgram", title: "Previous program", keys: ["K"] },
  {
    id: "program.slowest",
    title: "Sort programs by total time and show the slowest",
    words: "longest hot",
    keys: ["L"],
  },
  { id: "program.rewrites", title: "Go to the program's rewrites", words: "compiler graph passes", keys: ["G"] },
];
