// The way from a context to what ran of it: a pill that says how often, and leads to the longest run on the timeline.
import { useEffect } from "preact/hooks";
import { formatDuration, formatPlural } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { useAnswer } from "../timeline/use-answer";

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
  const answer = useAnswer(() => (source) => source.listRuns(context, name), [context, name]);
  const { count, total_ns, longest } = answer.value ?? { count: 0, total_ns: 0, longest: null };
  if (longest === null) return null;
  return (
    <button
      class="pill"
      title="Runs on the timeline, and their time together: goes to the longest"
      onClick={() => timeline.goToEvent(longest)}
    >
      {formatPlural(count, "run")} <span class="dim">{formatDuration(total_ns)}</span>
    </button>
  );
}
