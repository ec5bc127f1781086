// The way from a context to what ran of it: a pill that says how often, and leads to the longest run on the timeline.
import { useEffect } from "preact/hooks";
import { listRuns } from "../lib/lanes";
import { formatDuration, formatPlural } from "../lib/text";
import { useApp } from "./app-context";

const kAfterTheGraph_ms = 500;

export function RunsPill({ context, name }: { context: number; name: string }) {
  const { session, timeline } = useApp();
  const hasProfile = session.capture.value?.has_profile === true;
  // A profile can be large: it waits until the graph is there.
  useEffect(() => {
    if (!hasProfile) return;
    const timer = setTimeout(() => timeline.want(), kAfterTheGraph_ms);
    return () => clearTimeout(timer);
  }, [timeline, hasProfile]);
  const profile = timeline.profile.value;
  const runs = profile === null ? [] : listRuns(profile, context, name);
  const durOf = (i: number) => profile!.lanes[runs[i]!.lane]!.dur[runs[i]!.event]!;
  if (runs.length === 0) return null;
  const total_ns = runs.reduce((sum, _, i) => sum + durOf(i), 0);
  const longest = runs.reduce((best, _, i) => (durOf(i) > durOf(best) ? i : best), 0);
  return (
    <button
      class="pill"
      title="Runs on the timeline, and their time together: goes to the longest"
      onClick={() => timeline.goToEvent(runs[longest]!)}
    >
      {formatPlural(runs.length, "run")} <span class="dim">{formatDuration(total_ns)}</span>
    </button>
  );
}
