// What the palette offers: the commands that somebody answers now, views, captures, contexts and their passes.
import { stripAnsi } from "../../lib/ansi";
import { showKey } from "../../lib/keys";
import type { App } from "../app";
import { views } from "../registry";

export interface PaletteEntry {
  /** What is searched: in lower case, without colours. */
  text: string;
  title: string;
  detail: string;
  run: () => void;
}

export function listEntries(app: App): PaletteEntry[] {
  const entries: PaletteEntry[] = [];
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
      add(other.name, "capture", () => app.place.go({ capture: other.name, context: null, pass: null }));
  }
  const contexts = app.session.contexts.value;
  contexts?.contexts.forEach((context, c) => {
    const goTo = (pass: number) => () => app.rewrites.goToPass(c, pass);
    add(context.name, "context", goTo(0));
    context.passes.name.forEach((nameIndex, s) => {
      add(`${context.name} › ${contexts.pass_names[nameIndex] ?? ""}`, `${context.passes.matches[s]} matches`, goTo(s));
    });
  });
  return entries;
}
