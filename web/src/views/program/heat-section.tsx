// Beside a program that a GPU's thread traces tell of: where the cycles went, of which waves, and compared with which.
import { linkToTrace } from "../../lib/links";
import { nameOfStall } from "../../lib/pc-samples";
import { formatCount, formatPlural, formatShare } from "../../lib/text";
import { useApp } from "../parts/app-context";
import { dataOf } from "../../state/fetched";
import { Section } from "../parts/section";
import { useProgram } from "./context";
import { formatAddress, type WireCode } from "./code";
import type { WirePcSamples } from "./samples";
import { sum } from "./costs";
import { formatHeatChoice, sumStalls, type HeatChoice, type JoinedHeat, type WireHeat } from "./heat";

export function HeatSection({ code }: { code: WireCode }) {
  const program = useProgram();
  const { wish, problem } = program.heat.value;
  const heat = dataOf(program.heat.value);
  const joined = program.hot.value;
  if (wish === null) return null;
  return (
    <Section title={heat?.why != null && heat.samples !== null ? "Where its warps were" : "Where the cycles went"}>
      {problem !== null && <p class="removed note">{problem.message}</p>}
      {heat === undefined && problem === null && <p class="dim note">Decoding the thread traces</p>}
      {heat !== undefined && heat.why !== null && heat.samples === null && <p class="dim note">{heat.why}</p>}
      {heat !== undefined && heat.why === null && <Choices heat={heat} />}
      {heat !== undefined && <CycleTimelines heat={heat} />}
      {heat?.samples != null && (
        <TraceLinks title="Samples over time" traces={heat.samples.place.map((place) => `s${place}`)} />
      )}
      {joined !== null && (
        <>
          <Stalls joined={joined} />
          <Waits code={code} joined={joined} />
          <Loops code={code} joined={joined} />
          <Waves heat={joined.heat} />
        </>
      )}
      {heat?.samples != null && <Samples samples={heat.samples} />}
    </Section>
  );
}

/** Ways to each run's waves, instruction by instruction. */
function CycleTimelines({ heat: { runs } }: { heat: WireHeat }) {
  // Runs are called by their number, also where one before was not traced.
  const traces = runs.traces.map((count, at) => (count > 0 ? String(runs.place[at]!) : null));
  return <TraceLinks title="Instructions over time" traces={traces} />;
}

/** A link to the trace of each run that has one. */
function TraceLinks({ title, traces }: { title: string; traces: readonly (string | null)[] }) {
  const { place } = useApp();
  const told = traces.flatMap((trace, at) => (trace === null ? [] : [{ trace, run: at + 1 }]));
  if (told.length === 0) return null;
  return (
    <p class="note">
      <span class="dim">{title}: </span>
      {told.slice(0, kMostTimelines).map(({ trace, run }) => (
        <button key={trace} class="link" onClick={() => place.follow(linkToTrace(trace))}>
          run {run} →{" "}
        </button>
      ))}
    </p>
  );
}
const kMostTimelines = 20;

function Choices({ heat }: { heat: WireHeat }) {
  const program = useProgram();
  const choice = program.heatChoice.value;
  const other = program.otherChoice.value;
  return (
    <>
      <HeatSelects
        heat={heat}
        label="Cycles of"
        choice={choice}
        onChoose={(next) =>
          program.look({ heat: next.run === null && next.wave === null ? null : formatHeatChoice(next) })
        }
      />
      <div class="analysis-choice">
        <label>
          <input
            type="checkbox"
            checked={other !== null}
            onChange={() => program.look({ heatvs: other === null ? formatHeatChoice(choice) : null })}
          />{" "}
          Compare with other waves
        </label>
      </div>
      {other !== null && (
        <HeatSelects
          heat={heat}
          label="against"
          choice={other}
          onChoose={(next) => program.look({ heatvs: formatHeatChoice(next) })}
        />
      )}
    </>
  );
}

interface HeatSelectsProps {
  heat: WireHeat;
  label: string;
  choice: HeatChoice;
  onChoose: (choice: HeatChoice) => void;
}

const kMostListed = 500;

function HeatSelects({ heat, label, choice, onChoose }: HeatSelectsProps) {
  const number = (text: string) => (text === "" ? null : Number(text));
  const waves = heat.waves.slot.slice(0, kMostListed);
  return (
    <div class="analysis-choice">
      <span class="dim">{label}</span>
      <select
        aria-label={`${label}: run`}
        value={choice.run ?? ""}
        onChange={(e) => onChoose({ run: number(e.currentTarget.value), wave: null })}
      >
        <option value="">all runs</option>
        {heat.runs.run.map((_, at) => (
          <option key={at} value={at}>
            run {at + 1}
          </option>
        ))}
      </select>
      <select
        aria-label={`${label}: wave`}
        value={choice.wave ?? ""}
        onChange={(e) => onChoose({ ...choice, wave: number(e.currentTarget.value) })}
      >
        <option value="">all {formatPlural(heat.waves.slot.length, "wave")}</option>
        {waves.map((_, at) => (
          <option key={at} value={at}>
            {nameOfWave(heat, at)}
          </option>
        ))}
      </select>
    </div>
  );
}

const nameOfWave = ({ waves }: WireHeat, at: number) => `wave ${at}, SE ${waves.engine[at]} slot ${waves.slot[at]}`;

