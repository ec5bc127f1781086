// How many rows a list shows.
import { formatCount, formatPlural } from "../../lib/text";
import type { List } from "../parts/list-view/list";

/** "12 jobs", or "3 of 12 jobs" where the words leave fewer. */
export function sayKept<Row>({ rows, all }: List<Row>, one: "job" | "kernel"): string {
  const whole = formatPlural(all.value.length, one);
  return rows.value.length < all.value.length ? `${formatCount(rows.value.length)} of ${whole}` : whole;
}
