// Arguments of events as text: a number with its unit, and how fast an event was by the work that its arguments tell.
import { formatBytes } from "../bytes";
import type { EventArgument, EventDetail } from "./events";

const kPrefixes = ["", "k", "M", "G", "T", "P", "E"];

/** "12.3 GFLOP": at most three digits before a prefix of a thousand each. */
export function formatQuantity(value: number, unit: string): string {
  let size = Math.abs(value);
  let prefix = 0;
  while (size >= 999.5 && prefix + 1 < kPrefixes.length) {
    size /= 1000;
    prefix++;
  }
  const digits = size >= 100 || (prefix === 0 && Number.isInteger(value)) ? 0 : size >= 10 ? 1 : 2;
  return `${value < 0 ? "-" : ""}${size.toFixed(digits)} ${kPrefixes[prefix]}${unit}`.trimEnd();
}

export function formatArgument({ unit, value }: EventArgument): string {
  if (typeof value === "string") return value;
  if (unit === "B") return formatBytes(value);
  if (unit === "") return Number.isInteger(value) ? value.toLocaleString("en-US") : String(value);
  return formatQuantity(value, unit);
}

/** The rates of arguments that count work, operations or bytes: how much of each in a second. */
export function ratesOf(detail: EventDetail | null): (readonly [name: string, text: string])[] {
  if (detail === null || detail.item.kind !== "span") return [];
  const dur_s = (detail.item.dur + detail.item.dur_ps / 1000) / 1e9;
  if (dur_s <= 0) return [];
  return detail.arguments.flatMap(({ name, unit, value }) =>
    typeof value === "number" && (unit === "FLOP" || unit === "B")
      ? [[unit === "FLOP" ? "of arithmetic" : `of ${name}`, formatQuantity(value / dur_s, `${unit}/s`)] as const]
      : [],
  );
}
