// The machine code, a row an instruction: loops at the margin, the line it comes from, and beside it what llvm-mca
// says: latency, throughput, and the processor's resources as a bar.
import { useComputed } from "@preact/signals";
import { formatAddress, type WireCode } from "./code";
import { formatCount } from "../../lib/text";
import { useProgram } from "./context";
import { heatOf } from "./costs";
import { HeatCells, HeatHeads } from "./heat-cells";
import { Blank } from "../parts/blank";
import { InstructionText } from "./instruction-text";
import { KeyCap } from "../parts/key-cap";
import { MissingTools } from "./missing-tools";
import { SampleCells, SampleHeads } from "./sample-cells";
import { kCodeRow_px } from "./source-panel";
import { dataOf } from "../../state/fetched";
import { VirtualList } from "../parts/virtual-list";

export function ProgramCode() {
  const program = useProgram();
  const { value, problem } = program.code.value;
  const code = value?.data;
  if (problem !== null) return <Blank title="There is no machine code" lines={[problem.message]} tone="broken" />;
  if (code === undefined) return <Blank title="Reading the machine code" />;
  if (code.error !== null) return <NoCode code={code} />;
  return (
    <section class="program-pane" aria-label="machine code">
      <header class="section-head">
        <h2 title={code.tool}>{code.architecture}</h2>
        <span class="dim" title={code.command ?? undefined}>
          {code.origin === "capture" ? "from the capture" : "compiled here, never run"}
          {code.truncated && `, the first ${formatCount(code.instructions.address.length)} instructions`}
        </span>
        {program.hot.value !== null && <HeatHeads />}
        {program.sampled.value !== null && <SampleHeads />}
        {code.cpus.length > 0 && (
          <span class="cost-heads dim">
            <span title="Cycles until the result is there">lat</span>
            <span title="Cycles between two of its kind, at best">1/thr</span>
            <span class="uses" title="The processor's resources that it takes">
              resources
            </span>
          </span>
        )}
      </header>
      <CodeRows code={code} />
    </section>
  );
}

function CodeRows({ code }: { code: WireCode }) {
  const program = useProgram();
  const hits = useComputed(() => new Set(program.hits.value));
  const figures = useComputed(() => {
    const analysis = dataOf(program.analysis.value);
    const places = new Map<number, number>();
    analysis?.instructions.index.forEach((instruction, place) => places.set(instruction, place));
    return { analysis, places };
  });
  const most = useComputed(() =>
    (figures.value.analysis?.instructions.uses ?? []).reduce(
      (longest, uses) =>
        Math.max(
          longest,
          uses.reduce((s, [, n]) => s + n, 0),
        ),
      1e-9,
    ),
  );
  const chosen = program.instruction.value;
  const line = program.line.value;
  const firstOfLine = line === null ? -1 : code.instructions.line.indexOf(line);
  const part = code.cpus.length > 0 ? program.part.value : null;
  const { analysis, places } = figures.value;
  const [hot, sampled, costs] = [program.hot.value, program.sampled.value, program.costs.value];
  return (
    <VirtualList
      count={code.instructions.address.length}
      rowHeight_px={kCodeRow_px}
      current={chosen ?? firstOfLine}
      label="Instructions"
      role="list"
      renderRow={(i) => {
        const block = program.blocks.value[i] ?? 0;
        const isHead = code.blocks.first[block] === i;
        const target = code.instructions.target[i]!;
        const place = places.get(i);
        const isOfLine = line !== null ? code.instructions.line[i] === line : false;
        const isInPart = part !== null && i >= part.first && i < part.first + part.count;
        return (
          <div
            key={i}
            role="listitem"
            class={`code-row ${costs === null ? "" : "is-hot"} ${i === chosen ? "current" : ""} ${isOfLine ? "of-line" : ""} ${hits.value.has(i) ? "is-hit" : ""} ${isHead ? "head" : ""}`}
            style={costs === null ? undefined : { "--heat": heatOf(costs.of[i]!, costs.most) }}
            onClick={() => program.look({ ins: i === chosen ? null : String(i), line: null })}
          >
            <span class={`loop-bar depth-${Math.min(code.blocks.depth[block]!, 3)} ${isInPart ? "in-part" : ""}`} />
            <span class="number" title={code.instructions.bytes[i]}>
              {formatAddress(code.instructions.address[i]!)}
            </span>
            <span class="number line">{code.instructions.line[i] || ""}</span>
            <code>
              <InstructionText code={code} index={i} />
              {target >= 0 && <span class="dim"> {target <= i ? "↑" : "↓"}</span>}
            </code>
            {hot !== null && <HeatCells code={code} joined={hot} index={i} />}
            {sampled !== null && <SampleCells joined={sampled} index={i} />}
            {place !== undefined && analysis !== undefined && (
              <span class="costs">
                <span>{analysis.instructions.latency[place]}</span>
                <span>{analysis.instructions.throughput[place]!.toFixed(2)}</span>
                <span class="uses">
                  {analysis.instructions.uses[place]!.map(([resource, cycles]) => (
                    <i
                      class={`resource-${resource % 10}`}
                      style={{ width: `${(100 * cycles) / most.value}%` }}
                      title={`${analysis.resources[resource]}: ${cycles.toFixed(2)} cycles`}
                    />
                  ))}
                </span>
              </span>
            )}
          </div>
        );
      }}
    />
  );
}

const kNoCode = {
  capture: "The binary cannot be shown",
  compiled: "The source did not become machine code",
  none: "No machine code yet",
};

function NoCode({ code }: { code: WireCode }) {
  const program = useProgram();
  const isAsked = code.origin !== "none";
  return (
    <div class="program-pane no-code">
      <Blank
        title={kNoCode[code.origin]}
        lines={[code.error!.message, ...(code.error!.where ? [`  ${code.error!.where}`] : [])]}
        tone={isAsked ? "broken" : "calm"}
      >
        <MissingTools tools={code.missing} />
        {dataOf(program.program.value)?.binary_bytes === 0 && !code.may_compile && (
          <>
            <pre>vizd --compile …</pre>
            <p>
              Other programs: <KeyCap command="page.palette" /> and a kernel’s name.
            </p>
          </>
        )}
      </Blank>
    </div>
  );
}
