// At the end of a row of machine code: how often it ran, where its cycles went, and what it waited for.
import { formatCount, formatShare } from "../../lib/text";
import { useProgram } from "./context";
import { kStalls, type JoinedHeat } from "./heat";
import type { WireCode } from "./code";

export function HeatHeads() {
  const program = useProgram();
  return (
    <span class="cost-heads heat-heads dim">
      <span title="How often waves issued it">hits</span>
      <span title="Cycles of all waves that are this instruction's">cycles</span>
      <span title="The median of the cycles that it took a wave">median</span>
      {program.otherHot.value !== null && <span title="Cycles less those of the waves it is compared with">Δ</span>}
      <span title="From its dispatch until its unit executed it, the median">exec</span>
      <span class="uses" title="The cycles by what the wave stood still for">
        stalls
      </span>
    </span>
  );
}

interface HeatCellsProps {
  code: WireCode;
  joined: JoinedHeat;
  index: number;
}

export function HeatCells({ code, joined, index }: HeatCellsProps) {
  const program = useProgram();
  const row = joined.rowOf[index]!;
  const { heat, costs } = joined;
  const other = program.otherHot.value;
  if (row < 0) return <span class="costs heat-costs" />;
  const { hits, cycles, median, least, most: longest, executions, execute_median } = heat.instructions;
  const waits = joined.waitsOf.get(index) ?? [];
  return (
    <span class="costs heat-costs">
      <span>{formatCount(hits[row]!)}</span>
      <span title={`${formatShare(cycles[row]! / Math.max(costs.all, 1))} of all cycles`}>
        {formatCount(cycles[row]!)}
      </span>
      <span title={`from ${formatCount(least[row]!)} to ${formatCount(longest[row]!)}`}>
        {formatCount(median[row]!)}
      </span>
      {other !== null && <Change cycles={cycles[row]! - other.costs.of[index]!} />}
      <span title={`${formatCount(executions[row]!)} executions seen`}>
        {executions[row]! > 0 ? formatCount(execute_median[row]!) : ""}
      </span>
      <span class="uses" title={titleOfStalls(code, joined, index)}>
        {kStalls.map(({ id }) => (
          <i key={id} class={`stall-${id}`} style={{ width: `${(100 * heat.instructions[id][row]!) / costs.most}%` }} />
        ))}
      </span>
      {waits[0] !== undefined && (
        <button
          class="link wait-load"
          title={`It waited most for ${code.instructions.mnemonic[waits[0].load]}: show it`}
          onClick={(event) => {
            event.stopPropagation();
            program.look({ ins: String(waits[0]!.load), line: null });
          }}
        >
          ↖ {code.instructions.mnemonic[waits[0].load]}
        </button>
      )}
    </span>
  );
}

function Change({ cycles }: { cycles: number }) {
  const tone = cycles > 0 ? "removed" : cycles < 0 ? "made" : "dim";
  return (
    <span class={tone}>
      {cycles > 0 ? "+" : cycles < 0 ? "−" : ""}
      {formatCount(Math.abs(cycles))}
    </span>
  );
}

function titleOfStalls(code: WireCode, { heat, rowOf, waitsOf }: JoinedHeat, index: number): string {
  const row = rowOf[index]!;
  const lines = kStalls
    .filter(({ id }) => heat.instructions[id][row]! > 0)
    .map(({ id, title }) => `${formatCount(heat.instructions[id][row]!)} cycles ${title}`);
  const loads = (waitsOf.get(index) ?? []).map(
    ({ load, cycles }) =>
      `  ${formatCount(cycles)} for ${code.instructions.mnemonic[load]} ${code.instructions.operands[load]}`,
  );
  return [...lines, ...loads].join("\n");
}
