// Compared memory: what grew from one memory snapshot, step or device to another, line by line.
import { choosePair } from "../../lib/comparison";
import type { View } from "../view";
import { openComparedMemory } from "./compared-memory";
import { parseChoice } from "./state";

export const comparedMemory: View = {
  id: "compared-memory",
  title: "Memory compared",
  tab: "Memory",
  words: "diff regression before after snapshot grew growth",
  suits: (capture, others) =>
    capture.has_memory_parts || (capture.allocators > 0 && others.some(({ allocators }) => allocators > 0)),
  commands: [
    { id: "comparedMemory.swap", title: "Swap before and after", keys: ["X"] },
    { id: "comparedMemory.peak", title: "What each has at its peak", keys: ["P"] },
    { id: "comparedMemory.end", title: "What each has at its end", keys: ["E"] },
    { id: "comparedMemory.previous", title: "Previous line", keys: ["ArrowUp"], quiet: true },
    { id: "comparedMemory.next", title: "Next line", keys: ["ArrowDown"], quiet: true },
  ],
  asCommand: ({ place, session }) => {
    const captures = (session.info.value?.captures ?? []).filter(({ allocators }) => allocators > 0);
    const wanted = { before: place.key("memory.before").value, after: place.key("memory.after").value };
    const pair = choosePair(captures, session.capture.value?.id ?? null, wanted, (of) => of.has_memory_parts);
    if (pair === null) return null;
    const [a, b] = [parseChoice(place.key("memory.a").value), parseChoice(place.key("memory.b").value)];
    const ranges = a.range === "" || b.range === "" ? [] : ["--ranges", `${a.range},${b.range}`];
    const devices = a.device === b.device || a.device === null ? [] : ["--devices", `${a.device},${b.device}`];
    const files = pair.before === pair.after ? [pair.before] : [pair.before, pair.after];
    return { words: ["compare", ...ranges, ...devices], captures: files };
  },
  urlKeys: {
    "memory.before": "kept",
    "memory.after": "kept",
    "memory.moment": "kept",
    "memory.join": "kept",
    "memory.align": "kept",
    "memory.row": "kept",
    "memory.order": "kept",
    "memory.filter": "kept",
    "memory.device": "kept",
    "memory.a": "kept",
    "memory.b": "kept",
  },
  open: openComparedMemory,
};
