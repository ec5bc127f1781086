// How the user wants the lanes: which are pinned on top, hidden, moved, which tracks of the tree are folded, which
// names are asked for, and whose rows are thin or whose memory is large. All by key, which is a track's path and what
// of it the box shows, so that it holds for a capture made anew, in the URL and from one visit to the next.

export interface Arrangement {
  /** Boxes that are not as they are at first: large memory and counters, lanes folded by themselves. */
  turned: ReadonlySet<string>;
  /** In the order in which they stand. */
  pinned: readonly string[];
  hidden: ReadonlySet<string>;
  /**
   * Paths of tracks that show a summary of themselves and what stands under them; null while they are as at first
   * (lib/timeline/lanes-at-first.ts).
   */
  folded: ReadonlySet<string> | null;
  /** Boxes that were moved, with all that stood beside them then; others follow as the capture has them. */
  order: readonly string[];
  /** Only boxes with this in their names, or in those of tracks above; "" asks for all. */
  only: string;
}

export const kAsCaptured: Arrangement = {
  turned: new Set(),
  pinned: [],
  hidden: new Set(),
  folded: null,
  order: [],
  only: "",
};

/** A box as the arrangement knows it. */
export interface Arranged {
  key: string;
  /** Its names in the tree, for people to read. */
  title: string;
  /** Paths of the headings that it stands under, the outermost first. */
  above: readonly string[];
}

/** A box, or the heading of a track that others stand under. */
export type Item<T> =
  | { kind: "box"; box: T; depth: number }
  | { kind: "heading"; path: string; depth: number; isFolded: boolean; boxes: readonly T[] };

export interface ArrangedLanes<T> {
  pinned: T[];
  /**
   * As they stand: headings in the order of their first boxes, each before what stands under it; of folded ones nothing
   * does.
   */
  items: Item<T>[];
  /** Left out, by hand and by the filter. */
  hiddenCount: number;
  filteredCount: number;
}

/** foldedAtFirst: the tracks that are folded while nobody has folded any. */
export function arrange<T extends Arranged>(
  boxes: readonly T[],
  wanted: Arrangement,
  foldedAtFirst: ReadonlySet<string> = new Set(),
): ArrangedLanes<T> {
  const shown = boxes.filter((box) => !wanted.hidden.has(box.key));
  const asked = shown.filter((box) => isAskedFor(box, wanted.only));
  const rank = new Map(wanted.order.map((key, i) => [key, i]));
  const rankOf = (box: T) => rank.get(box.key) ?? Infinity;
  // Sorting is stable: those without a rank stay as the capture has them. (Infinity - Infinity is not a number.)
  const sorted = [...asked].sort((a, b) => (rankOf(a) === rankOf(b) ? 0 : rankOf(a) - rankOf(b)));
  const byKey = new Map(sorted.map((box) => [box.key, box]));
  const pinned = wanted.pinned.flatMap((key) => byKey.get(key) ?? []);
  const isPinned = new Set(wanted.pinned);
  return {
    pinned,
    items: listTree(
      sorted.filter((box) => !isPinned.has(box.key)),
      0,
      wanted.folded ?? foldedAtFirst,
    ),
    hiddenCount: boxes.length - shown.length,
    filteredCount: shown.length - asked.length,
  };
}

/** Boxes that stand under the same headings down to a depth. */
function listTree<T extends Arranged>(boxes: readonly T[], depth: number, folded: ReadonlySet<string>): Item<T>[] {
  const groups = new Map<string | T, T[]>(); // by heading; a box that stands under none is a group of its own
  for (const box of boxes) {
    const group = box.above[depth] ?? box;
    const members = groups.get(group);
    if (members === undefined) groups.set(group, [box]);
    else members.push(box);
  }
  return [...groups].flatMap(([group, members]): Item<T>[] => {
    if (typeof group !== "string") return [{ kind: "box", box: group, depth }];
    const isFolded = folded.has(group);
    const heading = { kind: "heading", path: group, depth, isFolded, boxes: members } as const;
    return [heading, ...(isFolded ? [] : listTree(members, depth + 1, folded))];
  });
}

export function isAskedFor(box: Arranged, only: string): boolean {
  return box.title.toLowerCase().includes(only.trim().toLowerCase());
}

export function togglePinned(wanted: Arrangement, key: string): Arrangement {
  const without = wanted.pinned.filter((other) => other !== key);
  return { ...wanted, pinned: without.length < wanted.pinned.length ? without : [...without, key] };
}

export function toggleKey(wanted: Arrangement, set: "turned" | "hidden", key: string): Arrangement {
  const next = new Set(wanted[set]);
  if (!next.delete(key)) next.add(key);
  return { ...wanted, [set]: next };
}

/** Folds a track, or unfolds it; from then on all that are folded are told. */
export function toggleFolded(wanted: Arrangement, foldedAtFirst: ReadonlySet<string>, path: string): Arrangement {
  const folded = new Set(wanted.folded ?? foldedAtFirst);
  if (!folded.delete(path)) folded.add(path);
  return { ...wanted, folded };
}

/**
 * Puts a box before another one, or, without that, last. `keys` are those of all boxes in the order they stand in now.
 */
export function moveBefore(
  wanted: Arrangement,
  keys: readonly string[],
  key: string,
  before: string | null,
): Arrangement {
  if (key === before) return wanted;
  const isPinned = (other: string) => wanted.pinned.includes(other);
  if (isPinned(key) && (before === null || isPinned(before))) {
    return { ...wanted, pinned: putBefore(wanted.pinned, key, before) };
  }
  return { ...wanted, order: putBefore(keys, key, before) };
}

function putBefore(keys: readonly string[], key: string, before: string | null): string[] {
  const others = keys.filter((other) => other !== key);
  const at = before === null ? -1 : others.indexOf(before);
  others.splice(at < 0 ? others.length : at, 0, key);
  return others;
}

const kFields = {
  turned: "lanes",
  pinned: "lanes.pin",
  hidden: "lanes.hide",
  folded: "lanes.fold",
  order: "lanes.order",
} as const;
const kOnly = "lanes.only";

/** Stands for a list of nothing, where the first state is another. */
const kNothing = "|";

/** The fields of a place (lib/place.ts) that hold an arrangement. */
export const kArrangementKeys: readonly string[] = [...Object.values(kFields), kOnly];

/** Parts of the arrangement that are as captured are left out. */
export function formatArrangement(wanted: Arrangement): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [part, field] of Object.entries(kFields)) {
    const keys = wanted[part as keyof typeof kFields];
    if (keys !== null && [...keys].length > 0) fields[field] = [...keys].join("|");
  }
  if (wanted.folded?.size === 0) fields[kFields.folded] = kNothing;
  if (wanted.only !== "") fields[kOnly] = wanted.only;
  return fields;
}

export function parseArrangement(fields: Readonly<Record<string, string>>): Arrangement {
  const keysOf = (field: string) => (fields[field] ?? "").split("|").filter((key) => key !== "");
  return {
    turned: new Set(keysOf(kFields.turned)),
    pinned: [...new Set(keysOf(kFields.pinned))],
    hidden: new Set(keysOf(kFields.hidden)),
    folded: fields[kFields.folded] === undefined ? null : new Set(keysOf(kFields.folded)),
    order: [...new Set(keysOf(kFields.order))],
    only: fields[kOnly] ?? "",
  };
}
