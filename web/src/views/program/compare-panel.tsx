// Two programs compared: of one capture, or of two that are open (the same kernel in A and B): figures, machine code
// and source as aligned lines.
import { useComputed } from "@preact/signals";
import { stripAnsi } from "../../lib/ansi";
import { formatOther, type OtherProgram } from "./program-choice";
import { textOfInstruction, type WireCode } from "./code";
import { useApp } from "../parts/app-context";
import { useProgram } from "./context";
import { Blank } from "../parts/blank";
import { align, Sides } from "./compare-sides";
import { dataOf } from "../../state/fetched";
import { Summary } from "./compare-summary";

export function ProgramCompare() {
  const program = useProgram();
  const { other } = program;
  const [mine, theirs] = [dataOf(program.program.value), dataOf(other.program.value)];
  const [myCode, theirCode] = [dataOf(program.code.value), dataOf(other.code.value)];
  const problem = other.program.value.problem ?? other.code.value.problem;
  const reason =
    myCode?.error?.message ??
    theirCode?.error?.message ??
    (myCode && theirCode ? undefined : "Reading the machine code");
  const code = useComputed(() => align(linesOfCode(dataOf(program.code.value)), linesOfCode(dataOf(other.code.value))));
  const source = useComputed(() =>
    align(
      dataOf(program.program.value)?.source.split("\n") ?? [],
      dataOf(other.program.value)?.source.split("\n") ?? [],
    ),
  );
  return (
    <div class="compare">
      <OtherChoice />
      {problem !== null && <p class="removed note">{problem.message}</p>}
      {other.context.value === null && <NothingChosen />}
      {mine !== undefined && theirs !== undefined && other.context.value !== null && (
        <>
          <Summary mine={mine} theirs={theirs} myCode={myCode} theirCode={theirCode} />
          <Sides
            title="Machine code"
            sides={code.value}
            reason={reason}
            commands={{ next: "program.nextChange", previous: "program.previousChange" }}
          />
          <Sides title="Source" sides={source.value} />
        </>
      )}
    </div>
  );
}

/** The program of the same name in the other capture is one click away. */
function NothingChosen() {
  const { session } = useApp();
  const program = useProgram();
  const { other } = program;
  const context = session.contexts.value?.contexts[program.context.value ?? -1];
  const name = stripAnsi(context?.name ?? dataOf(program.program.value)?.name ?? "");
  const capture = other.capture.value?.name ?? "";
  if (other.contexts.value === null) return <Blank title={`Reading the programs of ${capture}`} />;
  if (other.isOfAnother.value && other.sameName.value === null)
    return <Blank title={`${capture} made no program ${name}`} lines={["Choose another one of it above."]} />;
  return (
    <Blank
      title="Compare with another program"
      lines={[
        other.captures.value.length > 1
          ? "Choose it above: of this capture or of another that is open."
          : "Choose it above.",
      ]}
    >
      {other.isOfAnother.value && (
        <button class="pill" onClick={() => program.look({ with: formatOther({ capture, context: "same" }) })}>
          The same kernel in {capture}: <code>{name}</code>
        </button>
      )}
    </Blank>
  );
}

function linesOfCode(code: WireCode | undefined): string[] {
  if (code === undefined || code.error !== null) return [];
  return code.instructions.mnemonic.map((_, i) => textOfInstruction(code, i));
}

function OtherChoice() {
  const { session } = useApp();
  const program = useProgram();
  const { other } = program;
  const capture = other.capture.value?.name ?? "";
  const choose = (chosen: OtherProgram) => program.look({ with: formatOther(chosen) });
  const contexts = other.contexts.value?.contexts ?? [];
  const isSame = other.choice.value?.context === "same";
  const chooseContext = (value: string) => {
    const index = Number(value);
    if (value === "" || value === "same") choose({ capture, context: value === "same" ? "same" : null });
    else choose({ capture, context: { index, name: stripAnsi(contexts[index]?.name ?? "") } });
  };
  return (
    <div class="compare-choice">
      <span class="dim">compared with</span>
      {other.captures.value.length > 1 && (
        <select
          aria-label="The other capture"
          value={capture}
          onChange={(e) => {
            const chosen = e.currentTarget.value;
            choose({ capture: chosen, context: chosen === session.capture.value?.name ? null : "same" });
          }}
        >
          {other.captures.value.map((c) => (
            <option key={c.id} value={c.name}>
              {session.labels.value.get(c.id)}
            </option>
          ))}
        </select>
      )}
      <select
        aria-label="The other program"
        value={isSame ? "same" : (other.context.value ?? "")}
        onChange={(e) => chooseContext(e.currentTarget.value)}
      >
        <option value="">choose a program</option>
        {(isSame || other.sameName.value !== null) && <option value="same">the same kernel</option>}
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
