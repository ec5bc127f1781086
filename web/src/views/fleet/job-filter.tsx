// The words that the rows of a table of jobs, ranks or kernels have to hold.
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

/** Under a table that the words left empty. */
export function NothingKept({ rows }: { rows: readonly unknown[] }) {
  return rows.length === 0 ? <p class="dim note">Nothing holds all these words.</p> : null;
}
