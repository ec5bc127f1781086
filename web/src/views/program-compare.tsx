// Two programs side by side, lines that are the same beside each other: their machine code, and their source.
import { alignLines, type AlignedLine } from "../lib/align-lines";
import { stripAnsi } from "../lib/ansi";
import { textOfInstruction, type WireCode } from "../lib/program";
import { formatCount, formatDuration } from "../lib/text";
import type { ProgramWithRuns } from "../state/program";
import { useComputed } from "@preact/signals";
import { useApp } from "./app-context";
import { Blank } from "./blank";
import { kCodeRow_px } from "./program-source";
import { VirtualList } from "./virtual-list";

export function ProgramCompare() {
  const { program } = useApp();
  const [mine, theirs] = [program.program.value.value?.data, program.otherProgram.value.value?.data];
  const [myCode, theirCode] = [program.code.value.value?.data, program.otherCode.value.value?.data];
  const problem = program.otherProgram.value.problem;
  const code = useComputed(() =>
    align(linesOfCode(program.code.value.value?.data), linesOfCode(program.otherCode.value.value?.data)),
  );
  const source = useComputed(() =>
    align(
      program.program.value.value?.data.source.split("\n") ?? [],
      program.otherProgram.value.value?.data.source.split("\n") ?? [],
    ),
  );
  return (
    <div class="compare">
      <OtherChoice />
      {problem !== null && <p class="removed note">{problem.message}</p>}
      {program.other.value === null && (
        <Blank title="Compare with another program" lines={["Choose it above: of this capture or of another one."]} />
      )}
      {mine !== undefined && theirs !== undefined && program.other.value !== null && (
        <>
          <Summary mine={mine} theirs={theirs} myCode={myCode} theirCode={theirCode} />
          <Sides title="Machine code" sides={code.value} />
          <Sides title="Source" sides={source.value} />
        </>
      )}
    </div>
  );
}

interface TwoSides {
  left: readonly string[];
  right: readonly string[];
  lines: readonly AlignedLine[];
}

function align(left: readonly string[], right: readonly string[]): TwoSides {
  return { left, right, lines: alignLines(left, right) };
}

function linesOfCode(code: WireCode | undefined): string[] {
  if (code === undefined || code.error !== null) return [];
  return code.instructions.mnemonic.map((_, i) => textOfInstruction(code, i));
}

function OtherChoice() {
  const { program, session } = useApp();
  const captures = session.info.value?.captures ?? [];
  const other = program.other.value;
  const capture = other?.capture ?? session.capture.value?.name ?? "";
  const contexts = session.contexts.value?.contexts ?? [];
  return (
    <div class="compare-choice">
      <span class="dim">compared with</span>
      {captures.length > 1 && (
        <select
          aria-label="The other capture"
          value={capture}
          onChange={(e) =>
            program.look({ with: `${e.currentTarget.value}|${other?.context ?? program.context.value}` })
          }
        >
          {captures.map((c) => (
            <option key={c.id} value={c.name}>
              {c.name}
            </option>
          ))}
        </select>
      )}
      <select
        aria-label="The other program"
        value={other?.context ?? ""}
        onChange={(e) =>
          program.look({ with: e.currentTarget.value === "" ? null : `${capture}|${e.currentTarget.value}` })
        }
      >
        <option value="">choose a program</option>
        {contexts.map((c, i) =>
          c.program ? (
            <option key={i} value={i}>
              {stripAnsi(c.name)}
            </option>
          ) : null,
        )}
      </select>
    </div>
  );
}

interface SummaryProps {
  mine: ProgramWithRuns;
  theirs: ProgramWithRuns;
  myCode: WireCode | undefined;
  theirCode: WireCode | undefined;
}

function Summary({ mine, theirs, myCode, theirCode }: SummaryProps) {
  const time = (p: ProgramWithRuns) => (p.runs === null ? "–" : formatDuration(p.runs.median_ns));
  const count = (c: WireCode | undefined) => (c === undefined ? "…" : formatCount(c.instructions.address.length));
  return (
    <table class="compare-summary">
      <thead>
        <tr>
          <th />
          <th>{stripAnsi(mine.name)}</th>
          <th>{stripAnsi(theirs.name)}</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <th>Median run</th>
          <td>{time(mine)}</td>
          <td>{time(theirs)}</td>
        </tr>
        <tr>
          <th>Instructions</th>
          <td>{count(myCode)}</td>
          <td>{count(theirCode)}</td>
        </tr>
      </tbody>
    </table>
  );
}

function Sides({ title, sides }: { title: string; sides: TwoSides }) {
  const { left, right, lines } = sides;
  const changed = lines.filter((line) => !line.isSame).length;
  return (
    <section class="compare-sides" aria-label={title}>
      <header class="section-head">
        <h3>{title}</h3>
        <span class="dim">
          {changed === 0 ? "the same" : `${formatCount(changed)} of ${formatCount(lines.length)} lines differ`}
        </span>
      </header>
      <VirtualList
        count={lines.length}
        rowHeight_px={kCodeRow_px}
        current={-1}
        label={title}
        role="list"
        renderRow={(i) => {
          const line = lines[i]!;
          return (
            <div key={i} class={`compare-row ${line.isSame ? "" : "differs"}`}>
              <code class={line.left < 0 ? "nothing" : line.isSame ? "" : "is-left"}>{left[line.left] ?? ""}</code>
              <code class={line.right < 0 ? "nothing" : line.isSame ? "" : "is-right"}>{right[line.right] ?? ""}</code>
            </div>
          );
        }}
      />
    </section>
  );
}
