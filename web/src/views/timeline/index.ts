// Timeline: what the devices did and what memory they held.
import { kPathKey, kTraceKey, parseEventKey } from "../../lib/links";
import { asksForWork } from "../../lib/replays";
import { formatMoment, parseRange } from "../../lib/time";
import { sightKeys } from "../../lib/timeline/sight";
import { sqlText } from "../../lib/command-line";
import type { View } from "../view";
import { commands } from "./commands";
import { fetchPlaces } from "./places";
import { openTimeline } from "./timeline";

export const timeline: View = {
  id: "timeline",
  title: "Timeline",
  words: "trace lanes tracks stack stacks flame gantt",
  suits: (capture) => capture.has_profile,
  commands,
  pointer:
    "The wheel scrolls the lanes; with Ctrl it zooms at the cursor, with Shift it moves the time. Dragging chooses a " +
    "time range over the lanes it crosses; with Shift it moves. A double click leads to an event's rewrites, zooms " +
    "where many events are drawn as one, and on empty space shows all.",
  sayWhere: ({ place }) => {
    const event = parseEventKey(place.key("event").value ?? "");
    const time = parseRange(place.key("time").value);
    if (event !== null) return `${event.name} at ${formatMoment(event.start_ns)}`;
    return time === null ? "" : `timeline ${formatMoment(time.from)} … ${formatMoment(time.to)}`;
  },
  fetchPlaces,
  // A memory snapshot has no replays; there these words pick allocations.
  listSearches: ({ place, session }, typed) =>
    asksForWork(typed) && session.capture.value?.allocators === 0
      ? [
          {
            title: `Find work of replays: ${typed}`,
            detail: "timeline",
            run: () => place.follow({ view: "timeline", keys: { find: typed, details: "search" } }),
          },
        ]
      : [],
  asCommand: ({ place }) => {
    const trace = place.key(kTraceKey).value;
    if (trace !== undefined) return { words: trace.startsWith("s") ? ["counters", "--samples"] : ["instructions"] };
    const event = parseEventKey(place.key("event").value ?? "");
    const time = parseRange(place.key("time").value);
    const at = (ns: number) => `${Math.round(ns)} + TRACE_START()`;
    if (event !== null)
      return {
        words: ["sql", `SELECT * FROM slice WHERE ts = ${at(event.start_ns)} AND name = ${sqlText(event.name)}`],
      };
    const where = time === null ? "" : ` WHERE ts < ${at(time.to)} AND ts + dur > ${at(time.from)}`;
    const sums = "SELECT name, count(*) AS count, sum(dur) AS dur FROM slice";
    return { words: ["sql", `${sums}${where} GROUP BY name ORDER BY dur DESC LIMIT 20`] };
  },
  urlKeys: { ...sightKeys, [kPathKey]: "kept", [kTraceKey]: "ofLink" },
  open: openTimeline,
};
