// Parts of the profile's time that the capture names: iterations, steps, calls.
import type { Scope } from "../scope";
import { spanOf, type TimeRange } from "../time";

export interface Run extends TimeRange {
  /** "step", "iteration", "call", … */
  kind: string;
  name: string;
  number: number;
}

/** Runs of this kind are the steps that the server knows by number. */
const kStepKind = "step";

/** Kinds shown, a row each: one may lie inside another's. */
const kMostKinds = 3;

/** The kinds of runs, those with the longest runs first, as inner ones lie in outer ones. */
export function listRunKinds(runs: readonly Run[]): string[] {
  const longest = new Map<string, number>();
  for (const { kind, from, to } of runs) longest.set(kind, Math.max(longest.get(kind) ?? 0, to - from));
  return [...longest]
    .sort(([, a], [, b]) => b - a)
    .slice(0, kMostKinds)
    .map(([kind]) => kind);
}

/** By kind the runs of a row, by time. */
export function rowsOfRuns(runs: readonly Run[]): Run[][] {
  return listRunKinds(runs).map((kind) => runs.filter((run) => run.kind === kind).sort((a, b) => a.from - b.from));
}

/**
 * The run of the innermost kind after the one that fills the view, or before it (by: -1); where none does, the first of
 * those in view, or the last. Null where there is none.
 */
export function stepRun(runs: readonly Run[], view: TimeRange, by: 1 | -1): Run | null {
  const row = rowsOfRuns(runs).at(-1) ?? [];
  const middle = (view.from + view.to) / 2;
  const now = row.findIndex((run) => run.from <= middle && middle < run.to && spanOf(view) <= 2 * spanOf(run));
  if (now >= 0) return row[now + by] ?? null;
  return (by > 0 ? row.find((run) => run.to > view.from) : row.findLast((run) => run.from < view.to)) ?? null;
}

/**
 * The time that a scope is of: its step, from the first rank's beginning to the last one's end, and its range. Null
 * where it names neither, or a step that is not here.
 */
export function timeOfScope(runs: readonly Run[], { step, range }: Pick<Scope, "step" | "range">): TimeRange | null {
  const steps = step === null ? [] : runs.filter((run) => run.kind === kStepKind && run.number === step);
  if (steps.length === 0) return range;
  const from = Math.max(Math.min(...steps.map((run) => run.from)), range?.from ?? -Infinity);
  const to = Math.min(Math.max(...steps.map((run) => run.to)), range?.to ?? Infinity);
  return { from, to: Math.max(from, to) };
}

/** The scope of a run alone. */
export function scopeOfRun({ kind, number, from, to }: Run): Pick<Scope, "step" | "range"> {
  return kind === kStepKind ? { step: number, range: null } : { step: null, range: { from, to } };
}

export function titleOfRun({ kind, name, number }: Run): string {
  return name !== "" ? name : `${kind} ${number}`;
}
