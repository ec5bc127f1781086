// Adds to a capture's timeline the lanes of its graphs' replays, which the server needs a while to name.
import { pathOfCapture, type Api } from "../../../lib/api";
import type { Problem } from "../../../lib/result";
import { layReplays } from "../../../lib/timeline/side-by-side/replay-lanes";
import type { TimelineSource } from "../../../lib/timeline/source";
import type { WireLanes } from "../../../lib/timeline/wire";
import { createTimelineSource } from "./source";

export interface ReplayLanes {
  /** Tells which capture a source is of. */
  remember(source: TimelineSource, capture: string): void;
  /** The source with the lanes of its replays; itself where it has none. */
  addTo(source: TimelineSource): Promise<TimelineSource>;
}

export function createReplayLanes(api: Api, onProblem: (problem: Problem) => void): ReplayLanes {
  const captureOf = new WeakMap<TimelineSource, string>();
  const known = new WeakMap<TimelineSource, TimelineSource>();
  return {
    remember: (source, capture) => void captureOf.set(source, capture),
    async addTo(source) {
      const capture = captureOf.get(source);
      if (known.has(source) || capture === undefined) return known.get(source) ?? source;
      const answer = await api.getJson<WireLanes>(pathOfCapture("/api/v1/replay-lanes", capture));
      // Where they cannot be had the views of replays say why; the capture's own lanes are there all the same.
      if (!answer.ok) return source;
      const { status, over = [] } = answer.value;
      const made =
        status === "ready" ? layReplays(source, createTimelineSource(api, answer.value, onProblem), over) : source;
      known.set(source, made);
      return made;
    },
  };
}
