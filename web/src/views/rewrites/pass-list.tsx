// The left pane: contexts and their passes, with a filter, how often each pass matched, and the keys to walk through.
import { useComputed, useSignal, type Signal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { findFolder, findRow, listRows, nameForSearch, openKey, type PassRow } from "../../lib/graph/pass-rows";
import { useApp, useCommand } from "../parts/app-context";
import { useRewrites } from "./context";
import { KeyCap } from "../parts/key-cap";
import { kRow_px, PassRowView } from "./pass-row";
import { VirtualList } from "../parts/virtual-list";

export function PassList() {
  const { session, chosen } = useApp();
  const { passList } = useRewrites();
  const filter = useSignal("");
  const contexts = session.contexts.value;
  const names = useComputed(() => (session.contexts.value === null ? null : nameForSearch(session.contexts.value)));
  const rows = useComputed(() => {
    if (session.contexts.value === null || names.value === null) return [];
    const open = passList.open.value;
    return listRows(session.contexts.value, names.value, filter.value, (key) => open.has(key));
  });
  const most = useComputed(() =>
    (session.contexts.value?.contexts ?? []).reduce(
      (max, c) => c.passes.matches.reduce((m, n) => Math.max(m, n), max),
      0,
    ),
  );
  const current = useComputed(() => {
    // A context that was gone to by itself stands for its pass.
    const { context, pass } = chosen.named.value;
    return findRow(rows.value, chosen.context.value, pass !== null || context === null ? chosen.pass.value : null);
  });

  const goTo = (row: PassRow | undefined) => {
    if (row !== undefined) chosen.goToPass(row.context, row.pass < 0 ? null : row.pass);
  };
  const toggle = (row: PassRow | undefined) => row?.isOpen != null && passList.toggle(openKey(row));
  // Goes to the first of the passes folded into one row, which unfolds them.
  useCommand("list.previous", () => goTo(rows.value[current.value - 1]));
  useCommand("list.next", () => goTo(rows.value[current.value + 1]));
  useCommand("list.toggle", () => toggle(findFolder(rows.value, current.value)));
  // A pass that is gone to from elsewhere (a link, a badge of the graph) is unfolded, so that the list shows it.
  useEffect(() => {
    if (chosen.named.value.pass !== null && chosen.context.value !== null)
      passList.unfold(chosen.context.value, chosen.pass.value);
  }, [chosen.context.value, chosen.named.value.pass]);

  return (
    <div class="list-pane pass-list">
      <FilterBox filter={filter} onChoose={() => goTo(rows.value.find((row) => row.pass >= 0) ?? rows.value[0])} />
      {contexts !== null && rows.value.length === 0 && (
        <p class="dim note">
          {filter.value === "" ? "The capture has no contexts." : "No context or pass has these words in its name."}
        </p>
      )}
      <VirtualList
        count={rows.value.length}
        rowHeight_px={kRow_px}
        current={current.value}
        currentId={current.value >= 0 ? `pass-row-${current.value}` : undefined}
        label="Contexts and passes"
        role="tree"
        renderRow={(i) => {
          const row = rows.value[i]!;
          return (
            <PassRowView
              key={openKey(row)}
              row={row}
              index={i}
              most={most.value}
              isCurrent={i === current.value}
              isNew={passList.changed.value.has(openKey(row))}
              onGo={() => row.quiet === 0 && goTo(row)}
              onToggle={() => toggle(row)}
            />
          );
        }}
      />
    </div>
  );
}

/** Enter goes to the first pass found; Escape clears, and again leaves. */
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
