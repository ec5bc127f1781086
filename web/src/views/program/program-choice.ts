// The other program of a comparison as it stands in the place: "CAPTURE|INDEX:NAME", or "CAPTURE|same" for the one
// there that has the name of the program on screen, whichever that is.
import { stripAnsi } from "../../lib/ansi";
import { formatNamedIndex, parseNamedIndex, resolveKeyed, type NamedIndex } from "../../lib/named-index";
import type { WireContext } from "../../lib/wire";
import type { App } from "../../state/app";

export interface OtherProgram {
  /** A capture's name. */
  capture: string;
  /** A context of it; null: none is chosen yet. */
  context: NamedIndex | "same" | null;
}

export function formatOther({ capture, context }: OtherProgram): string {
  return `${capture}|${context === null ? "" : context === "same" ? "same" : formatNamedIndex(context)}`;
}

/** null where none is named. */
export function parseOther(text: string | undefined): OtherProgram | null {
  const bar = text?.lastIndexOf("|") ?? -1;
  if (text === undefined || bar < 0) return null;
  const context = text.slice(bar + 1);
  return { capture: text.slice(0, bar), context: context === "same" ? "same" : parseNamedIndex(context) };
}

/**
 * The context that made a program, of those the one that is named, or its nearest of that name; null: there is none.
 */
export function findProgram(contexts: readonly WireContext[], wanted: NamedIndex): number | null {
  const named = contexts.map(({ name, key, program }) => ({ name: program ? stripAnsi(name) : "\0", key }));
  const found = resolveKeyed(wanted, named);
  return found !== null && contexts[found.index]!.program ? found.index : null;
}

/** The context whose program is shown: the place's, or the first that made one; null where none did. Reads signals. */
export function shownContext({ session, chosen }: Pick<App, "session" | "chosen">): number | null {
  const contexts = session.contexts.value?.contexts ?? [];
  const wished = chosen.context.value;
  if (wished !== null && contexts[wished]?.program) return wished;
  const first = contexts.findIndex((context) => context.program);
  return first < 0 ? null : first;
}

/** The program that is shown instead and that no context made, by its number; null: a context's is. Reads signals. */
export function shownAlone({ session, place }: Pick<App, "session" | "place">): number | null {
  const programs = session.contexts.value?.programs ?? [];
  const wished = parseNamedIndex(place.keys.value.program);
  // Who leads here from a thread trace knows the number alone.
  const at = programs.findIndex(
    ({ program, name }) => program === wished?.index && (wished.name === "" || name === wished.name),
  );
  const named = at >= 0 ? at : programs.findIndex(({ name }) => name === wished?.name);
  if (named >= 0) return programs[named]!.program;
  // The only ones there are.
  const hasOthers = session.contexts.value?.contexts.some((context) => context.program) ?? true;
  return hasOthers ? null : (programs[0]?.program ?? null);
}

/** The program, as links name it. */
export function nameAlone(app: Pick<App, "session" | "place">): NamedIndex | null {
  const number = shownAlone(app);
  const name = app.session.contexts.value?.programs.find(({ program }) => program === number)?.name;
  return number === null || name === undefined ? null : { index: number, name };
}
