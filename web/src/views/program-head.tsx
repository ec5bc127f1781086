// Above the middle: which program, what is shown of it, the search, and the ways to its rewrites.
import { useRef } from "preact/hooks";
import { stripAnsi } from "../lib/ansi";
import { formatCount, formatDuration } from "../lib/text";
import type { ProgramPanel } from "../state/program";
import { useApp, useCommand } from "./app-context";
import { AnsiText } from "./ansi-text";
import { dataOf } from "../state/fetched";
import { KeyCap } from "./key-cap";

const kPanels: readonly { id: ProgramPanel; title: string; command: string }[] = [
  { id: "code", title: "Code", command: "program.code" },
  { id: "flow", title: "Blocks", command: "program.flow" },
  { id: "compare", title: "Compare", command: "program.compare" },
];

export function ProgramHead() {
  const { program, rewrites } = useApp();
  const shown = dataOf(program.program.value);
  const context = program.context.value;
  useCommand("program.rewrites", () => context !== null && rewrites.goToStep(context, null));
  return (
    <header class="program-head">
      <h2 title={shown && stripAnsi(shown.name)}>{shown !== undefined && <AnsiText text={shown.name} />}</h2>
      <span class="dim">{shown?.device}</span>
      {shown?.runs != null && (
        <span class="dim">
          {formatCount(shown.runs.count)} × {formatDuration(shown.runs.median_ns)}
        </span>
      )}
      <div class="program-panels" role="tablist">
        {kPanels.map(({ id, title, command }) => (
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
      <button onClick={() => context !== null && rewrites.goToStep(context, null)}>
        Rewrites <KeyCap command="program.rewrites" />
      </button>
    </header>
  );
}

function CodeSearch() {
  const { program, commands } = useApp();
  const input = useRef<HTMLInputElement>(null);
  useCommand("page.search", () => {
    input.current?.focus();
    input.current?.select();
  });
  const count = program.hits.value.length;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Enter") commands.run(event.shiftKey ? "program.previousHit" : "program.nextHit");
    else if (event.key === "Escape") {
      program.look({ code: null });
      input.current?.blur();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div class="program-search" role="search">
      <input
        ref={input}
        type="text"
        placeholder="Search instructions"
        aria-label="Search instructions; Enter steps to the next"
        spellcheck={false}
        value={program.find.value}
        onInput={(event) => program.look({ code: event.currentTarget.value || null })}
        onKeyDown={onKeyDown}
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
