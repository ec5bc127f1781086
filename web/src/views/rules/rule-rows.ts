// The rows of a capture's rules, out of the server's columns.
import { nameOfPath } from "../../lib/text";
import type { WireRules } from "../../lib/graph/wire-history";
import type { ListOrder } from "../../lib/list-order";

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

export const kFirstOrder: ListOrder = { column: "matches", descending: true };

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

/** The text that a filter's words are looked for in. */
export const textOfRule = ({ file, line, code }: RuleRow) => `${file}:${line} ${code}`;

/** The time of a match, on average. */
export function meanTime_ns(row: RuleRow): number {
  return row.dur_ns === null || row.matches === 0 ? 0 : row.dur_ns / row.matches;
}
