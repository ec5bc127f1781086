// The programs that contexts made: on the left their list, in the middle source and machine code, blocks, or two
// programs compared, on the right what the machine makes of it, where it ran, and what it is made of.
import { useEffect, useRef } from "preact/hooks";
import { useApp, useCommand } from "../parts/app-context";
import { Blank } from "../parts/blank";
import type { OpenView } from "../view";
import { provideProgram, useProgram } from "./context";
import { createProgram } from "./state";
import "./program.css";
import "./side.css";
import "./flow.css";
import "./heat.css";
import "./compare.css";
import { dataOf } from "../../state/fetched";
import { ProgramCode } from "./code-panel";
import { ProgramCompare } from "./compare-panel";
import { ProgramFlow } from "./flow-panel";
import { ProgramOps } from "./ops-panel";
import { ProgramHead } from "./head";
import { ProgramList } from "./list";
import { ProgramSource } from "./source-panel";
import { ProgramSide } from "./side";
import { Split } from "../parts/split";
import { Splitter } from "../parts/splitter";
import { Nothing } from "../parts/nothing";
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

/** Source and machine code, with a bar between them. */
function Columns() {
  const { panes, place } = useApp();
  const share = panes.shareOf("source", kSourceShare);
  const box = useRef<HTMLDivElement>(null);
  const move = (px: number) => {
    const width_px = Math.max(box.current!.clientWidth, 1);
    share.value = Math.min(Math.max(share.value + px / width_px, 0.15), 0.85);
  };
  const program = useProgram();
  const text = program.text.value;
  const shown = dataOf(program.program.value);
  const isThere = shown !== undefined;
  const hasCode = dataOf(program.code.value)?.error === null || program.code.value.value === null;
  const hasSource = shown === undefined || shown.source !== "";
  // A link to one of the two leads the keys there too.
  useEffect(() => {
    const pane = text === null ? null : box.current!.children[text === "source" ? 0 : 1];
    if (isThere) pane?.querySelector<HTMLElement>("[tabindex]")?.focus();
  }, [text, isThere, place.arrivals.value]);
  // A pane with nothing but the reason for it leaves the room to the other; that there is no source is one line above.
  const isBoth = hasCode === hasSource;
  const hasCodeAlone = hasCode && !hasSource;
  const columns = isBoth
    ? `minmax(0, ${share.value}fr) minmax(0, ${1 - share.value}fr)`
    : `minmax(0, 1fr) ${hasCodeAlone ? "" : kReason}`;
  return (
    <div
      class={`program-columns ${text ?? ""} ${hasCodeAlone ? "no-source" : ""}`}
      ref={box}
      style={{ "--source": share.value, "--columns": columns }}
    >
      <ProgramSource />
      <ProgramCode />
      {isBoth && (
        <Splitter
          class="splitter columns-splitter"
          orientation="vertical"
          label="Width of the source"
          value={share.value * 100}
          most={100}
          onMove={move}
          onDoubleClick={() => (share.value = kSourceShare)}
        />
      )}
    </div>
  );
}

const kSourceShare = 4 / 11;
/** The width that a reason is read at: there may be much to say of why there is no machine code. */
const kReason = "minmax(0, 260px)";

function Middle() {
  const { session } = useApp();
  const program = useProgram();
  useCommand("program.code", () => program.look({ panel: null }));
  useCommand("program.flow", () => program.look({ panel: "flow" }));
  useCommand("program.compare", () => program.look({ panel: "compare" }));
  useCommand("program.ops", () => program.look({ panel: "ops" }));
  if (session.contexts.value === null) return <Blank title="Reading the contexts" />;
  if (program.context.value === null && program.alone.value === null)
    return (
      <Blank title="No context made a program">
        <p>
          <Nothing of="programs" none="None of those that the capture has." isScoped={false} />
        </p>
      </Blank>
    );
  const problem = program.program.value.problem;
  if (problem !== null) return <Blank title="The program cannot be shown" lines={[problem.message]} tone="broken" />;
  const panel = program.panel.value;
  return (
    <div class="program">
      <ProgramHead />
      {panel === "code" && <Columns />}
      {panel === "flow" && <ProgramFlow />}
      {panel === "compare" && <ProgramCompare />}
      {panel === "ops" && <ProgramOps />}
    </div>
  );
}
