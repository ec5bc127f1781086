// The scope as a condition of SQL on slices (docs/sql.md), and where that goes in a query.
import type { Scope } from "./scope";

const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

/** The tracks that hang on those of which a condition holds, and these themselves. */
const tracksBelow = (condition: string) =>
  "track_id IN (WITH RECURSIVE below(id) AS (\n" +
  `      SELECT id FROM track WHERE ${condition}\n` +
  "      UNION ALL SELECT track.id FROM track JOIN below ON track.parent_id = below.id)\n" +
  "    SELECT id FROM below)";

const isNamed = (value: string) =>
  /^\d+$/.test(value) ? `(number = ${value} OR name = ${quote(value)})` : `name = ${quote(value)}`;

/** What holds of slices that began in the scope; "" for all. Times count from the beginning of the trace, as here. */
export function conditionOfScope({ step, rank, device, range, kernel }: Scope): string {
  const parts: string[] = [];
  if (step !== null) {
    const run = `FROM run WHERE kind = 'step' AND number = ${step}`;
    parts.push(`ts >= (SELECT min(ts) ${run})`, `ts < (SELECT max(ts + dur) ${run})`);
  }
  if (range !== null) {
    parts.push(`ts - TRACE_START() >= ${Math.round(range.from)}`, `ts - TRACE_START() < ${Math.round(range.to)}`);
  }
  if (rank !== null) parts.push(tracksBelow(`type = 'rank' AND ${isNamed(rank)}`));
  if (device !== null) parts.push(tracksBelow(`type = 'device' AND ${isNamed(device)}`));
  if (kernel !== null) parts.push(`name = ${quote(kernel)}`);
  return parts.join("\n  AND ");
}

/** The query with a condition more: before those that it has, else where conditions go. */
export function addCondition(query: string, condition: string): string {
  const text = query.trimEnd().replace(/;$/, "").trimEnd();
  const where = findWord(text, /^where\b/i);
  if (where >= 0) {
    const at = where + "where".length;
    return `${text.slice(0, at)} ${condition}\n  AND ${text.slice(at).trimStart()}`;
  }
  const next = findWord(text, /^(group\s+by|having|window|order\s+by|limit)\b/i);
  const clause = `WHERE ${condition}`;
  if (next < 0) return `${text}\n${clause}`;
  return `${text.slice(0, next).trimEnd()}\n${clause}\n${text.slice(next)}`;
}

/** Where a word stands that is in no parentheses and no quotes; -1 where it does not. */
function findWord(text: string, word: RegExp): number {
  let depth = 0;
  let quoted = "";
  for (let i = 0; i < text.length; i++) {
    const c = text[i]!;
    if (quoted !== "") {
      if (c === quoted) quoted = "";
    } else if (c === "'" || c === '"') quoted = c;
    else if (c === "(") depth++;
    else if (c === ")") depth--;
    else if (depth === 0 && !/\w/.test(text[i - 1] ?? " ") && word.test(text.slice(i))) return i;
  }
  return -1;
}
