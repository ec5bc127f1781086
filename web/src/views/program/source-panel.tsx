// The source, a row a line: those that the chosen instruction comes from are highlighted, and a click highlights their
// instructions.
import { languageOf } from "../../lib/highlight";
import { formatCount } from "../../lib/text";
import { useProgram } from "./context";
import { cyclesByLine, heatOf } from "./heat";
import { Code } from "../parts/code";
import { CopyButton } from "../parts/copy-button";
import { dataOf } from "../../state/fetched";
import { VirtualList } from "../parts/virtual-list";

export const kCodeRow_px = 18;

export function ProgramSource() {
  const program = useProgram();
  const shown = dataOf(program.program.value);
  const code = dataOf(program.code.value);
  const lines = shown?.source.split("\n") ?? [];
  const chosen = program.instruction.value;
  const current = program.line.value ?? (chosen === null ? 0 : (code?.instructions.line[chosen] ?? 0));
  const counts = new Map<number, number>();
  for (const line of code?.instructions.line ?? []) counts.set(line, (counts.get(line) ?? 0) + 1);
  const hot = program.hot.value;
  const cycles = code === undefined || hot === null ? null : cyclesByLine(code, hot);
  const most = Math.max(1, ...(cycles?.values() ?? []));
  return (
    <section class="program-pane" aria-label="source">
      <header class="section-head">
        <h2>Source</h2>
        {shown !== undefined && <CopyButton text={() => shown.source} label="the source" />}
      </header>
      {shown?.source === "" && <p class="dim note">The capture has no source of this program.</p>}
      <VirtualList
        count={shown?.source === "" ? 0 : lines.length}
        rowHeight_px={kCodeRow_px}
        current={current - 1}
        label="Source"
        role="list"
        renderRow={(i) => {
          const made = counts.get(i + 1) ?? 0;
          return (
            <div
              key={i}
              role="listitem"
              class={`source-row ${cycles === null ? "" : "is-hot"} ${i + 1 === current ? "current" : ""}`}
              style={cycles === null ? undefined : { "--heat": heatOf(cycles.get(i + 1) ?? 0, most) }}
              onClick={() => program.look({ line: i + 1 === program.line.value ? null : String(i + 1), ins: null })}
            >
              <span class="number" title={made > 0 ? `${made} instructions come from this line` : undefined}>
                {i + 1}
              </span>
              <span class={made > 0 ? "made-bar" : "made-none"} />
              <code>
                <Code text={lines[i]!} language={languageOf(shown?.language ?? "c")} />
              </code>
              {cycles?.has(i + 1) && (
                <span class="line-cycles dim" title="Cycles of its instructions, of all waves">
                  {formatCount(cycles.get(i + 1)!)}
                </span>
              )}
            </div>
          );
        }}
      />
    </section>
  );
}
