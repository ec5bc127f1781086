// Ctrl+K: go to any context, pass, capture or command by a few letters of its name.
import { useComputed, useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { pickBest } from "../../lib/fuzzy";
import { AnsiText } from "../parts/ansi-text";
import { useApp } from "../parts/app-context";
import { Overlay } from "../parts/overlay";
import { fetchEntries, listEntries, listNamed, listSearches } from "./palette-entries";
import type { PaletteEntry } from "../view";

const kShown = 40;

export function Palette({ onClose }: { onClose: () => void }) {
  const app = useApp();
  const query = useSignal("");
  const chosen = useSignal(0);
  const fetched = useSignal<readonly PaletteEntry[]>([]);
  useEffect(() => {
    let isOpen = true;
    void fetchEntries(app).then((found) => isOpen && (fetched.value = found));
    return () => (isOpen = false);
  }, [app, fetched]);
  const entries = useComputed(() => listEntries(app, fetched.value));
  const found = useComputed<PaletteEntry[]>(() => [
    ...listNamed(app, query.value),
    ...listSearches(app, query.value.trim()),
    ...pickBest(nameLine(query.value), entries.value, kShown),
  ]);

  const run = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0) {
      chosen.value = Math.min(Math.max(chosen.value + by, 0), found.value.length - 1);
      event.preventDefault();
    } else if (event.key === "Enter") {
      run(found.value[chosen.value]);
      event.preventDefault();
    }
  };
  return (
    <Overlay label="Go to" onClose={onClose}>
      <div class="palette">
        <input
          type="text"
          placeholder="Go to a context, pass, rule, program, lane, event, file:line, id or command"
          aria-label="Go to"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={`palette-${chosen.value}`}
          autofocus
          spellcheck={false}
          onInput={(event) => {
            query.value = event.currentTarget.value;
            chosen.value = 0;
          }}
          onKeyDown={onKeyDown}
        />
        <ul id="palette-list" role="listbox">
          {found.value.map((entry, i) => (
            <li
              key={i}
              id={`palette-${i}`}
              role="option"
              aria-selected={i === chosen.value}
              ref={i === chosen.value ? scrollIntoView : null}
              onClick={() => run(entry)}
            >
              <span class="palette-title">
                <AnsiText text={entry.title} />
              </span>
              <span class="dim">{entry.detail}</span>
            </li>
          ))}
          {found.value.length === 0 && <li class="dim">Nothing has these letters in this order.</li>}
        </ul>
      </div>
    </Overlay>
  );
}

function scrollIntoView(element: HTMLElement | null): void {
  element?.scrollIntoView({ block: "nearest" });
}

/** A line of source is known by its file's name: a path pasted from elsewhere may be another machine's. */
function nameLine(query: string): string {
  return /[^\s/\\]+:\d+$/.exec(query.trim())?.[0] ?? query;
}
