// The program's ops in order, as the compiler prints them: what its source was made of.
import { dataOf } from "../../state/fetched";
import { Blank } from "../parts/blank";
import { CopyButton } from "../parts/copy-button";
import { LongText } from "../parts/long-text";
import { useProgram } from "./context";

export function ProgramOps() {
  const program = useProgram();
  if (dataOf(program.program.value)?.has_ops === false)
    return <Blank title="The capture has no list of this program's ops" />;
  const { problem } = program.ops.value;
  if (problem !== null) return <Blank title="The ops cannot be shown" lines={[problem.message]} tone="broken" />;
  const ops = dataOf(program.ops.value);
  if (ops === undefined) return <Blank title="Reading the ops" />;
  if (ops.is_error) return <Blank title="The ops cannot be printed" lines={[ops.text]} tone="broken" />;
  return (
    <section class="program-pane program-ops" aria-label="ops">
      <header class="section-head">
        <h2>Ops, in order</h2>
        <CopyButton text={() => ops.text} label="the list of ops" />
      </header>
      <LongText text={ops.text} language="plain" />
    </section>
  );
}
