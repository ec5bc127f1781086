// The left pane: every program of the capture.
import { useComputed, useSignal } from "@preact/signals";
import { stripAnsi } from "../../lib/ansi";
import { useApp, useCommand } from "../parts/app-context";
import { useProgram } from "./context";
import { AnsiText } from "../parts/ansi-text";
import { KeyCap } from "../parts/key-cap";
import { VirtualList } from "../parts/virtual-list";

const kRow_px = 24;

export function ProgramList() {
  const { session } = useApp();
  const program = useProgram();
  const filter = useSignal("");
  const rows = useComputed(() => {
    const words = filter.value.toLowerCase();
    const contexts = session.contexts.value?.contexts ?? [];
    return contexts
      .map((context, index) => ({ index, name: context.name, program: context.program }))
      .filter((row) => row.program && stripAnsi(row.name).toLowerCase().includes(words));
  });
  const current = rows.value.findIndex((row) => row.index === program.context.value);
  const move = (by: number) => {
    const row = rows.value[current + by];
    if (row !== undefined) program.goTo(row.index);
  };
  useCommand("program.nextProgram", () => move(1));
  useCommand("program.previousProgram", () => move(-1));
  return (
    <div class="list-pane">
      <div class="filter">
        <input
          type="text"
          placeholder="Filter programs"
          aria-label="Filter programs"
          spellcheck={false}
          value={filter.value}
          onInput={(event) => (filter.value = event.currentTarget.value)}
        />
        <KeyCap command="program.nextProgram" />
      </div>
      <VirtualList
        count={rows.value.length}
        rowHeight_px={kRow_px}
        current={current}
        label="Programs"
        role="listbox"
        renderRow={(i) => {
          const row = rows.value[i]!;
          return (
            <div
              key={row.index}
              class={`program-row ${i === current ? "current" : ""}`}
              role="option"
              aria-selected={i === current}
              onClick={() => program.goTo(row.index)}
            >
              <AnsiText text={row.name} />
            </div>
          );
        }}
      />
    </div>
  );
}
