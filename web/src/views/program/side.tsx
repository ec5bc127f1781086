// The right pane: the analysis of a loop or of everything, where the time went when it ran, and the mix of
// instructions.
import { linkToExecution, type WireExecutions } from "../../lib/executions";
import { countKinds, type WireAnalysis, type WireCode } from "./code";
import { formatCount, formatDuration } from "../../lib/text";
import { HeatSection } from "./heat-section";
import { useApp } from "../parts/app-context";
import { useProgram } from "./context";
import { KeyCap } from "../parts/key-cap";
import { MissingTools } from "./missing-tools";
import { dataOf } from "../../state/fetched";
import { Section } from "../parts/section";

export function ProgramSide() {
  const program = useProgram();
  const code = dataOf(program.code.value);
  const executions = dataOf(program.program.value)?.executions ?? null;
  return (
    <div class="scroll">
      {executions !== null && <Executions executions={executions} />}
      {code !== undefined && code.error === null && (
        <>
          <HeatSection code={code} />
          {code.cpus.length > 0 ? <Analysis code={code} /> : <MissingTools tools={code.missing} />}
          <Mix code={code} />
          <Made code={code} />
        </>
      )}
    </div>
  );
}

function Analysis({ code }: { code: WireCode }) {
  const program = useProgram();
  const { wish, problem } = program.analysis.value;
  const analysis = dataOf(program.analysis.value);
  const label = (l: number) => `loop ${l + 1}, depth ${code.loops.depth[l]}`;
  return (
    <Section title="Machine-code analysis" note={<KeyCap command="program.loop" />}>
      <div class="analysis-choice">
        <select
          aria-label="What to analyse"
          value={program.loop.value}
          onChange={(e) => program.look({ loop: e.currentTarget.value === "-1" ? "all" : e.currentTarget.value })}
        >
          <option value={-1}>everything</option>
          {code.loops.head.map((_, l) => (
            <option key={l} value={l}>
              {label(l)}
            </option>
          ))}
        </select>
        <select
          aria-label="Processor"
          value={program.cpu.value}
          onChange={(e) => program.look({ cpu: e.currentTarget.value === "native" ? null : e.currentTarget.value })}
        >
          {code.cpus.map((cpu) => (
            <option key={cpu} value={cpu}>
              {cpu === "native" ? "this machine" : cpu}
            </option>
          ))}
        </select>
      </div>
      <MissingTools tools={code.missing} />
      {problem !== null && <p class="removed note">{problem.message}</p>}
      {wish !== null && analysis === undefined && problem === null && (
        <div class="loading" role="status">
          <p class="dim">Running llvm-mca</p>
          <progress aria-label="Running llvm-mca" />
        </div>
      )}
      {analysis !== undefined && <AnalysisFigures analysis={analysis} />}
    </Section>
  );
}

function AnalysisFigures({ analysis }: { analysis: WireAnalysis }) {
  const most = Math.max(1e-9, ...analysis.pressure.map(([, cycles]) => cycles));
  return (
    <>
      <dl class="figures">
        <dt>Cycles a round</dt>
        <dd>{(analysis.cycles / Math.max(analysis.rounds, 1)).toFixed(2)}</dd>
        <dt>at best</dt>
        <dd>{analysis.block_throughput.toFixed(2)}</dd>
        <dt>Instructions a cycle</dt>
        <dd>
          {analysis.instructions_per_cycle.toFixed(2)} of {analysis.dispatch_width}
        </dd>
        <dt>Processor</dt>
        <dd>{analysis.cpu}</dd>
      </dl>
      {analysis.lacked !== "" && (
        <p class="note marker">
          llvm-mca&apos;s model of this machine lacks <code>{analysis.lacked}</code>; these are the figures of{" "}
          {analysis.cpu}.
        </p>
      )}
      {analysis.unknown.length > 0 && (
        <p class="note marker">{formatCount(analysis.unknown.length)} instructions are not known to llvm-mca.</p>
      )}
      <ul class="pressure" aria-label="Resources, cycles a round">
        {analysis.pressure.map(([resource, cycles]) => (
          <li key={resource}>
            <span>
              <i class={`resource-${resource % 10}`} /> {analysis.resources[resource]}
            </span>
            <span class="bar-track">
              <i class={`resource-${resource % 10}`} style={{ width: `${(100 * cycles) / most}%` }} />
            </span>
            <span class="figure">{cycles.toFixed(2)}</span>
          </li>
        ))}
      </ul>
      {analysis.bottlenecks !== "" && (
        <details>
          <summary>Bottlenecks</summary>
          <pre class="report">{analysis.bottlenecks}</pre>
        </details>
      )}
    </>
  );
}

function Executions({ executions }: { executions: WireExecutions }) {
  const { place, chosen } = useApp();
  const program = useProgram();
  const show = (execution: number) => {
    const context = program.context.value;
    const name = context === null ? (dataOf(program.program.value)?.name ?? "") : chosen.nameContext(context).name;
    place.follow(linkToExecution(executions, execution, name));
  };
  return (
    <Section
      title="Executions"
      note={`${formatCount(executions.count)}, ${formatDuration(executions.total_ns)} in all`}
    >
      <dl class="figures">
        <dt>Shortest</dt>
        <dd>{formatDuration(executions.min_ns)}</dd>
        <dt>Median</dt>
        <dd>{formatDuration(executions.median_ns)}</dd>
        <dt>Longest</dt>
        <dd>{formatDuration(executions.max_ns)}</dd>
      </dl>
      <ul class="execution-list">
        {executions.start_ns.slice(0, 5).map((start, i) => (
          <li key={i}>
            <button class="link" onClick={() => show(i)} title="Show it in the timeline">
              {formatDuration(executions.dur_ns[i]!)}
            </button>{" "}
            <span class="dim">
              {executions.lane[i]} at {formatDuration(start)}
            </span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Mix({ code }: { code: WireCode }) {
  const kinds = countKinds(code);
  const all = kinds.reduce((sum, { count }) => sum + count, 0);
  return (
    <Section title="Instruction mix" note={formatCount(all)}>
      <ul class="pressure">
        {kinds.map(({ kind, count }) => (
          <li key={kind}>
            <span class={`kind-${kind}`}>{code.kinds[kind]}</span>
            <span class="bar-track">
              <i class={`kind-bar-${kind}`} style={{ width: `${(100 * count) / kinds[0]!.count}%` }} />
            </span>
            <span class="figure">{formatCount(count)}</span>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Made({ code }: { code: WireCode }) {
  if (code.command === null) return null;
  return (
    <Section title="Compiled with">
      <pre class="report wrap">{code.command}</pre>
      <p class="dim note">
        The kernel keeps it from other files{code.sandbox.network ? ", and from the network." : "."} Change the flags
        with --compile-flags.
      </p>
    </Section>
  );
}
