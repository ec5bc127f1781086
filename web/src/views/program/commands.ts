// The commands of a program's view.
import type { Command } from "../../lib/keys";
import { paneCommands } from "../parts/pane-commands";

export const commands: readonly Command[] = [
  ...paneCommands,
  { id: "program.previous", title: "Previous instruction", keys: ["ArrowUp"], quiet: true },
  { id: "program.next", title: "Next instruction", keys: ["ArrowDown"], quiet: true },
  { id: "program.follow", title: "Follow the jump", keys: ["Enter"] },
  { id: "program.nextHit", title: "Next instruction found", keys: ["N"] },
  { id: "program.previousHit", title: "Previous instruction found", keys: ["Shift+N"] },
  {
    id: "program.hotter",
    title: "The hottest instruction, then the next hottest",
    words: "cycles stall samples slowest",
    keys: ["H"],
  },
  { id: "program.cooler", title: "The next hotter instruction", keys: ["Shift+H"] },
  { id: "program.code", title: "Source and disassembly", words: "assembly disassembly", keys: ["1"] },
  { id: "program.flow", title: "The graph of basic blocks", words: "cfg control flow", keys: ["2"] },
  { id: "program.compare", title: "Compare with another program", words: "diff", keys: ["3"] },
  { id: "program.ops", title: "The program's ops in order", words: "uops linear list", keys: ["4"] },
  { id: "program.nextChange", title: "Next difference of a comparison", keys: ["D"] },
  { id: "program.previousChange", title: "Previous difference of a comparison", keys: ["U"] },
  { id: "program.loop", title: "Analyse the next loop, or everything", keys: ["O"] },
  { id: "program.nextProgram", title: "The next program", keys: ["J"] },
  { id: "program.previousProgram", title: "The previous program", keys: ["K"] },
  {
    id: "program.slowest",
    title: "List programs by the time they took, and show the slowest",
    words: "longest hot",
    keys: ["L"],
  },
  { id: "program.rewrites", title: "Go to the program's rewrites", words: "compiler graph passes", keys: ["G"] },
];
