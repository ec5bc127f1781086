// Finds the names, of many, that a few letters mean. The words of a query are looked for one by one, in any order: each
// as a whole word of the name, as the beginning of one, anywhere in it, or at last by its letters in their order. A name
// is found as well as the word that is found worst. Among names found equally well, those that are nearer to where one
// is come first; then those in which letters stand together, or begin words; then the shorter.

export interface Named {
  /** In lower case, without colours. */
  text: string;
  /** Other words that people use for it, in lower case; they are found as whole words, or by their beginnings. */
  words?: string;
  /** How near it is to where one is: a larger number comes first. */
  nearness?: number;
}

interface Found {
  /** How the word that is found worst is found: 3 a whole word, 2 a beginning, 1 inside, 0 by letters. */
  kind: number;
  score: number;
}

/** Null where a word of the query is not there. The query in lower case. */
export function scoreFuzzy(query: string, { text, words = "" }: Named): Found | null {
  const total = { kind: 3, score: 0 };
  for (const word of query.split(" ")) {
    if (word === "") continue;
    const found = scoreWhole(word, text) ?? scoreOther(word, words) ?? scoreLetters(word, text);
    if (found === null) return null;
    total.kind = Math.min(total.kind, found.kind);
    total.score += found.score;
  }
  return total;
}

/** The word as it stands, where it stands best. */
function scoreWhole(word: string, text: string): Found | null {
  let kind = 0;
  for (let at = text.indexOf(word); at >= 0 && kind < 3; at = text.indexOf(word, at + 1)) {
    kind = Math.max(kind, !isWordStart(text, at) ? 1 : isWordStart(text, at + word.length) ? 3 : 2);
  }
  return kind === 0 ? null : { kind, score: 100 - text.length };
}

/** The score of words that only mean the same: a little less than the name's own. */
function scoreOther(word: string, words: string): Found | null {
  const found = scoreWhole(word, words);
  return found === null || found.kind < 2 ? null : { kind: found.kind, score: 0 };
}

function scoreLetters(word: string, text: string): Found | null {
  let score = 0;
  let last = -2;
  let from = 0;
  for (const letter of word) {
    const at = text.indexOf(letter, from);
    if (at < 0) return null;
    score += at === last + 1 ? 8 : isWordStart(text, at) ? 6 : 1;
    last = at;
    from = at + 1;
  }
  return { kind: 0, score: score - text.length / 16 };
}

const isLetter = (c: string) => /[a-z0-9]/.test(c);

/** Whether a word begins there, or has ended. */
function isWordStart(text: string, at: number): boolean {
  return at === 0 || at === text.length || !(isLetter(text[at - 1]!) && isLetter(text[at]!));
}

/** The best of items for a query, best first, in their own order where the query is empty or they are equal. */
export function pickBest<T extends Named>(query: string, items: Iterable<T>, limit: number): T[] {
  const wanted = query.trim().toLowerCase();
  const found: (Found & { item: T; order: number })[] = [];
  let order = 0;
  for (const item of items) {
    const score = scoreFuzzy(wanted, item);
    if (score !== null) found.push({ item, order, ...score });
    order++;
    if (wanted === "" && found.length === limit) break;
  }
  // Letters in order are found nearly everywhere: there, how well they are found says more than nearness.
  const nearness = ({ item, kind }: (typeof found)[number]) => (kind === 0 || wanted === "" ? 0 : (item.nearness ?? 0));
  found.sort((a, b) => b.kind - a.kind || nearness(b) - nearness(a) || b.score - a.score || a.order - b.order);
  return found.slice(0, limit).map(({ item }) => item);
}