function Stalls({ joined }: { joined: JoinedHeat }) {
  const { heat, costs } = joined;
  const cycles = costs.all;
  const parts = sumStalls(heat);
  const most = Math.max(1, ...parts.map((part) => part.cycles));
  const hits = sum(heat.instructions.hits);
  return (
    <>
      <p class="dim note">
        {formatCount(cycles)} cycles in {formatPlural(hits, "instruction")}
        {heat.unplaced > 0 && `; ${formatCount(heat.unplaced)} more are of waves whose place is not known`}
      </p>
      <ul class="pressure" aria-label="Cycles by what they were spent on">
        {parts.map(({ id, title, cycles: of }) => (
          <li key={id}>
            <span>
              <i class={`stall-${id}`} /> {title}
            </span>
            <span class="bar-track">
              <i class={`stall-${id}`} style={{ width: `${(100 * of) / most}%` }} />
            </span>
            <span class="figure" title={`${formatCount(of)} cycles`}>
              {formatShare(of / Math.max(cycles, 1))}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** What was waited for, the longest first. */
function Waits({ code, joined }: { code: WireCode; joined: JoinedHeat }) {
  const program = useProgram();
  const waits = [...joined.waitsOf]
    .flatMap(([wait, loads]) => loads.map((of) => ({ wait, ...of })))
    .sort((a, b) => b.cycles - a.cycles);
  if (waits.length === 0) return null;
  return (
    <>
      <h3>Waited for</h3>
      <ul class="execution-list">
        {waits.slice(0, 5).map(({ wait, load, cycles }) => (
          <li key={`${wait} ${load}`}>
            <button class="link mono" onClick={() => program.look({ ins: String(load), line: null })}>
              {code.instructions.mnemonic[load]}
            </button>{" "}
            <span class="dim">
              at {formatAddress(code.instructions.address[load]!)}: {formatCount(cycles)} cycles,{" "}
              {formatShare(cycles / Math.max(joined.costs.all, 1))}
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Loops({ code, joined }: { code: WireCode; joined: JoinedHeat }) {
  const program = useProgram();
  const { loops } = joined.heat;
  if (loops.head.length === 0) return null;
  return (
    <>
      <h3>Loops</h3>
      <ul class="execution-list">
        {loops.head.map((head, at) => (
          <li key={head}>
            <button
              class="link mono"
              onClick={() => program.look({ ins: String(code.instructions.address.indexOf(head)), line: null })}
            >
              {formatAddress(head)}
            </button>{" "}
            <span class="dim">
              {formatPlural(loops.iterations[at]!, "iteration")}, median {formatCount(loops.median[at]!)} cycles (
              {formatCount(loops.least[at]!)} to {formatCount(loops.most[at]!)})
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

/** The slowest of all waves, each a way to its own cycles. */
function Waves({ heat }: { heat: WireHeat }) {
  const program = useProgram();
  const { waves } = heat;
  const cycles = waves.start.map((start, at) => waves.end[at]! - start);
  const slowest = cycles.map((_, at) => at).sort((a, b) => cycles[b]! - cycles[a]!);
  const sorted = [...cycles].sort((a, b) => a - b);
  if (cycles.length < 2) return null;
  const choice = program.heatChoice.value;
  return (
    <>
      <h3>Slowest waves</h3>
      <p class="dim note">
        Median {formatCount(sorted[(sorted.length - 1) >> 1]!)} cycles of {formatPlural(cycles.length, "wave")}
      </p>
      <ul class="execution-list">
        {slowest.slice(0, 5).map((at) => (
          <li key={at}>
            <button
              class="link"
              title="The cycles of this wave alone"
              onClick={() => program.look({ heat: formatHeatChoice({ ...choice, wave: at }) })}
            >
              {nameOfWave(heat, at)}
            </button>{" "}
            <span class="dim">
              {formatCount(cycles[at]!)} cycles,{" "}
              {formatShare((waves.wait[at]! + waves.barrier[at]!) / Math.max(cycles[at]!, 1))} waiting
            </span>
          </li>
        ))}
      </ul>
    </>
  );
}

function Samples({ samples }: { samples: WirePcSamples }) {
  const joined = useProgram().sampled.value;
  const totals = samples.stalls.map((_, stall) => sum(samples.by_stall.map((row) => row[stall]!)));
  const all = sum(totals);
  const outside = all - (joined?.costs.all ?? 0);
  return (
    <>
      <p class="dim note">
        {formatPlural(all, "sample")} of program counters
        {!samples.has_base && ", at the GPU's addresses: the capture does not say where the program was loaded"}
        {samples.has_base && outside > 0 && `, ${formatCount(outside)} of them at addresses outside the listing`}
      </p>
      <ul class="pressure" aria-label="Samples by stall">
        {samples.stalls.map((name, stall) => (
          <li key={name}>
            <span>
              <i class={`resource-${stall % 10}`} /> {nameOfStall(name)}
            </span>
            <span class="bar-track">
              <i
                class={`resource-${stall % 10}`}
                style={{ width: `${(100 * totals[stall]!) / Math.max(1, ...totals)}%` }}
              />
            </span>
            <span class="figure">{formatShare(totals[stall]! / Math.max(all, 1))}</span>
          </li>
        ))}
      </ul>
    </>
  );
}
