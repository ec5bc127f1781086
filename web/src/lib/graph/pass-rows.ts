// The rows of the list of contexts and passes: a tree of two levels, where a context is open or a filter finds passes
// in it. Rows are plain data, made anew when something opens: tens of thousands cost a few milliseconds.
import { stripAnsi } from "../ansi";
import type { WireContexts, WireRewriteError } from "../wire";

export interface PassRow {
  context: number;
  /** -1: the row of the context itself. */
  pass: number;
  /** With colours. */
  name: string;
  /** 0 for contexts, 1 and more for passes, by how deep they run inside others. */
  level: number;
  matches: number;
  /** Matches that raised: of a context, in any of its passes. */
  errors: readonly WireRewriteError[];
  isOpen: boolean;
}

/** The text that the filter compares, made once a capture. */
export interface SearchNames {
  contexts: string[];
  passes: string[];
}

export function nameForSearch(contexts: WireContexts): SearchNames {
  return {
    contexts: contexts.contexts.map((context) => stripAnsi(context.name).toLowerCase()),
    passes: contexts.pass_names.map((name) => stripAnsi(name).toLowerCase()),
  };
}

/**
 * The rows to show. Words of the filter are searched apart, all must occur in the context's name and the pass's
 * together; a context that has them all by itself shows all its passes when it is open.
 */
export function listRows(
  contexts: WireContexts,
  names: SearchNames,
  filter: string,
  isOpen: (context: number) => boolean,
): PassRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: PassRow[] = [];
  contexts.contexts.forEach((context, c) => {
    const missing = words.filter((word) => !names.contexts[c]!.includes(word));
    const { name, depth, matches } = context.passes;
    const found: number[] = [];
    name.forEach((n, s) => {
      if (missing.every((word) => names.passes[n]?.includes(word))) found.push(s);
    });
    if (missing.length > 0 && found.length === 0) return;
    const open = missing.length > 0 || isOpen(c);
    const total = matches.reduce((sum, n) => sum + n, 0);
    const errors = context.errors ?? [];
    rows.push({ context: c, pass: -1, name: context.name, level: 0, matches: total, errors, isOpen: open });
    if (!open) return;
    for (const s of found) {
      const passName = contexts.pass_names[name[s]!] ?? "";
      rows.push({
        context: c,
        pass: s,
        name: passName,
        level: 1 + depth[s]!,
        matches: matches[s]!,
        errors: errors.filter((error) => error.pass === s),
        isOpen: false,
      });
    }
  });
  return rows;
}

/**
 * The row of a context (pass null) or pass; of a pass that is folded away, its context's. -1 where neither is shown.
 */
export function findRow(rows: readonly PassRow[], context: number | null, pass: number | null): number {
  const exact = rows.findIndex((row) => row.context === context && row.pass === (pass ?? -1));
  return exact >= 0 ? exact : rows.findIndex((row) => row.context === context && row.pass === -1);
}

/** How long the bar beside a count is, 0 to 1: by its logarithm, since passes differ by thousands. */
export function barOf(matches: number, most: number): number {
  return matches <= 0 || most <= 0 ? 0 : Math.log1p(matches) / Math.log1p(most);
}
