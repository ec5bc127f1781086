// Completes what is typed in a query: tables after FROM and JOIN, a table's columns after its name or alias and a
// point, else columns of the tables that the query names, functions and words of SQL.
import type { WireSchema } from "./wire";

export interface Suggestion {
  text: string;
  /** Its kind: a table's or column's line, "table", … */
  about: string;
}

export interface Completion {
  /** Where in the text the word begins that a suggestion replaces; it ends at the caret. */
  from: number;
  suggestions: Suggestion[];
}

const kWords = [
  ...new Set(
    "SELECT FROM WHERE GROUP BY ORDER BY HAVING LIMIT JOIN LEFT JOIN ON USING AS AND OR NOT IN LIKE BETWEEN IS NULL DISTINCT CASE WHEN THEN ELSE END WITH UNION ALL DESC OVER PARTITION BY count sum min max avg round coalesce lag lead".split(
      " ",
    ),
  ),
];
const kMost = 12;

export function completeSql(text: string, caret: number, schema: WireSchema): Completion | null {
  const before = text.slice(0, caret);
  if (isInQuotes(before)) return null;
  const [word = ""] = /[\w.]*$/.exec(before) ?? [];
  const point = word.lastIndexOf(".");
  const typed = word.slice(point + 1);
  const from = caret - typed.length;
  const afterTable = /\b(from|join)\s+$/i.test(before.slice(0, from));
  // The word after a table's name is its alias in the query.
  if (/\b(from|join)\s+\w+\s+(as\s+)?$/i.test(before.slice(0, from)) && typed.length < 3) return null;
  const offered =
    point >= 0
      ? columnsOf(tableCalled(word.slice(0, point), text, schema), schema)
      : afterTable
        ? schema.tables.map(({ name, about }) => ({ text: name, about }))
        : typed === ""
          ? []
          : [...namedColumns(text, schema), ...elsewhere(schema)];
  const suggestions = pickMatching(offered, typed);
  return suggestions.length === 0 ? null : { from, suggestions };
}

function isInQuotes(before: string): boolean {
  const line = before.slice(before.lastIndexOf("\n") + 1);
  if (/--|^\s*\/\//.test(line)) return true;
  return (before.replace(/--.*$/gm, "").match(/'/g) ?? []).length % 2 === 1;
}

/** The aliases of a query: by alias, and by name, the table. */
function tablesNamed(text: string, schema: WireSchema): Map<string, string> {
  const named = new Map<string, string>();
  const known = new Set(schema.tables.map(({ name }) => name));
  // The word after the last column, before FROM, is no alias.
  const names = /\b(?:from|join|,)\s+(\w+)(?:\s+(?:as\s+)?(?!(?:from|join)\b)(\w+))?/gi;
  for (const [, table = "", alias = ""] of text.matchAll(names)) {
    const name = table.toLowerCase();
    if (!known.has(name)) continue;
    named.set(name, name);
    if (alias !== "" && !kWords.includes(alias.toUpperCase())) named.set(alias.toLowerCase(), name);
  }
  return named;
}

function tableCalled(alias: string, text: string, schema: WireSchema): string {
  return tablesNamed(text, schema).get(alias.toLowerCase()) ?? alias.toLowerCase();
}

function columnsOf(table: string, schema: WireSchema): Suggestion[] {
  const found = schema.tables.find(({ name }) => name === table);
  return (found?.columns ?? []).map(({ name, about }) => ({ text: name, about }));
}

function namedColumns(text: string, schema: WireSchema): Suggestion[] {
  const tables = [...new Set(tablesNamed(text, schema).values())];
  return tables.flatMap((table) =>
    columnsOf(table, schema).map((column) => ({ ...column, about: `${table}: ${column.about}` })),
  );
}

function elsewhere(schema: WireSchema): Suggestion[] {
  return [
    ...schema.functions.map(({ call, about }) => ({ text: call.slice(0, call.indexOf("(")), about })),
    ...schema.tables.map(({ name, about }) => ({ text: name, about })),
    ...kWords.map((word) => ({ text: word, about: "" })),
  ];
}

/** Each text once; what is typed already is no suggestion. */
function pickMatching(offered: readonly Suggestion[], typed: string): Suggestion[] {
  const start = typed.toLowerCase();
  const seen = new Set<string>();
  return offered
    .filter(({ text }) => {
      const lower = text.toLowerCase();
      if (!lower.startsWith(start) || lower === start || seen.has(lower)) return false;
      seen.add(lower);
      return true;
    })
    .slice(0, kMost);
}

/** The text with the suggestion in it, and the caret behind that. */
export function applySuggestion(text: string, caret: number, from: number, suggestion: string) {
  return { text: text.slice(0, from) + suggestion + text.slice(caret), caret: from + suggestion.length };
}

/** The caret's line and column, from 0, for what is drawn beside it. */
export function placeOfCaret(text: string, caret: number): { line: number; column: number } {
  const before = text.slice(0, caret).split("\n");
  return { line: before.length - 1, column: before.at(-1)!.length };
}
