// Words that are near one that was not found: letters left out, put in, changed or swapped, or the beginning of it.

/** How many such changes lead from one word to the other. Cases count; O(length²). */
export function editDistance(a: string, b: string): number {
  let [before, row] = [[] as number[], Array.from({ length: b.length + 1 }, (_, i) => i)];
  let earlier: number[] = [];
  for (let i = 1; i <= a.length; i++) {
    [earlier, before, row] = [before, row, [i]];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      let least = Math.min(before[j]! + 1, row[j - 1]! + 1, before[j - 1]! + change);
      const isSwap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      if (isSwap) least = Math.min(least, earlier[j - 2]! + 1);
      row.push(least);
    }
  }
  return row[b.length]!;
}

const kLongest = 40;

/** The nearest few of the words, the nearest first; none that takes more than a third of the letters to be another. */
export function nearWords(wanted: string, words: Iterable<string>, most: number): string[] {
  const text = wanted.trim().toLowerCase().slice(0, kLongest);
  if (text.length < 2) return [];
  const found: { word: string; distance: number }[] = [];
  for (const word of new Set(words)) {
    const other = word.toLowerCase().slice(0, kLongest);
    const distance = other.startsWith(text) || text.startsWith(other) ? 0.5 : editDistance(text, other);
    if (other.length > 1 && distance <= Math.max(text.length / 3, 1)) found.push({ word, distance });
  }
  found.sort((a, b) => a.distance - b.distance);
  return found.slice(0, most).map(({ word }) => word);
}
