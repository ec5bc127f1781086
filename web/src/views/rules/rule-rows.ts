// The table of a capture's rules: rows out of the server's columns, sorted and filtered here, since they are few.
import { nameOfPath } from "../../lib/text";
import type { WireRules } from "../../lib/graph/wire-history";
import { wordFilter } from "../../lib/word-filter";

export interface RuleRow {
  /** Index into the locations of /contexts. */
  location: number;
  /** "symbolic.py:187". */
  name: string;
  file: string;
  line: number;
  code: string;
  matches: number;
  added: number;
  removed: number;
  unchanged: number;
  undone: number;
  undoing: number;
  dur_ns: number | null;
  passes: number;
  contexts: number;
}

/** What rows can be sorted by. */
export const kRuleColumns = [
  "name",
  "matches",
  "added",
  "removed",
  "unchanged",
  "undone",
  "undoing",
  "time",
  "each",
  "passes",
] as const;
export type RuleColumn = (typeof kRuleColumns)[number];

export interface RuleOrder {
  column: RuleColumn;
  descending: boolean;
}

export const kFirstOrder: RuleOrder = { column: "matches", descending: true };

export function listRules({ rules }: WireRules): RuleRow[] {
  return rules.location.map((location, i) => ({
    location,
    name: `${nameOfPath(rules.file[i]!)}:${rules.line[i]}`,
    file: rules.file[i]!,
    line: rules.line[i]!,
    code: (rules.code[i] ?? "").trim(),
    matches: rules.matches[i]!,
    added: rules.added[i]!,
    removed: rules.removed[i]!,
    unchanged: rules.unchanged[i]!,
    undone: rules.undone[i]!,
    undoing: rules.undoing[i]!,
    dur_ns: rules.dur_ns?.[i] ?? null,
    passes: rules.passes[i]!,
    contexts: rules.contexts[i]!,
  }));
}

/** Rows that hold all words of the text in their location or source line, in order; equals stay as they come. */
export function arrangeRules(rows: readonly RuleRow[], text: string, { column, descending }: RuleOrder): RuleRow[] {
  const isKept = wordFilter(text);
  const found = rows.filter((row) => isKept(`${row.file}:${row.line} ${row.code}`));
  const sign = descending ? -1 : 1;
  if (column === "name") {
    return found.sort((a, b) => sign * (a.file.localeCompare(b.file, "en") || a.line - b.line));
  }
  return found.sort((a, b) => sign * (valueOf(a, column) - valueOf(b, column)));
}

/** "matches-" is the most first, "name" from A on. */
export function formatOrder({ column, descending }: RuleOrder): string {
  return `${column}${descending ? "-" : ""}`;
}

export function parseOrder(text: string | undefined): RuleOrder {
  const column = kRuleColumns.find((id) => id === text?.replace(/-$/, ""));
  return column === undefined ? kFirstOrder : { column, descending: text!.endsWith("-") };
}

/** Time of one match, on average. */
export function meanTime_ns(row: RuleRow): number {
  return row.dur_ns === null || row.matches === 0 ? 0 : row.dur_ns / row.matches;
}

function valueOf(row: RuleRow, column: Exclude<RuleColumn, "name">): number {
  if (column === "time") return row.dur_ns ?? 0;
  return column === "each" ? meanTime_ns(row) : row[column];
}
