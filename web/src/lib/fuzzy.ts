// Finds the names, of many, that a few letters mean. The words of a query are looked for one by one, in any order. The
// letters of a word must occur in their order; letters that follow one another, and those at the start of a word of the
// name, count for more; among equals the shorter name wins.

/** Higher is better; null where a word of the query is not there. Both texts in lower case. */
export function scoreFuzzy(query: string, name: string): number | null {
  let total = 0;
  for (const word of query.split(" ")) {
    const score = word === "" ? 0 : scoreWord(word, name);
    if (score === null) return null;
    total += score;
  }
  return total;
}

function scoreWord(query: string, name: string): number | null {
  const whole = name.indexOf(query);
  if (whole >= 0) return 1000 - name.length + (isWordStart(name, whole) ? 200 : 0);
  let score = 0;
  let last = -2;
  let from = 0;
  for (const letter of query) {
    const at = name.indexOf(letter, from);
    if (at < 0) return null;
    score += at === last + 1 ? 8 : isWordStart(name, at) ? 6 : 1;
    last = at;
    from = at + 1;
  }
  return score - name.length / 16;
}

function isWordStart(name: string, at: number): boolean {
  return at === 0 || !/[a-z0-9]/.test(name[at - 1]!);
}

export interface Named {
  /** In lower case, without colours. */
  text: string;
}

/** The best of items for a query, best first, in their own order where the query is empty or scores are equal. */
export function pickBest<T extends Named>(query: string, items: Iterable<T>, limit: number): T[] {
  const wanted = query.trim().toLowerCase();
  const found: { item: T; score: number; order: number }[] = [];
  let order = 0;
  for (const item of items) {
    const score = scoreFuzzy(wanted, item.text);
    if (score !== null) found.push({ item, score, order });
    order++;
    if (wanted === "" && found.length === limit) break;
  }
  found.sort((a, b) => b.score - a.score || a.order - b.order);
  return found.slice(0, limit).map((entry) => entry.item);
}
