// The way from a context to what ran of it: a pill that says how often, and leads to the longest run on the timeline.
import { useEffect } from "preact/hooks";
import { linkToRun } from "../../lib/runs";
import { formatDuration, formatPlural } from "../../lib/text";
import { dataOf } from "../../state/fetched";
import { useApp } from "../parts/app-context";
import { useRewrites } from "./context";

const kAfterTheGraph_ms = 500;

export function RunsPill({ context }: { context: number }) {
  const { place, chosen } = useApp();
  const { detail } = useRewrites();
  // A profile can be large: it waits until the graph is there.
  useEffect(() => {
    let stop = () => {};
    const timer = setTimeout(() => (stop = detail.wantRuns()), kAfterTheGraph_ms);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [detail]);
  const runs = dataOf(detail.runs.value)?.runs ?? null;
  if (runs === null) return null;
  return (
    <button
      class="pill"
      title="Runs on the timeline, and their time together: goes to the longest"
      onClick={() => place.follow(linkToRun(runs, 0, chosen.nameContext(context).name))}
    >
      {formatPlural(runs.count, "run")} <span class="dim">{formatDuration(runs.total_ns)}</span>
    </button>
  );
}
