// The commands of the allocator's view.
import type { Command } from "../../lib/keys";
import { paneCommands } from "../parts/pane-commands";

export const commands: readonly Command[] = [
  ...paneCommands,
  { id: "allocator.peak", title: "The peak of allocated memory", words: "most", keys: ["P"] },
  { id: "allocator.oom", title: "The next time that memory ran out", words: "oom out of memory", keys: ["O"] },
  { id: "allocator.end", title: "The end of the recording", words: "last alive", keys: ["E"] },
  { id: "allocator.owners", title: "Who holds the memory", words: "owners lines", keys: ["W"] },
  {
    id: "allocator.of",
    title: "What was made in the time shown, and what of it is left",
    words: "range brush leak between two cursors",
    keys: ["M"],
  },
  { id: "allocator.segments", title: "The allocator's segments and blocks", words: "fragmentation", keys: ["S"] },
  { id: "allocator.leaks", title: "What leaks from step to step", words: "growth", keys: ["L"] },
  { id: "allocator.find", title: "Find allocations by size, line, address", words: "search", keys: ["A"] },
  { id: "allocator.whole", title: "All of the time again", words: "zoom out", keys: ["F"] },
  { id: "allocator.back", title: "The entry before", keys: ["ArrowLeft"], quiet: true },
  { id: "allocator.on", title: "The entry after", keys: ["ArrowRight"], quiet: true },
  { id: "allocator.farBack", title: "100 entries back", keys: ["Shift+ArrowLeft"], quiet: true },
  { id: "allocator.farOn", title: "100 entries on", keys: ["Shift+ArrowRight"], quiet: true },
  { id: "allocator.previous", title: "The owner above", keys: ["ArrowUp"], quiet: true },
  { id: "allocator.next", title: "The owner below", keys: ["ArrowDown"], quiet: true },
];
