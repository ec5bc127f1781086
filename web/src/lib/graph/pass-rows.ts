// The rows of the list of contexts and passes: a tree, where a context is open or a filter finds passes in it. A pass
// holds those that ran inside it, by depth; passes next to one another without any match stand in one row together.
// Rows are plain data, made anew when something opens: tens of thousands cost a few milliseconds.
import { stripAnsi } from "../ansi";
import type { WireContext, WireContexts, WireRewriteError } from "../wire";

export interface PassRow {
  context: number;
  /** -1: the row of the context itself. */
  pass: number;
  /** For a row of passes without a match: how many, from this one on; 0 for others. */
  quiet: number;
  /** With colours. */
  name: string;
  /** 0 for contexts, 1 and more for passes, by how deep they run inside others. */
  level: number;
  matches: number;
  /** Passes that run inside it, at any depth: of a pass that can be folded; 0 of others. */
  inside: number;
  /** The matches of those. */
  matchesInside: number;
  /** Matches that raised: of a context, in any of its passes. */
  errors: readonly WireRewriteError[];
  /** Null where there is nothing to unfold. */
  isOpen: boolean | null;
}

/** What is open, by openKey. */
export type IsOpen = (key: string) => boolean;

/** What opens and folds a row: a context (pass -1), a pass with those inside it, or passes without a match. */
export const openKey = ({ context, pass, quiet }: Pick<PassRow, "context" | "pass" | "quiet">): string =>
  `${context}.${pass}${quiet > 0 ? ".quiet" : ""}`;

/** So many passes next to one another without a match are worth a row of their own. */
const kFewest = 3;

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
 * together; a context that has them all by itself shows its passes when it is open. Where a filter chooses passes,
 * each that is found stands by itself, and nothing is folded.
 */
export function listRows(contexts: WireContexts, names: SearchNames, filter: string, isOpen: IsOpen): PassRow[] {
  const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
  const rows: PassRow[] = [];
  contexts.contexts.forEach((context, c) => {
    const missing = words.filter((word) => !names.contexts[c]!.includes(word));
    const found = findPasses(context, names, missing);
    if (missing.length > 0 && found.length === 0) return;
    const isFiltered = missing.length > 0;
    const own = contextRow(context, c, isFiltered || isOpen(openKey({ context: c, pass: -1, quiet: 0 })));
    rows.push(own);
    if (own.isOpen !== true) return;
    const list = new PassLister(contexts, c, isFiltered ? () => true : isOpen, rows);
    if (isFiltered) found.forEach((pass) => list.addPass(pass, 0));
    else list.addRange(0, context.passes.name.length);
  });
  return rows;
}

function findPasses({ passes }: WireContext, names: SearchNames, missing: readonly string[]): number[] {
  const found: number[] = [];
  passes.name.forEach((n, s) => {
    if (missing.every((word) => names.passes[n]?.includes(word))) found.push(s);
  });
  return found;
}

function contextRow({ name, passes, errors = [] }: WireContext, context: number, isOpen: boolean): PassRow {
  const matches = passes.matches.reduce((sum, n) => sum + n, 0);
  return { context, pass: -1, quiet: 0, name, level: 0, matches, inside: 0, matchesInside: 0, errors, isOpen };
}

/** Adds the rows of one context's passes. */
class PassLister {
  readonly #context: WireContext;

  constructor(
    readonly contexts: WireContexts,
    readonly number: number,
    readonly isOpen: IsOpen,
    readonly rows: PassRow[],
  ) {
    this.#context = contexts.contexts[number]!;
  }

