// Allocator: a memory whose allocator told of itself entry by entry: over time by owner, at a moment, and what leaks.
import { formatAllocatorMoment, isLifeQuery, type AllocatorMoment } from "../../lib/allocator";
import type { View } from "../view";
import { openAllocator } from "./allocator";
import { commands } from "./commands";
import { urlKeys } from "./state";

export const allocator: View = {
  id: "allocator",
  title: "Allocator",
  words: "memory snapshot peak owners leak fragmentation oom out of memory segments blocks",
  suits: (capture) => capture.allocators > 0,
  commands,
  pointer:
    "A click on the curve goes to the entry there, and chooses the owner; a drag zooms. Over blocks, the allocation's life and stack are shown; a click keeps it.",
  sayWhere: ({ place }) => place.key("alloc.lane").value ?? "",
  asCommand: ({ place }) => {
    const [at, show] = [place.key("alloc.at").value ?? "peak", place.key("alloc.show").value];
    return { words: ["memory", ...(show === "segments" ? ["--state", at] : [])] };
  },
  urlKeys,
  listPlaces: ({ place, session }) => {
    if ((session.capture.value?.allocators ?? 0) === 0) return [];
    const goTo = (title: string, at: AllocatorMoment, show: string | null) => ({
      title,
      detail: "allocator",
      run: () =>
        place.follow({ view: "allocator", keys: { "alloc.at": formatAllocatorMoment(at), "alloc.show": show } }),
    });
    return [
      goTo("Who holds the peak of memory, by line", "peak", null),
      goTo("Segments and blocks at the end", "end", "segments"),
      goTo("Memory that leaks from step to step", "end", "leaks"),
      goTo("Find allocations: size>1e9 frame:softmax", "peak", "find"),
    ];
  },
  listSearches: ({ place }, typed) =>
    isLifeQuery(typed)
      ? [
          {
            title: `Find allocations: ${typed}`,
            detail: "allocator",
            run: () => place.follow({ view: "allocator", keys: { "alloc.show": "find", "alloc.words": typed } }),
          },
        ]
      : [],
  open: openAllocator,
};
