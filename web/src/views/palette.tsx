// Ctrl+K: go to any context, step, capture or command by a few letters of its name.
import { useComputed, useSignal } from "@preact/signals";
import { stripAnsi } from "../lib/ansi";
import { pickBest } from "../lib/fuzzy";
import { showKey } from "../lib/keys";
import type { App } from "../state/app";
import { AnsiText } from "./ansi-text";
import { useApp } from "./app-context";
import { Overlay } from "./overlay";
import { views } from "./registry";

interface Entry {
  /** What is searched: in lower case, without colours. */
  text: string;
  title: string;
  detail: string;
  run: () => void;
}

const kShown = 40;

export function Palette({ onClose }: { onClose: () => void }) {
  const app = useApp();
  const query = useSignal("");
  const chosen = useSignal(0);
  const entries = useComputed(() => listEntries(app));
  const found = useComputed(() => pickBest(query.value, entries.value, kShown));

  const run = (entry: Entry | undefined) => {
    if (entry === undefined) return;
    onClose();
    entry.run();
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      chosen.value = Math.min(Math.max(chosen.value + step, 0), found.value.length - 1);
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
          placeholder="Go to a context, a pass, a command"
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

function listEntries(app: App): Entry[] {
  const entries: Entry[] = [];
  const add = (title: string, detail: string, run: () => void) =>
    entries.push({ text: stripAnsi(title).toLowerCase(), title, detail, run });

  for (const command of app.commands.available.value) {
    if (!command.quiet) add(command.title, command.keys.map(showKey).join(" "), () => app.commands.run(command.id));
  }
  const capture = app.session.capture.value;
  for (const view of views) {
    if (capture !== null && view.suits(capture)) {
      add(`${view.title} view`, "", () => app.place.go({ view: view.id, camera: null }));
    }
  }
  for (const other of app.session.info.value?.captures ?? []) {
    if (other !== capture)
      add(other.name, "capture", () => app.place.go({ capture: other.name, context: null, step: null }));
  }
  const contexts = app.session.contexts.value;
  contexts?.contexts.forEach((context, c) => {
    const goTo = (step: number) => () => app.rewrites.goToStep(c, step);
    add(context.name, "context", goTo(0));
    context.steps.name.forEach((nameIndex, s) => {
      add(`${context.name} › ${contexts.step_names[nameIndex] ?? ""}`, `${context.steps.matches[s]} matches`, goTo(s));
    });
  });
  return entries;
}
