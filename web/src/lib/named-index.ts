// Things known by where they stand in a list and by name, and contexts and their passes by a key of what they are, so
// that they are found again after a reload that added others before them.
import { stripAnsi } from "./ansi";
import type { WireContext, WireContexts } from "./wire";

export interface NamedIndex {
  index: number;
  /** Without colours. */
  name: string;
  /** Eight hexadecimal digits, of a pass four: what it is, whatever it is called and wherever it stands. */
  key?: string | undefined;
}

/** What a list has in one place. */
export type Named = Pick<NamedIndex, "name" | "key">;

/** "3:E_4", or with a key "3:E_4~0a1b2c3d". */
export function formatNamedIndex({ index, name, key }: NamedIndex): string {
  return key === undefined ? `${index}:${name}` : `${index}:${name}~${key}`;
}

export function parseNamedIndex(text: string | undefined): NamedIndex | null {
  const match = /^(\d{1,9})(?::([\s\S]*?)(?:~([0-9a-f]{8}|[0-9a-f]{4}))?)?$/.exec(text ?? "");
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

/** The contexts of a capture. */
export function listContexts(contexts: WireContexts | null): Named[] {
  return contexts?.contexts.map(({ name, key }) => ({ name: stripAnsi(name), key })) ?? [];
}

/** The passes of one of them. */
export function listPasses(contexts: WireContexts, { passes }: WireContext): Named[] {
  return passes.name.map((name, i) => ({
    name: stripAnsi(contexts.pass_names[name] ?? ""),
    key: passes.key?.[i]?.toString(16).padStart(4, "0"),
  }));
}

/**
 * Finds a pass among those of its context: by its key of those of its name; else by its name, which is the same where no
 * other has it, and only began with another graph than it did; else by its key alone, since passes that change nothing
 * share theirs with the next.
 */
export function resolvePass(wanted: NamedIndex | null, passes: readonly Named[]): Resolved | null {
  if (wanted === null) return null;
  const { index, name, key } = wanted;
  const same = nearest(index, passes, (pass) => key !== undefined && pass.key === key && pass.name === name);
  if (same !== null) return { index: same, isSame: true };
  const byName = resolveNamedIndex(
    wanted,
    passes.map((pass) => pass.name),
  );
  if (byName !== null) {
    const isAlone = passes.filter((pass) => pass.name === name).length === 1;
    return { index: byName, isSame: isAlone || key === undefined || passes[byName]!.key === undefined };
  }
  const renamed = nearest(index, passes, (pass) => key !== undefined && pass.key === key);
  return renamed === null ? null : { index: renamed, isSame: true };
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
