// The commands of the allocator's view.
import type { Command } from "../../lib/keys";
import { paneCommands } from "../parts/pane-commands";

export const commands: readonly Command[] = [
  ...paneCommands,
  { id: "allocator.peak", title: "Go to the peak of allocated memory", words: "most", keys: ["P"] },
  { id: "allocator.oom", title: "Go to the next out of memory", words: "oom out of memory", keys: ["O"] },
  { id: "allocator.end", title: "Go to the end of the recording", words: "last alive", keys: ["E"] },
  { id: "allocator.owners", title: "Show memory owners", words: "owners lines", keys: ["W"] },
  {
    id: "allocator.of",
    title: "Show what was allocated in this time range, and what remains",
    words: "range brush leak between two cursors",
    keys: ["M"],
  },
  { id: "allocator.segments", title: "Show the allocator's segments and blocks", words: "fragmentation", keys: ["S"] },
  { id: "allocator.leaks", title: "Show leaks between steps", words: "growth", keys: ["L"] },
  { id: "allocator.find", title: "Find allocations by size, line, address", words: "search", keys: ["A"] },
  { id: "allocator.whole", title: "Show the whole recording", words: "zoom out", keys: ["F"] },
  { id: "allocator.back", title: "Previous entry", keys: ["ArrowLeft"], quiet: true },
  { id: "allocator.on", title: "Next entry", keys: ["ArrowRight"], quiet: true },
  { id: "allocator.farBack", title: "100 entries back", keys: ["Shift+ArrowLeft"], quiet: true },
  { id: "allocator.farOn", title: "100 entries forward", keys: ["Shift+ArrowRight"], quiet: true },
  { id: "allocator.previous", title: "Previous owner", keys: ["ArrowUp"], quiet: true },
  { id: "allocator.next", title: "Next owner", keys: ["ArrowDown"], quiet: true },
];
