// Timeline: what the devices did and what memory they held.
import { sightKeys } from "../../lib/timeline/sight";
import type { View } from "../view";
import { commands } from "./commands";

export const timeline: View = {
  id: "timeline",
  title: "Timeline",
  suits: (capture) => capture.has_profile,
  commands,
  pointer:
    "The wheel scrolls the lanes; with Ctrl it zooms at the cursor, with Shift it moves the time. Dragging chooses a " +
    "time range over the lanes it crosses; with Shift it moves. A double click leads to an event's rewrites, zooms " +
    "where many events are drawn as one, and fits beside them.",
  urlKeys: sightKeys,
  load: async () => (await import("./timeline")).openTimeline,
};
