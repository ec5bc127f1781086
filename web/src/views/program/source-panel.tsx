// The source, a row a line: those that the chosen instruction comes from are highlighted, and a click highlights their
// instructions.
import { languageOf } from "../../lib/highlight";
import { formatCount } from "../../lib/text";
import { useProgram } from "./context";
import { costsByLine, heatOf, largestOf } from "./costs";
import { Code } from "../parts/code";
import { CopyButton } from "../parts/copy-button";
import { dataOf } from "../../state/fetched";
import { VirtualList } from "../parts/virtual-list";

export const kCodeRow_px = 18;

const kCostTitles = {
  cycles: "Cycles of its instructions, of all waves",
  samples: "Samples of its instructions",
};

export function ProgramSource() {
  const program = useProgram();
  const shown = dataOf(program.program.value);
  const code = dataOf(program.code.value);
  const lines = shown?.source.split("\n") ?? [];
  const chosen = program.instruction.value;
  const current = program.line.value ?? (chosen === null ? 0 : (code?.instructions.line[chosen] ?? 0));
  const counts = new Map<number, number>();
  for (const line of code?.instructions.line ?? []) counts.set(line, (counts.get(line) ?? 0) + 1);
  const costs = program.costs.value;
  const byLine = code === undefined || costs === null ? null : costsByLine(code, costs);
  const most = largestOf(byLine?.values() ?? []);
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
              class={`source-row ${byLine === null ? "" : "is-hot"} ${i + 1 === current ? "current" : ""}`}
              style={byLine === null ? undefined : { "--heat": heatOf(byLine.get(i + 1) ?? 0, most) }}
              onClick={() => program.look({ line: i + 1 === program.line.value ? null : String(i + 1), ins: null })}
            >
              <span class="number" title={made > 0 ? `${made} instructions come from this line` : undefined}>
                {i + 1}
              </span>
              <span class={made > 0 ? "made-bar" : "made-none"} />
              <code>
                <Code text={lines[i]!} language={languageOf(shown?.language ?? "c")} />
              </code>
              {byLine?.has(i + 1) && (
                <span class="line-costs dim" title={kCostTitles[costs!.unit]}>
                  {formatCount(byLine.get(i + 1)!)}
                </span>
              )}
            </div>
          );
        }}
      />
    </section>
  );
}
