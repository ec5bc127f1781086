// Two programs in figures: what both have, and by how much the other one differs.
import { stripAnsi } from "../../lib/ansi";
import type { WireCode } from "./code";
import { formatCount, formatDuration } from "../../lib/text";
import type { ProgramWithExecutions } from "./code";
import { useApp } from "../parts/app-context";
import { useProgram } from "./context";

interface SummaryProps {
  mine: ProgramWithExecutions;
  theirs: ProgramWithExecutions;
  myCode: WireCode | undefined;
  theirCode: WireCode | undefined;
}

export function Summary({ mine, theirs, myCode, theirCode }: SummaryProps) {
  const { session } = useApp();
  const program = useProgram();
  const isOfAnother = program.other.isOfAnother.value;
  const title = (p: ProgramWithExecutions, capture: string | undefined) =>
    isOfAnother ? `${capture ?? ""}: ${stripAnsi(p.name)}` : stripAnsi(p.name);
  return (
    <table class="compare-summary">
      <thead>
        <tr>
          <th />
          <th>{title(mine, session.capture.value?.name)}</th>
          <th>{title(theirs, program.other.capture.value?.name)}</th>
          <th />
        </tr>
      </thead>
      <tbody>
        <Row
          title="Median execution"
          values={[mine.executions?.median_ns, theirs.executions?.median_ns]}
          format={formatDuration}
        />
        <Row title="Instructions" values={[countOf(myCode), countOf(theirCode)]} format={formatCount} />
      </tbody>
    </table>
  );
}

function countOf(code: WireCode | undefined): number | undefined {
  return code === undefined || code.error !== null ? undefined : code.instructions.address.length;
}

interface RowProps {
  title: string;
  values: [number | undefined, number | undefined];
  format: (value: number) => string;
}

/** Figures that both have, and by how much the right one has more; less is better. */
function Row({ title, values: [left, right], format }: RowProps) {
  const show = (value: number | undefined) => (value === undefined ? "–" : format(value));
  const change = left === undefined || right === undefined || left === 0 ? null : right / left - 1;
  return (
    <tr>
      <th>{title}</th>
      <td>{show(left)}</td>
      <td>{show(right)}</td>
      <td class={change === null || change === 0 ? "dim" : change < 0 ? "made" : "removed"}>
        {change !== null && formatChange(change)}
      </td>
    </tr>
  );
}

/** "+3.1 %", or as a factor from twice as much on. */
function formatChange(change: number): string {
  if (change === 0) return "the same";
  if (change >= 1) return `× ${(1 + change).toFixed(1)}`;
  return `${change < 0 ? "−" : "+"}${(Math.abs(change) * 100).toFixed(1)} %`;
}
