// Above the middle: which program, what is shown of it, the search, and the ways to its rewrites.
import { stripAnsi } from "../../lib/ansi";
import { formatCount, formatDuration } from "../../lib/text";
import type { ProgramPanel } from "./state";
import { useApp, useCommand } from "../parts/app-context";
import { useProgram } from "./context";
import { AnsiText } from "../parts/ansi-text";
import { dataOf } from "../../state/fetched";
import { KeyCap } from "../parts/key-cap";
import { SearchInput, useSearchInput } from "../parts/search-input";

const kPanels: readonly { id: ProgramPanel; title: string; command: string }[] = [
  { id: "code", title: "Code", command: "program.code" },
  { id: "flow", title: "Blocks", command: "program.flow" },
  { id: "compare", title: "Compare", command: "program.compare" },
  { id: "ops", title: "Ops", command: "program.ops" },
];

export function ProgramHead() {
  const { chosen } = useApp();
  const program = useProgram();
  const shown = dataOf(program.program.value);
  const context = program.context.value;
  const isOffered = ({ id }: { id: ProgramPanel }) => id !== "ops" || shown?.has_ops === true;
  useCommand("program.rewrites", () => context !== null && chosen.goToPass(context, null));
  return (
    <header class="program-head">
      {shown !== undefined && (
        <h2 title={stripAnsi(shown.name)}>
          <AnsiText text={shown.name} />
        </h2>
      )}
      <span class="dim">{shown?.device}</span>
      {shown?.executions != null && (
        <span class="dim">
          {formatCount(shown.executions.count)} × {formatDuration(shown.executions.median_ns)}
        </span>
      )}
      <div class="program-panels" role="tablist">
        {kPanels.filter(isOffered).map(({ id, title, command }) => (
          <button
            key={id}
            class="tab"
            role="tab"
            aria-selected={program.panel.value === id}
            onClick={() => program.look({ panel: id === "code" ? null : id })}
          >
            {title} <KeyCap command={command} />
          </button>
        ))}
      </div>
      <CodeSearch />
      {context !== null && (
        <button onClick={() => chosen.goToPass(context, null)}>
          Rewrites <KeyCap command="program.rewrites" />
        </button>
      )}
    </header>
  );
}

function CodeSearch() {
  const { commands } = useApp();
  const program = useProgram();
  const { input } = useSearchInput();
  const count = program.hits.value.length;
  return (
    <div class="program-search" role="search">
      <SearchInput
        input={input}
        placeholder="Search instructions"
        label="Search instructions; Enter steps to the next"
        text={program.find.value}
        onText={(text) => program.look({ code: text || null })}
        onStep={(by) => commands.run(by > 0 ? "program.nextHit" : "program.previousHit")}
      />
      {program.find.value === "" ? (
        <KeyCap command="page.search" />
      ) : (
        <span class={count === 0 ? "none" : "dim"} aria-live="polite">
          {formatCount(count)}
        </span>
      )}
    </div>
  );
}
