// The programs that contexts made: on the left their list, in the middle source and machine code, blocks, or two programs
// compared, on the right what the machine makes of it, where it ran, and what it is made of.
import { useEffect } from "preact/hooks";
import { useApp, useCommand } from "../parts/app-context";
import { Blank } from "../parts/blank";
import type { OpenView } from "../view";
import { provideProgram, useProgram } from "./context";
import { createProgram } from "./state";
import "./program.css";
import "./side.css";
import "./flow.css";
import "./compare.css";
import { ProgramCode } from "./code-panel";
import { ProgramCompare } from "./compare-panel";
import { ProgramFlow } from "./flow-panel";
import { ProgramHead } from "./head";
import { ProgramList } from "./list";
import { ProgramSource } from "./source-panel";
import { ProgramSide } from "./side";
import { Split } from "../parts/split";
import { useProgramCommands } from "./use-commands";

export const openProgram: OpenView = (app) => provideProgram(createProgram(app), ProgramView);

function ProgramView() {
  const program = useProgram();
  useEffect(() => program.want(), [program]);
  useProgramCommands();
  return (
    <Split
      left={<ProgramList />}
      leftLabel="programs"
      middle={<Middle />}
      right={<ProgramSide />}
      rightLabel="analysis"
    />
  );
}

function Middle() {
  const { session } = useApp();
  const program = useProgram();
  useCommand("program.code", () => program.look({ panel: null }));
  useCommand("program.flow", () => program.look({ panel: "flow" }));
  useCommand("program.compare", () => program.look({ panel: "compare" }));
  if (session.contexts.value === null) return <Blank title="Reading the contexts" />;
  if (program.context.value === null)
    return <Blank title="No context made a program" lines={["The capture has rewrites only."]} />;
  const problem = program.program.value.problem;
  if (problem !== null) return <Blank title="The program cannot be shown" lines={[problem.message]} tone="broken" />;
  const panel = program.panel.value;
  return (
    <div class="program">
      <ProgramHead />
      {panel === "code" && (
        <div class="program-columns">
          <ProgramSource />
          <ProgramCode />
        </div>
      )}
      {panel === "flow" && <ProgramFlow />}
      {panel === "compare" && <ProgramCompare />}
    </div>
  );
}
