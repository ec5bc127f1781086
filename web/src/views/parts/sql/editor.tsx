// The editor: a text with completion under the caret. Tab takes a suggestion, and so does Enter once an arrow chose one:
// else it begins a line. Ctrl+Enter runs the query.
import { useSignal } from "@preact/signals";
import { useLayoutEffect, useRef } from "preact/hooks";
import { applySuggestion, completeSql, placeOfCaret } from "./completion";
import type { SqlState } from "./state";

const kMostLines = 16;
const kLeastLines = 5;

export function Editor({ sql }: { sql: SqlState }) {
  const area = useRef<HTMLTextAreaElement>(null);
  // Where the caret is while suggestions are wanted.
  const caret = useSignal<number | null>(null);
  const chosen = useSignal(0);
  const isPicked = useSignal(false);
  const scroll = useSignal({ left: 0, top: 0 });
  const text = sql.text.value;
  const completion =
    caret.value === null || sql.schema.value === null ? null : completeSql(text, caret.value, sql.schema.value);
  // The caret is put behind a suggestion once the text has it.
  const moveTo = useRef<number | null>(null);
  useLayoutEffect(() => {
    if (moveTo.current === null) return;
    area.current?.setSelectionRange(moveTo.current, moveTo.current);
    moveTo.current = null;
  });

  const follow = () => {
    caret.value = area.current!.selectionStart;
    chosen.value = 0;
    isPicked.value = false;
  };
  const take = (at: number) => {
    if (completion === null) return;
    const next = applySuggestion(text, area.current!.selectionStart, completion.from, completion.suggestions[at]!.text);
    sql.text.value = next.text;
    moveTo.current = next.caret;
    caret.value = null;
    area.current?.focus();
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
      caret.value = null;
      sql.run();
    } else if (completion === null || event.ctrlKey || event.metaKey || event.altKey) {
      if (event.key === "Escape") area.current?.blur();
      else {
        event.stopPropagation();
        return;
      }
    } else if (event.key === "ArrowDown" || event.key === "ArrowUp") {
      const count = completion.suggestions.length;
      isPicked.value = true;
      chosen.value = (chosen.value + (event.key === "ArrowDown" ? 1 : count - 1)) % count;
    } else if (event.key === "Tab" || (event.key === "Enter" && isPicked.value)) {
      take(chosen.value);
    } else if (event.key === "Escape") {
      caret.value = null;
    } else {
      event.stopPropagation();
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  };

  const lines = Math.min(Math.max(text.split("\n").length, kLeastLines), kMostLines);
  const place = completion === null ? null : placeOfCaret(text, completion.from);
  return (
    <div class="sql-editor">
      <textarea
        ref={area}
        aria-label="Query"
        aria-autocomplete="list"
        aria-controls={completion === null ? undefined : "sql-suggestions"}
        aria-activedescendant={completion === null ? undefined : `sql-suggestion-${chosen.value}`}
        spellcheck={false}
        autocapitalize="off"
        wrap="off"
        rows={lines}
        value={text}
        onInput={(event) => {
          sql.text.value = event.currentTarget.value;
          follow();
        }}
        onKeyDown={onKey}
        onClick={() => (caret.value = null)}
        onBlur={() => (caret.value = null)}
        onScroll={(event) => {
          scroll.value = { left: event.currentTarget.scrollLeft, top: event.currentTarget.scrollTop };
        }}
      />
      {completion !== null && place !== null && (
        <ul
          id="sql-suggestions"
          class="sql-suggestions"
          role="listbox"
          aria-label="Suggestions"
          style={{
            left: `calc(10px + ${place.column}ch - ${scroll.value.left}px)`,
            top: `calc(8px + ${(place.line + 1) * 1.5}em - ${scroll.value.top}px)`,
          }}
        >
          {completion.suggestions.map((suggestion, at) => (
            <li
              key={suggestion.text}
              id={`sql-suggestion-${at}`}
              role="option"
              aria-selected={at === chosen.value}
              // Before the text loses the focus.
              onPointerDown={(event) => {
                event.preventDefault();
                take(at);
              }}
            >
              <b>{suggestion.text}</b> <span>{suggestion.about}</span>
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}
