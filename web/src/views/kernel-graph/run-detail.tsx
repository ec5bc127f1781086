// The chosen kernel with its buffers, and the chosen buffer with all who read and write it.
import { formatBytes } from "../../lib/bytes";
import { formatDuration, formatPlural } from "../../lib/text";
import { AnsiText } from "../parts/ansi-text";
import { Facts } from "../parts/facts";
import { KeyCap } from "../parts/key-cap";
import { Section } from "../parts/section";
import { bufferOf, kModes, type Costs } from "./graph";
import type { KernelGraphState } from "./state";

export function formatCost(unit: Costs["unit"], cost: number): string {
  return unit === "ns" ? formatDuration(cost) : formatBytes(cost);
}

export function RunDetail({ state }: { state: KernelGraphState }) {
  const buffer = state.buffer.value;
  if (state.run.value < 0 && buffer === null) {
    return (
      <p class="dim note">Choose a kernel to see its buffers, who wrote them before it and who reads them after.</p>
    );
  }
  return (
    <div class="kernel-detail">
      {state.run.value >= 0 && <Run state={state} />}
      {buffer !== null && <Buffer state={state} buffer={buffer} />}
    </div>
  );
}

function Run({ state }: { state: KernelGraphState }) {
  const at = state.run.value;
  const graph = state.graph.value!;
  const run = graph.runs[at]!;
  const uses = state.byRun.value[at]!;
  return (
    <>
      <Section title="Kernel">
        <p class="mono kernel-graph-title">
          <AnsiText text={run.name} />
        </p>
        <Facts
          facts={[
            ["time", run.events === 0 ? "not timed by the capture" : formatDuration(run.dur_ns)],
            ["its buffers", formatBytes(uses.reduce((sum, use) => sum + graph.uses.bytes[use]!, 0))],
            ["lane", run.lane],
            ["launch", `#${run.number}`],
            ["at", formatDuration(run.at_ns)],
          ]}
        />
        <p>
          <button class="pill" disabled={run.context === null} onClick={() => state.goToRewrites(at)}>
            its rewrites <KeyCap command="kernelGraph.rewrites" />
          </button>{" "}
          <button class="pill" disabled={run.event === null} onClick={() => state.goToTimeline(at)}>
            on the timeline <KeyCap command="kernelGraph.timeline" />
          </button>
        </p>
      </Section>
      <Section title="Buffers" note={formatPlural(uses.length, "buffer")}>
        <ul class="kernel-buffers">
          {uses.map((use) => (
            <BufferLine key={use} state={state} use={use} />
          ))}
        </ul>
      </Section>
    </>
  );
}

/** The run's use of a buffer, which run wrote it before, and how many read it then. */
function BufferLine({ state, use }: { state: KernelGraphState; use: number }) {
  const graph = state.graph.value!;
  const { uses } = graph;
  const buffer = bufferOf(graph, use);
  const writer = state.writerOf.value.get(use);
  const others = state.byBuffer.value.get(buffer)!.length - 1;
  return (
    <li>
      <button
        class={state.buffer.value === buffer ? "link on" : "link"}
        onClick={() => state.chooseBuffer(state.buffer.value === buffer ? null : buffer)}
      >
        data{uses.argument[use]}
      </button>{" "}
      {kModes[uses.mode[use]!]} buffer {uses.buffer[use]} <span class="dim">{formatBytes(uses.bytes[use]!)}</span>
      <div class="dim">
        {writer !== undefined && (
          <>
            written by <RunLink state={state} run={writer} />,{" "}
          </>
        )}
        {others === 0 ? "nobody else uses it" : `${formatPlural(others, "other use")}`}
      </div>
    </li>
  );
}

function Buffer({ state, buffer }: { state: KernelGraphState; buffer: string }) {
  const { uses } = state.graph.value!;
  const all = state.byBuffer.value.get(buffer)!;
  return (
    <Section title={`Buffer ${uses.buffer[all[0]!]}`} note={formatBytes(uses.bytes[all[0]!]!)}>
      <ul class="kernel-buffers">
        {all.map((use) => (
          <li key={use}>
            <RunLink state={state} run={uses.run[use]!} />{" "}
            <span class="dim">
              {kModes[uses.mode[use]!]} it as data{uses.argument[use]}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function RunLink({ state, run }: { state: KernelGraphState; run: number }) {
  const { name, number } = state.graph.value!.runs[run]!;
  return (
    <button class="link mono" onClick={() => state.choose(run)}>
      <AnsiText text={name} /> <span class="dim">#{number}</span>
    </button>
  );
}
