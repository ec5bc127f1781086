// The way from a context to its executions: a pill that says how many there are, and leads to the longest on the
// timeline.
import { useEffect } from "preact/hooks";
import { linkToExecution } from "../../lib/executions";
import { formatDuration, formatPlural } from "../../lib/text";
import { dataOf } from "../../state/fetched";
import { useApp } from "../parts/app-context";
import { useRewrites } from "./context";

const kAfterTheGraph_ms = 500;

export function ExecutionsPill({ context }: { context: number }) {
  const { place, chosen } = useApp();
  const { detail } = useRewrites();
  // A profile can be large: it waits until the graph is there.
  useEffect(() => {
    let stop = () => {};
    const timer = setTimeout(() => (stop = detail.wantExecutions()), kAfterTheGraph_ms);
    return () => {
      clearTimeout(timer);
      stop();
    };
  }, [detail]);
  const executions = dataOf(detail.executions.value)?.executions ?? null;
  if (executions === null) return null;
  return (
    <button
      class="pill"
      title="Executions on the timeline, and their time together: goes to the longest"
      onClick={() => place.follow(linkToExecution(executions, 0, chosen.nameContext(context).name))}
    >
      {formatPlural(executions.count, "execution")} <span class="dim">{formatDuration(executions.total_ns)}</span>
    </button>
  );
}
