// The left pane: contexts and their steps, with a filter, how often each pass matched, and the keys to walk through.
import { useComputed, useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { findRow, listRows, nameForSearch, type StepRow } from "../lib/step-rows";
import { useApp, useCommand } from "./app-context";
import { KeyCap } from "./key-cap";
import { kRow_px, StepRowView } from "./step-row";
import { VirtualList } from "./virtual-list";

export function StepList() {
  const { session, rewrites, place, stepList } = useApp();
  const filter = useSignal("");
  const contexts = session.contexts.value;
  const names = useComputed(() => (session.contexts.value === null ? null : nameForSearch(session.contexts.value)));
  const rows = useComputed(() => {
    if (session.contexts.value === null || names.value === null) return [];
    const open = stepList.open.value;
    return listRows(session.contexts.value, names.value, filter.value, (c) => open.has(c));
  });
  const most = useComputed(() =>
    (session.contexts.value?.contexts ?? []).reduce(
      (max, c) => c.steps.matches.reduce((m, n) => Math.max(m, n), max),
      0,
    ),
  );
  const current = useComputed(() => {
    const isStepNamed = place.part.step.value !== null;
    return findRow(rows.value, rewrites.context.value, isStepNamed ? rewrites.step.value : null);
  });

  const goTo = (row: StepRow | undefined) => {
    if (row !== undefined) rewrites.goToStep(row.context, row.step < 0 ? null : row.step);
  };
  const toggle = (row: StepRow | undefined) => row !== undefined && stepList.toggle(row.context);
  useCommand("list.previous", () => goTo(rows.value[current.value - 1]));
  useCommand("list.next", () => goTo(rows.value[current.value + 1]));
  useCommand("list.toggle", () => toggle(rows.value[current.value]));
  // A step that is gone to from elsewhere (a link, a badge of the graph) is unfolded, so that the list shows it.
  useEffect(() => {
    if (place.part.step.value !== null && rewrites.context.value !== null) stepList.unfold(rewrites.context.value);
  }, [rewrites.context.value, place.part.step.value]);

  return (
    <div class="step-list">
      <FilterBox filter={filter} onChoose={() => goTo(rows.value.find((row) => row.step >= 0) ?? rows.value[0])} />
      {contexts !== null && rows.value.length === 0 && (
        <p class="dim note">
          {filter.value === "" ? "The capture has no contexts." : "No context or pass has these words in its name."}
        </p>
      )}
      <VirtualList
        count={rows.value.length}
        rowHeight_px={kRow_px}
        current={current.value}
        currentId={current.value >= 0 ? `step-row-${current.value}` : undefined}
        label="Contexts and passes"
        role="tree"
        renderRow={(i) => {
          const row = rows.value[i]!;
          return (
            <StepRowView
              key={`${row.context}.${row.step}`}
              row={row}
              index={i}
              most={most.value}
              isCurrent={i === current.value}
              isNew={stepList.changed.value.has(`${row.context}.${row.step}`)}
              onGo={() => goTo(row)}
              onToggle={() => toggle(row)}
            />
          );
        }}
      />
    </div>
  );
}

/** Enter goes to the first step found; Escape clears, and again leaves. */
function FilterBox({ filter, onChoose }: { filter: Signal<string>; onChoose: () => void }) {
  const input = useRef<HTMLInputElement>(null);
  useCommand("list.filter", () => input.current?.focus());
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") {
      if (filter.value === "") input.current?.blur();
      filter.value = "";
      event.stopPropagation();
    } else if (event.key === "Enter" || event.key === "ArrowDown") {
      onChoose();
      input.current?.blur();
    }
  };
  return (
    <div class="filter">
      <input
        ref={input}
        type="text"
        placeholder="Filter contexts and passes"
        aria-label="Filter contexts and passes"
        spellcheck={false}
        value={filter.value}
        onInput={(event) => (filter.value = event.currentTarget.value)}
        onKeyDown={onKeyDown}
      />
      <KeyCap command="list.filter" />
    </div>
  );
}
