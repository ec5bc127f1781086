// The other program of a comparison as it stands in the place: "CAPTURE|INDEX:NAME", or "CAPTURE|same" for the one there
// that has the name of the program on screen, whichever that is.
import { stripAnsi } from "../../lib/ansi";
import { formatNamedIndex, parseNamedIndex, resolveNamedIndex, type NamedIndex } from "../../lib/named-index";
import type { WireContext } from "../../lib/wire";

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

/** The context that made a program, of those the one that is named, or its nearest of that name; null: there is none. */
export function findProgram(contexts: readonly WireContext[], wanted: NamedIndex): number | null {
  const names = contexts.map((context) => (context.program ? stripAnsi(context.name) : "\0"));
  const found = resolveNamedIndex(wanted, names);
  return found !== null && contexts[found]!.program ? found : null;
}