  /** Adds the passes from first up to end, which begin at one depth: each with what is inside it. */
  addRange(first: number, end: number): void {
    for (let pass = first; pass < end;) {
      const [until, count] = this.#quietUntil(pass, end);
      if (count >= kFewest) this.#addQuiet(pass, until, count);
      else this.#addTree(pass);
      pass = count >= kFewest ? until : endOfPass(this.#context, pass);
    }
  }

  addPass(pass: number, inside: number): PassRow {
    const { passes, errors = [] } = this.#context;
    const row: PassRow = {
      context: this.number,
      pass,
      quiet: 0,
      name: this.contexts.pass_names[passes.name[pass]!] ?? "",
      level: 1 + passes.depth[pass]!,
      matches: passes.matches[pass]!,
      inside,
      matchesInside: passes.matches.slice(pass + 1, pass + 1 + inside).reduce((sum, n) => sum + n, 0),
      errors: errors.filter((error) => error.pass === pass),
      isOpen: null,
    };
    if (inside > 0) row.isOpen = this.isOpen(openKey(row));
    this.rows.push(row);
    return row;
  }

  #addTree(pass: number): void {
    const end = endOfPass(this.#context, pass);
    if (this.addPass(pass, end - pass - 1).isOpen === true) this.addRange(pass + 1, end);
  }

  #addQuiet(pass: number, end: number, quiet: number): void {
    const row: PassRow = {
      ...{ context: this.number, pass, quiet, name: `${quiet} passes without a match` },
      ...{ level: 1 + this.#context.passes.depth[pass]!, matches: 0, inside: 0, matchesInside: 0 },
      ...{ errors: [], isOpen: null },
    };
    row.isOpen = this.isOpen(openKey(row));
    this.rows.push(row);
    for (let at = pass; row.isOpen && at < end; at = endOfPass(this.#context, at)) this.#addTree(at);
  }

  /** Where the passes from here on end that have no match, and none inside them; and how many they are. */
  #quietUntil(pass: number, end: number): [until: number, count: number] {
    let [at, count] = [pass, 0];
    while (at < end && this.#isQuiet(at)) {
      at = endOfPass(this.#context, at);
      count++;
    }
    return [at, count];
  }

  #isQuiet(pass: number): boolean {
    const { passes, errors = [] } = this.#context;
    const end = endOfPass(this.#context, pass);
    for (let at = pass; at < end; at++) if (passes.matches[at]! > 0) return false;
    return !errors.some((error) => error.pass >= pass && error.pass < end);
  }
}

/** The first pass after it that does not run inside it. */
function endOfPass({ passes: { depth } }: WireContext, pass: number): number {
  let end = pass + 1;
  while (end < depth.length && depth[end]! > depth[pass]!) end++;
  return end;
}

/** All that is to be open for a pass to have a row: its context, those that it runs inside of, its quiet neighbours. */
export function openKeysOf(contexts: WireContexts, context: number, pass: number | null): string[] {
  const keys = [openKey({ context, pass: -1, quiet: 0 })];
  const of = contexts.contexts[context];
  if (pass === null || of === undefined || pass >= of.passes.name.length) return keys;
  const rows: PassRow[] = [];
  new PassLister(contexts, context, () => true, rows).addRange(0, of.passes.name.length);
  for (const row of rows) {
    const end = row.pass + 1 + row.inside;
    if (row.inside > 0 && row.pass < pass && pass < end) keys.push(openKey(row));
    if (row.quiet > 0 && row.pass <= pass && pass < endOfQuiet(of, row)) keys.push(openKey(row));
  }
  return keys;
}

function endOfQuiet(of: WireContext, { pass, quiet }: PassRow): number {
  let end = pass;
  for (let i = 0; i < quiet; i++) end = endOfPass(of, end);
  return end;
}

/** The row at that place, where it can be folded, or else the nearest one that holds it. */
export function findFolder(rows: readonly PassRow[], at: number): PassRow | undefined {
  const level = rows[at]?.level ?? 0;
  for (let i = at; i >= 0; i--) {
    const row = rows[i]!;
    if (row.isOpen !== null && (i === at || row.level < level)) return row;
  }
  return undefined;
}

/**
 * The row of a context (pass null) or pass; of a pass that is folded away, that of what it is folded into. -1 where
 * none is shown.
 */
export function findRow(rows: readonly PassRow[], context: number | null, pass: number | null): number {
  const isOf = (row: PassRow) => row.context === context && row.quiet === 0 && row.pass === (pass ?? -1);
  const exact = rows.findIndex(isOf);
  // Falls back to the last row before it: passes are in order, and what holds a pass comes before it.
  return exact >= 0 ? exact : rows.findLastIndex((row) => row.context === context && row.pass <= (pass ?? -1));
}

/** How long the bar beside a count is, 0 to 1: by its logarithm, since passes differ by thousands. */
export function barOf(matches: number, most: number): number {
  return matches <= 0 || most <= 0 ? 0 : Math.log1p(matches) / Math.log1p(most);
}
