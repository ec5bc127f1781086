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
  /** Puts in place of each source that has replays the one with their lanes, one after another; tells each time. */
  addTo(parts: readonly { source: TimelineSource }[], abort: AbortSignal, onAdded: () => void): Promise<void>;
}

export function createReplayLanes(api: Api, onProblem: (problem: Problem) => void): ReplayLanes {
  const captureOf = new WeakMap<TimelineSource, string>();
  const known = new WeakMap<TimelineSource, TimelineSource>();

  async function withReplays(source: TimelineSource): Promise<TimelineSource> {
    const capture = captureOf.get(source);
    if (known.has(source) || capture === undefined) return known.get(source) ?? source;
    const answer = await api.getJson<WireLanes>(pathOfCapture("/api/v1/replay-lanes", capture));
    // Where they cannot be had the views of replays say why; the capture's own lanes are there all the same.
    if (!answer.ok) return source;
    const { status, over = [] } = answer.value;
    if (status !== "ready") return source;
    const made = layReplays(source, createTimelineSource(api, answer.value, onProblem), over);
    known.set(source, made);
    return made;
  }

  return {
    remember: (source, capture) => void captureOf.set(source, capture),
    async addTo(parts, abort, onAdded) {
      for (const part of parts) {
        const source = await withReplays(part.source);
        if (abort.aborted) return;
        if (source === part.source) continue;
        part.source = source;
        onAdded();
      }
    },
  };
}
