// The editor: a text with completion under the caret. Tab takes a suggestion, and so does Enter once an arrow chose
// one; otherwise it begins a line. Ctrl+Enter runs the query.
import { useSignal } from "@preact/signals";
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { applySuggestion, completeSql, placeOfCaret, type Completion } from "./completion";
import type { SqlState } from "./state";

const kMostLines = 16;
const kLeastLines = 5;

export function Editor({ sql }: { sql: SqlState }) {
  const area = useRef<HTMLTextAreaElement>(null);
  const completing = useCompletion(sql, area);
  const scroll = useSignal({ left: 0, top: 0 });
  const text = sql.text.value;
  const { completion, chosen } = completing;
  const lines = Math.min(Math.max(text.split("\n").length, kLeastLines), kMostLines);
  return (
    <div class="sql-editor">
      <textarea
        ref={area}
        aria-label="Query"
        aria-autocomplete="list"
        aria-controls={completion === null ? undefined : "sql-suggestions"}
        aria-activedescendant={completion === null ? undefined : `sql-suggestion-${chosen}`}
        spellcheck={false}
        autocapitalize="off"
        wrap="off"
        rows={lines}
        value={text}
        onInput={(event) => {
          sql.text.value = event.currentTarget.value;
          completing.follow();
        }}
        onKeyDown={(event) => {
          const done = handleKey(event, sql, completing);
          if (done === "blur") area.current?.blur();
          if (done !== "left") event.preventDefault();
          event.stopPropagation();
        }}
        onClick={completing.end}
        onBlur={completing.end}
        onScroll={(event) => {
          scroll.value = { left: event.currentTarget.scrollLeft, top: event.currentTarget.scrollTop };
        }}
      />
      {completion !== null && (
        <Suggestions
          completion={completion}
          chosen={chosen}
          place={placeOfCaret(text, completion.from)}
          scroll={scroll.value}
          onTake={completing.take}
        />
      )}
    </div>
  );
}

interface Completing {
  /** Null where nothing is suggested. */
  completion: Completion | null;
  chosen: number;
  /** Whether an arrow chose it. */
  isPicked: boolean;
  /** Suggests what fits where the caret is. */
  follow(): void;
  end(): void;
  step(by: 1 | -1): void;
  take(at: number): void;
}

function useCompletion(sql: SqlState, area: RefObject<HTMLTextAreaElement | null>): Completing {
  // Where the caret is while suggestions are wanted.
  const caret = useSignal<number | null>(null);
  const chosen = useSignal(0);
  const isPicked = useSignal(false);
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
  return {
    completion,
    chosen: chosen.value,
    isPicked: isPicked.value,
    follow() {
      caret.value = area.current!.selectionStart;
      chosen.value = 0;
      isPicked.value = false;
    },
    end: () => (caret.value = null),
    step(by) {
      if (completion === null) return;
      const count = completion.suggestions.length;
      isPicked.value = true;
      chosen.value = (chosen.value + count + by) % count;
    },
    take(at) {
      if (completion === null) return;
      const caretNow = area.current!.selectionStart;
      const next = applySuggestion(text, caretNow, completion.from, completion.suggestions[at]!.text);
      sql.text.value = next.text;
      moveTo.current = next.caret;
      caret.value = null;
      area.current?.focus();
    },
  };
}

/** Does what a key of the editor stands for; "left": it stands for nothing, "blur": the editor is to be left. */
function handleKey(event: KeyboardEvent, sql: SqlState, completing: Completing): "done" | "blur" | "left" {
  const { completion, chosen, isPicked } = completing;
  const hasModifier = event.ctrlKey || event.metaKey;
  if (event.key === "Enter" && hasModifier) {
    completing.end();
    sql.run();
    return "done";
  }
  if (completion === null || hasModifier || event.altKey) return event.key === "Escape" ? "blur" : "left";
  if (event.key === "ArrowDown") completing.step(1);
  else if (event.key === "ArrowUp") completing.step(-1);
  else if (event.key === "Tab" || (event.key === "Enter" && isPicked)) completing.take(chosen);
  else if (event.key === "Escape") completing.end();
  else return "left";
  return "done";
}

interface SuggestionsProps {
  completion: Completion;
  chosen: number;
  place: { line: number; column: number };
  scroll: { left: number; top: number };
  onTake: (at: number) => void;
}

function Suggestions({ completion, chosen, place, scroll, onTake }: SuggestionsProps) {
  return (
    <ul
      id="sql-suggestions"
      class="sql-suggestions"
      role="listbox"
      aria-label="Suggestions"
      style={{
        left: `calc(10px + ${place.column}ch - ${scroll.left}px)`,
        top: `calc(8px + ${(place.line + 1) * 1.5}em - ${scroll.top}px)`,
      }}
    >
      {completion.suggestions.map((suggestion, at) => (
        <li
          key={suggestion.text}
          id={`sql-suggestion-${at}`}
          role="option"
          aria-selected={at === chosen}
          // Before the text loses the focus.
          onPointerDown={(event) => {
            event.preventDefault();
            onTake(at);
          }}
        >
          <b>{suggestion.text}</b> <span>{suggestion.about}</span>
        </li>
      ))}
    </ul>
  );
}
