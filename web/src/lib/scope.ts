// Scope: the part of the devices' work that figures are of: a step, a rank, a device, a stretch of time, a kernel. Each
// part is a key of the URL by itself, and a parameter of the server's answers.
import { stripAnsi } from "./ansi";
import type { FileValue, KernelGroup, WireKernel } from "./devices";
import type { KeyChange, Keys, Link } from "./place";
import { formatMoment, formatRange, parseRange, type TimeRange } from "./time";

export interface Scope {
  /** The step's number, the same on all ranks. */
  step: number | null;
  /** As rows about devices tell them. */
  rank: string | null;
  device: string | null;
  /** In nanoseconds from the profile's start. */
  range: TimeRange | null;
  /** A kernel's name, without colours. */
  kernel: string | null;
}

export type ScopePart = keyof Scope;

/** In the order of the chips. */
export const kScopeParts = ["step", "rank", "device", "range", "kernel"] as const satisfies readonly ScopePart[];
export const kNoScope: Scope = { step: null, rank: null, device: null, range: null, kernel: null };

const keyOf = (part: ScopePart) => `scope.${part}`;

/** Parts that make no sense are none. */
export function parseScope(keys: Keys): Scope {
  const text = (part: ScopePart) => keys[keyOf(part)] || null;
  const step = /^-?\d{1,15}$/.test(text("step") ?? "") ? Number(text("step")) : null;
  return {
    step,
    rank: text("rank"),
    device: text("device"),
    range: parseRange(text("range") ?? undefined),
    kernel: text("kernel"),
  };
}

/** The keys of the URL that a change of the scope changes. */
export function formatScope(change: Partial<Scope>): KeyChange {
  const keys: Record<string, string | null> = {};
  for (const part of kScopeParts) {
    const value = change[part];
    if (value === undefined) continue;
    keys[keyOf(part)] = value === null ? null : typeof value === "object" ? formatRange(value) : String(value);
  }
  return keys;
}

/** The parts of a scope that a row about devices names. */
export const scopeOfDevice = (row: { rank: FileValue; device?: FileValue }): Partial<Scope> => ({
  ...(row.rank === null ? {} : { rank: String(row.rank) }),
  ...(row.device == null ? {} : { device: String(row.device) }),
});

/** The same of a row of kernels, by what they are added up; null where a scope has no such part. */
export function scopeOfKernel(row: WireKernel, group: KernelGroup): Partial<Scope> | null {
  if (group === "name") return { kernel: stripAnsi(row.name ?? "") };
  if (group === "device") return scopeOfDevice(row);
  if (group === "rank") return row.rank === null ? null : scopeOfDevice({ rank: row.rank });
  return null;
}

/** A link that also sets parts of the scope; those that it does not name stay. */
export const linkWithScope = (link: Link, change: Partial<Scope>): Link => ({
  ...link,
  keys: { ...link.keys, ...formatScope(change) },
});

/** The server's parameters, each with its "&"; "" for all. */
export function queryOfScope({ step, rank, device, range, kernel }: Scope): string {
  const fields: string[] = [];
  if (step !== null) fields.push(`step=${step}`);
  if (rank !== null) fields.push(`rank=${encodeURIComponent(rank)}`);
  if (device !== null) fields.push(`device=${encodeURIComponent(device)}`);
  if (range !== null) fields.push(`from=${Math.round(range.from)}`, `to=${Math.round(range.to)}`);
  if (kernel !== null) fields.push(`kernel=${encodeURIComponent(kernel)}`);
  return fields.map((field) => `&${field}`).join("");
}

/** Adds the parameters to a path of the server. */
export function pathInScope(path: string, query: string): string {
  return query === "" || path.includes("?") ? path + query : `${path}?${query.slice(1)}`;
}

/** A part in words: what its chip says. */
export function sayPart(scope: Scope, part: ScopePart): string {
  switch (part) {
    case "step":
      return `step ${scope.step}`;
    case "rank":
      return `rank ${scope.rank}`;
    case "device":
      return /^\d+$/.test(scope.device ?? "") ? `GPU ${scope.device}` : String(scope.device);
    case "range":
      return scope.range === null ? "" : `${formatMoment(scope.range.from)} … ${formatMoment(scope.range.to)}`;
    case "kernel":
      return scope.kernel ?? "";
  }
}

/** The parts that are chosen, in the order of the chips. */
export const listParts = (scope: Scope): ScopePart[] => kScopeParts.filter((part) => scope[part] !== null);

/** "step 12, rank 3"; "" for all. */
export const sayScope = (scope: Scope): string =>
  listParts(scope)
    .map((part) => sayPart(scope, part))
    .join(", ");

/** The part that was chosen last, which Escape takes away; null where there is none. */
export function lastPart(scope: Scope, keys: Keys): ScopePart | null {
  // The URL's keys stand in the order in which they were set.
  const order = Object.keys(keys);
  const chosen = listParts(scope).sort((a, b) => order.indexOf(keyOf(a)) - order.indexOf(keyOf(b)));
  return chosen.at(-1) ?? null;
}
