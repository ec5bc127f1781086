// Things known by where they stand in a list and by name, so that they are found again after a reload that added others
// before them.

export interface NamedIndex {
  index: number;
  /** Without colours. */
  name: string;
}

/** "3:E_4". */
export function formatNamedIndex({ index, name }: NamedIndex): string {
  return `${index}:${name}`;
}

export function parseNamedIndex(text: string | undefined): NamedIndex | null {
  const match = /^(\d{1,9})(?::([\s\S]*))?$/.exec(text ?? "");
  return match === null ? null : { index: Number(match[1]), name: match[2] ?? "" };
}

/**
 * Finds what is named in a list of names: at its index, else by name nearest to the index, else null. A place without a
 * name (written by hand) goes by index alone.
 */
export function resolveNamedIndex(wanted: NamedIndex | null, names: readonly string[]): number | null {
  if (wanted === null) return null;
  const { index, name } = wanted;
  if (names[index] === name || (name === "" && index < names.length)) return index;
  let best: number | null = null;
  names.forEach((candidate, i) => {
    if (candidate === name && (best === null || Math.abs(i - index) < Math.abs(best - index))) best = i;
  });
  return best;
}
