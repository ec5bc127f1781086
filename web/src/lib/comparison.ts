// Two captures compared: which of them is before and which after, and the answer's verdict in words.
import type { WireComparison, WireVerdict } from "./devices";
import { formatDuration, formatPlural } from "./text";

export interface Pair<T> {
  before: T;
  after: T;
}

/**
 * Before is the one that is asked for, else the first, as on the command line; after is the one that is asked for, else
 * the one on screen, else the first of the others. Null where there are no two.
 */
export function choosePair<T extends { id: string; name: string }>(
  captures: readonly T[],
  shown: string | null,
  wanted: { before: string | undefined; after: string | undefined },
  canBeBoth: (capture: T) => boolean = () => false,
): Pair<T> | null {
  const named = (name: string | undefined) => captures.find((capture) => capture.name === name);
  // One whose parts are compared.
  const both = wanted.before === wanted.after ? named(wanted.before) : undefined;
  const alone = both ?? (captures.length === 1 ? captures[0]! : undefined);
  if (alone !== undefined && canBeBoth(alone)) return { before: alone, after: alone };
  const before = named(wanted.before) ?? captures.find((capture) => capture !== named(wanted.after));
  const others = captures.filter((capture) => capture !== before);
  const after = others.find(({ name }) => name === wanted.after) ?? others.find(({ id }) => id === shown) ?? others[0];
  return before === undefined || after === undefined ? null : { before, after };
}

export type RowState = "added" | "removed" | "changed" | "same";

/** The state of a row as people are told it. */
export function stateOf(row: WireComparison["rows"][number]): RowState {
  if (row.state !== "both") return row.state;
  return row.delta_total_ns === 0 && row.delta_launches === 0 ? "same" : "changed";
}

/** More is slower. */
export type Tone = "slower" | "faster" | "";
export const toneOf = (change_ns: number): Tone => (change_ns > 0 ? "slower" : change_ns < 0 ? "faster" : "");

/** "+1.2 ms", "−3 µs", "±0". */
export function formatChange(ns: number): string {
  if (ns === 0) return "±0";
  return `${ns > 0 ? "+" : "−"}${formatDuration(Math.abs(ns))}`;
}

/** "+6.9 %". */
export const formatPercent = (percent: number) => `${percent >= 0 ? "+" : "−"}${Math.abs(percent).toFixed(1)} %`;

/** How much more or less, of a ratio: "+6.9 %"; "×29" where percents would be hard to read. */
export const formatRatio = (ratio: number) => (ratio >= 10 ? `×${ratio.toFixed(0)}` : formatPercent(100 * (ratio - 1)));

export interface VerdictWords {
  tone: Tone;
  /** "Slower by 6.9 %". */
  head: string;
  /** What was measured, and how surely the change is known. */
  measure: string;
  /** The heading of the rows: idle time is no row's. */
  because: string;
  /** The class that made most of the change, where there is a change: "mostly compute, +0.21 ms". */
  mainly: string;
}

const kClassNames: Readonly<Record<string, string>> = {
  compute: "compute",
  communication: "communication",
  memory: "memory copies",
  idle: "idle",
};
export const nameClass = (name: string) => kClassNames[name] ?? name;

export function sayVerdict(verdict: WireVerdict): VerdictWords {
  const change_ns = verdict.b.dur_ns - verdict.a.dur_ns;
  const percent = (100 * change_ns) / verdict.a.dur_ns;
  const isSame = verdict.word === "same";
  const main = verdict.classes.find(({ is_main }) => is_main);
  return {
    tone: isSame ? "" : toneOf(change_ns),
    head: isSame
      ? `No clear change (${formatPercent(percent)})`
      : `${verdict.word === "slower" ? "Slower" : "Faster"} by ${Math.abs(percent).toFixed(1)} %`,
    measure: [sayMeasure(verdict), sayRange(verdict)].filter((text) => text !== "").join(" · "),
    because: main?.class !== "idle" ? "Because of" : `Rows that got ${verdict.word} (idle time is no row's)`,
    mainly:
      isSame || main === undefined ? "" : `mostly ${nameClass(main.class)}, ${formatChange(main.b_ns - main.a_ns)}`,
  };
}

function sayMeasure({ of, a, b }: WireVerdict): string {
  if (of === "step") {
    if (a.count === 1 && b.count === 1) return "the only step of each";
    const counts = a.count === b.count ? `${formatPlural(a.count, "step")} each` : `${a.count} and ${b.count} steps`;
    return `median step of ${counts}`;
  }
  if (a.count === 1 && b.count === 1) return "from the device's first work to the end of its last";
  return `first work to the end of the last, average of ${a.count} and ${formatPlural(b.count, "device")}`;
}

function sayRange({ of, a, range_ns }: WireVerdict): string {
  if (range_ns === null) return of === "step" ? "too few steps for an interval" : "no steps, so no interval";
  const [from, to] = range_ns.map((ns) => formatPercent((100 * ns) / a.dur_ns));
  return `95 % interval ${from} to ${to}`;
}
