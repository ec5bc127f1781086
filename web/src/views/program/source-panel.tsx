// The source, a row a line: those that the chosen instruction comes from are highlighted, and a click highlights their
// instructions.
import { languageOf } from "../../lib/highlight";
import { useProgram } from "./context";
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
              class={`source-row ${i + 1 === current ? "current" : ""}`}
              onClick={() => program.look({ line: i + 1 === program.line.value ? null : String(i + 1), ins: null })}
            >
              <span class="number" title={made > 0 ? `${made} instructions come from this line` : undefined}>
                {i + 1}
              </span>
              <span class={made > 0 ? "made-bar" : "made-none"} />
              <code>
                <Code text={lines[i]!} language={languageOf(shown?.language ?? "c")} />
              </code>
            </div>
          );
        }}
      />
    </section>
  );
}
