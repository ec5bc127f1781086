// Things known by where they stand in a list and by name, and some by a key of what they are, so that they are found
// again after a reload that added others before them.

export interface NamedIndex {
  index: number;
  /** Without colours. */
  name: string;
  /** Eight hexadecimal digits: what it is, whatever it is called and wherever it stands. */
  key?: string | undefined;
}

/** What a list has in one place. */
export type Named = Pick<NamedIndex, "name" | "key">;

/** "3:E_4", or with a key "3:E_4~0a1b2c3d". */
export function formatNamedIndex({ index, name, key }: NamedIndex): string {
  return key === undefined ? `${index}:${name}` : `${index}:${name}~${key}`;
}

export function parseNamedIndex(text: string | undefined): NamedIndex | null {
  const match = /^(\d{1,9})(?::([\s\S]*?)(?:~([0-9a-f]{8}))?)?$/.exec(text ?? "");
  if (match === null) return null;
  const named = { index: Number(match[1]), name: match[2] ?? "" };
  return match[3] === undefined ? named : { ...named, key: match[3] };
}

/**
 * Finds what is named in a list of names: at its index, else by name nearest to the index, else null. A place without a
 * name (written by hand) goes by index alone.
 */
export function resolveNamedIndex(wanted: NamedIndex | null, names: readonly string[]): number | null {
  if (wanted === null) return null;
  const { index, name } = wanted;
  if (names[index] === name || (name === "" && index < names.length)) return index;
  return nearest(index, names, (candidate) => candidate === name);
}

export interface Resolved {
  index: number;
  /** False where what is wanted is gone, and this has only its name. */
  isSame: boolean;
}

/** Finds what is named in a list whose things have keys: by its key, and where that is gone by its name. */
export function resolveKeyed(wanted: NamedIndex | null, list: readonly Named[]): Resolved | null {
  if (wanted === null) return null;
  const { index, name, key } = wanted;
  if (key !== undefined) {
    const same =
      nearest(index, list, (candidate) => candidate.key === key && candidate.name === name) ??
      nearest(index, list, (candidate) => candidate.key === key);
    if (same !== null) return { index: same, isSame: true };
  }
  const names = list.map((candidate) => candidate.name);
  const byName = resolveNamedIndex(wanted, names);
  // What has no keys, as in a capture of a compiler that tells no kernels, is known by its name alone.
  return byName === null ? null : { index: byName, isSame: key === undefined || list[byName]?.key === undefined };
}

function nearest<T>(index: number, list: readonly T[], isIt: (candidate: T) => boolean): number | null {
  let best: number | null = null;
  list.forEach((candidate, i) => {
    if (isIt(candidate) && (best === null || Math.abs(i - index) < Math.abs(best - index))) best = i;
  });
  return best;
}
