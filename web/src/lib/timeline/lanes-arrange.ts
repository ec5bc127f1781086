// How the user wants the lanes: which are pinned on top, hidden, moved, which groups are folded, which names are asked
// for, and whose rows are thin or whose memory is large. All by key, a box's or a group's, so that it holds for a capture
// made anew, in the URL and from one visit to the next.

export interface Arrangement {
  /** Boxes that are not as they are at first: thin rows of events, large memory. */
  turned: ReadonlySet<string>;
  /** In the order in which they stand. */
  pinned: readonly string[];
  hidden: ReadonlySet<string>;
  /** Groups that show nothing but their name. */
  folded: ReadonlySet<string>;
  /** Boxes that were moved, with all that stood beside them then; others follow as the capture has them. */
  order: readonly string[];
  /** Only boxes with this in their group or name; "" asks for all. */
  only: string;
}

export const kAsCaptured: Arrangement = {
  turned: new Set(),
  pinned: [],
  hidden: new Set(),
  folded: new Set(),
  order: [],
  only: "",
};

/** A box as the arrangement knows it. */
export interface Arranged {
  key: string;
  /** "" where it belongs to none. */
  group: string;
}

export interface ArrangedLanes<T> {
  pinned: T[];
  /** In the order of their first members; folded ones with their members, which are not shown. */
  groups: { name: string; isFolded: boolean; members: T[] }[];
  /** Left out, by hand and by the filter. */
  hiddenCount: number;
  filteredCount: number;
}

export function arrange<T extends Arranged>(boxes: readonly T[], wanted: Arrangement): ArrangedLanes<T> {
  const shown = boxes.filter((box) => !wanted.hidden.has(box.key));
  const asked = shown.filter((box) => isAskedFor(box, wanted.only));
  const rank = new Map(wanted.order.map((key, i) => [key, i]));
  const rankOf = (box: T) => rank.get(box.key) ?? Infinity;
  // Sorting is stable: those without a rank stay as the capture has them. (Infinity - Infinity is not a number.)
  const sorted = [...asked].sort((a, b) => (rankOf(a) === rankOf(b) ? 0 : rankOf(a) - rankOf(b)));
  const byKey = new Map(sorted.map((box) => [box.key, box]));
  const pinned = wanted.pinned.flatMap((key) => byKey.get(key) ?? []);
  const groups = new Map<string, T[]>();
  for (const box of sorted) {
    if (wanted.pinned.includes(box.key)) continue;
    const members = groups.get(box.group);
    if (members === undefined) groups.set(box.group, [box]);
    else members.push(box);
  }
  return {
    pinned,
    groups: [...groups].map(([name, members]) => ({ name, isFolded: wanted.folded.has(name), members })),
    hiddenCount: boxes.length - shown.length,
    filteredCount: shown.length - asked.length,
  };
}

export function isAskedFor(box: Arranged, only: string): boolean {
  return `${box.group} ${box.key}`.toLowerCase().includes(only.trim().toLowerCase());
}

export function togglePinned(wanted: Arrangement, key: string): Arrangement {
  const without = wanted.pinned.filter((other) => other !== key);
  return { ...wanted, pinned: without.length < wanted.pinned.length ? without : [...without, key] };
}

export function toggleKey(wanted: Arrangement, set: "turned" | "hidden" | "folded", key: string): Arrangement {
  const next = new Set(wanted[set]);
  if (!next.delete(key)) next.add(key);
  return { ...wanted, [set]: next };
}

/** Puts a box before another one, or, without that, last. `keys` are those of all boxes in the order they stand in now. */
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

/** The fields of a place (lib/place.ts) that hold an arrangement. */
export const kArrangementKeys: readonly string[] = [...Object.values(kFields), kOnly];

/** What is as captured is left out. */
export function formatArrangement(wanted: Arrangement): Record<string, string> {
  const fields: Record<string, string> = {};
  for (const [part, field] of Object.entries(kFields)) {
    const keys = [...wanted[part as keyof typeof kFields]];
    if (keys.length > 0) fields[field] = keys.join("|");
  }
  if (wanted.only !== "") fields[kOnly] = wanted.only;
  return fields;
}

export function parseArrangement(fields: Readonly<Record<string, string>>): Arrangement {
  const keysOf = (field: string) => (fields[field] ?? "").split("|").filter((key) => key !== "");
  return {
    turned: new Set(keysOf(kFields.turned)),
    pinned: [...new Set(keysOf(kFields.pinned))],
    hidden: new Set(keysOf(kFields.hidden)),
    folded: new Set(keysOf(kFields.folded)),
    order: [...new Set(keysOf(kFields.order))],
    only: fields[kOnly] ?? "",
  };
}
