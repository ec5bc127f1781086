// The critical path, drawn over the lanes while the URL asks for it: what of it lies in the time on screen.
import { computed, type ReadonlySignal } from "@preact/signals";
import { useEffect, useMemo } from "preact/hooks";
import { pathOfCapture } from "../../lib/api";
import type { WirePath } from "../../lib/devices";
import { kPathKey, kWholePath } from "../../lib/links";
import { windowAround } from "../../lib/time";
import { findLane, type Timeline } from "../../lib/timeline/timeline";
import type { PathPart } from "../../draw/timeline/scene";
import { followWish } from "../../state/fetched";
import { useApp, useCommand } from "../parts/app-context";
import { useTimeline } from "./context";

/** Null where it is not to be drawn, or not there yet; in order of time. */
export function useCriticalPath(): ReadonlySignal<readonly PathPart[] | null> {
  const { api, session, place, notices } = useApp();
  const timeline = useTimeline();
  useCommand("timeline.path", () =>
    place.adjust({ [kPathKey]: place.key(kPathKey).peek() === undefined ? kWholePath : null }),
  );
  const [parts, problem] = useMemo(() => {
    const wish = computed(() => {
      const asked = place.key(kPathKey).value;
      const capture = session.capture.value;
      if (asked === undefined || capture === null || timeline.source.value === null) return null;
      const { from, to } = windowAround(timeline.range.value, timeline.bounds.value);
      const step = asked === kWholePath ? "" : `&step=${encodeURIComponent(asked)}`;
      const path = pathOfCapture(`/api/v1/critical-path?from_ns=${from}&to_ns=${to}${step}`, capture.id);
      return `${capture.revision} ${path}`;
    });
    const fetched = followWish(wish, (path, abort) => api.getJson<{ paths: WirePath[] }>(path, abort));
    const drawn = computed(() => {
      const [source, { value }] = [timeline.source.value, fetched.value];
      return source === null || value === null ? null : placeParts(source.timeline, value.data.paths);
    });
    return [drawn, computed(() => fetched.value.problem)] as const;
  }, [api, session, place, timeline]);
  const failed = problem.value;
  useEffect(() => {
    if (failed !== null) notices.show("path", failed);
  }, [failed, notices]);
  return parts;
}

function placeParts(timeline: Timeline, paths: readonly WirePath[]): PathPart[] {
  const parts = paths.flatMap(({ lanes }) =>
    lanes.flatMap(({ lane: path, from_ns, to_ns }) => {
      const lane = findLane(timeline, path);
      return lane < 0 ? [] : from_ns.map((from, at) => ({ lane, from, to: to_ns[at]! }));
    }),
  );
  return parts.sort((a, b) => a.from - b.from);
}
