// Memory: who held it, and what grew.
import { formatMomentKey, type MemoryMoment } from "../../lib/memory";
import { sqlText } from "../../lib/command-line";
import type { View } from "../view";
import { commands } from "./commands";
import { openMemory } from "./memory";
import { urlKeys } from "./state";

export const memory: View = {
  id: "memory",
  title: "Memory",
  words: "peak allocations buffers holders leak oom out of memory",
  suits: (capture) => capture.allocations > 0,
  commands,
  pointer: "A click on the picture goes to the state at that time, and chooses the allocation that is drawn there.",
  sayWhere: ({ place }) => place.key("mem.lane").value ?? "",
  asCommand: ({ place }) => {
    const lane = place.key("mem.lane").value;
    const where = lane ? ` WHERE track_id IN (SELECT id FROM track WHERE path = ${sqlText(lane)})` : "";
    return { words: ["sql", `SELECT * FROM allocation${where} ORDER BY size DESC`] };
  },
  urlKeys,
  listPlaces: ({ place, session }) => {
    if ((session.capture.value?.allocations ?? 0) === 0) return [];
    const goTo = (title: string, at: MemoryMoment) => ({
      title,
      detail: "who held it",
      run: () => place.follow({ view: "memory", keys: { "mem.at": formatMomentKey(at) } }),
    });
    return [goTo("Memory peak: who held it", "peak"), goTo("Memory that is never freed", "end")];
  },
  open: openMemory,
};
