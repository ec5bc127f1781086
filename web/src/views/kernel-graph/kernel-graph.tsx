// The kernel graph: kernels by time at the left, the graph of what they hand to one another, and the one chosen with
// its buffers at the right.
import { useMemo } from "preact/hooks";
import { stripAnsi } from "../../lib/ansi";
import { formatCount, formatPlural } from "../../lib/text";
import type { OpenView } from "../view";
import { useCommand } from "../parts/app-context";
import { Blank } from "../parts/blank";
import { Name, Neighbours } from "../parts/name";
import { Split } from "../parts/split";
import { VirtualList } from "../parts/virtual-list";
import { GraphPicture } from "./graph-picture";
import "./kernel-graph.css";
import { formatCost, RunDetail } from "./run-detail";
import { createKernelGraph, type KernelGraphState } from "./state";

const kRow_px = 26;

export const openKernelGraph: OpenView = (app) => {
  const state = createKernelGraph(app);
  return () => <KernelGraph state={state} />;
};

function KernelGraph({ state }: { state: KernelGraphState }) {
  const { problem } = state.fetched.value;
  const graph = state.graph.value;
  const step = (by: number) => {
    const count = graph?.runs.length ?? 0;
    if (count > 0) state.choose(Math.min(Math.max(state.run.value + by, 0), count - 1));
  };
  useCommand("kernelGraph.next", () => step(1));
  useCommand("kernelGraph.previous", () => step(-1));
  useCommand("kernelGraph.rewrites", () => state.goToRewrites(state.run.value));
  useCommand("kernelGraph.timeline", () => state.goToTimeline(state.run.value));
  if (problem !== null)
    return <Blank title="The kernel graph cannot be shown" lines={[problem.message]} tone="broken" />;
  if (graph === null) return <Blank title="Laying out the kernel graph" />;
  if (graph.runs.length === 0) return <Blank title="No kernel was launched" lines={["or none tells its buffers."]} />;
  return (
    <Split
      left={<RunList state={state} />}
      leftLabel="kernels by time"
      middle={<GraphPicture state={state} />}
      right={<RunDetail state={state} />}
      rightLabel="the kernel and its buffers"
    />
  );
}

function RunList({ state }: { state: KernelGraphState }) {
  const { runs, left_out } = state.graph.value!;
  const chosen = state.run.value;
  const costs = state.costs.value;
  const names = useMemo(() => runs.map(({ name }) => name), [runs]);
  return (
    <div class="kernel-list">
      <header class="section-head">
        {formatPlural(runs.length, "launch", "launches")}{" "}
        <span class="dim">
          {formatCost(
            costs.unit,
            costs.of.reduce((a, b) => a + b, 0),
          )}
        </span>
        {left_out > 0 && <span class="removed"> {formatCount(left_out)} later ones are not shown</span>}
      </header>
      <Neighbours names={names}>
        <VirtualList
          count={runs.length}
          rowHeight_px={kRow_px}
          current={chosen}
          currentId={chosen < 0 ? undefined : `kernel-${chosen}`}
          label="Kernels by time"
          role="listbox"
          renderRow={(i) => {
            const run = runs[i]!;
            const share = costs.most === 0 ? 0 : (100 * costs.of[i]!) / costs.most;
            return (
              <div
                key={i}
                id={`kernel-${i}`}
                role="option"
                aria-selected={i === chosen}
                class={i === chosen ? "kernel-row on" : "kernel-row"}
                title={stripAnsi(run.name)}
                onClick={() => state.choose(i)}
              >
                <span class="kernel-bar" style={{ width: `${share}%` }} />
                <span class="kernel-name mono">
                  <Name name={run.name} />
                </span>
                <span class="dim">{formatCost(costs.unit, costs.of[i]!)}</span>
              </div>
            );
          }}
        />
      </Neighbours>
    </div>
  );
}
