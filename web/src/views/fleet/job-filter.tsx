// The words that the rows of a table of jobs, ranks or kernels have to hold.
import { formatCount, formatPlural } from "../../lib/text";
import { wordFilter } from "../../lib/word-filter";
import { FilterBox } from "../parts/filter-box";
import type { FleetState } from "./state";

export function JobFilter({ fleet, what }: { fleet: FleetState; what: "jobs" | "ranks" | "kernels" }) {
  return <FilterBox hint={`Filter ${what}`} label={`Filter ${what}`} text={fleet.text.value} onText={fleet.setText} />;
}

export function keepRows<Row>(fleet: FleetState, rows: readonly Row[], textOf: (row: Row) => string): Row[] {
  const isKept = wordFilter(fleet.text.value);
  return rows.filter((row) => isKept(textOf(row)));
}

/** "12 jobs", or "3 of 12 jobs" where the words leave fewer. */
export function sayKept(kept: readonly unknown[], rows: readonly unknown[], one: "job" | "kernel"): string {
  const all = formatPlural(rows.length, one);
  return kept.length < rows.length ? `${formatCount(kept.length)} of ${all}` : all;
}

/** Under a table that the words left empty. */
export function NothingKept({ rows }: { rows: readonly unknown[] }) {
  return rows.length === 0 ? <p class="dim note">Nothing holds all these words.</p> : null;
}
