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

/** A frame of a stack of calls. */
export interface StackFrame {
  file: string;
  line: number;
  name: string;
  /** The source line, where it was recorded. */
  code: string | null;
}

/** The fields of an argument whose text is a JSON object; null for any other. */
export function fieldsOf({ value }: EventArgument): [name: string, value: unknown][] | null {
  if (typeof value !== "string" || !value.startsWith("{")) return null;
  try {
    return Object.entries(JSON.parse(value) as object);
  } catch {
    return null;
  }
}

/** A list of [file, line, function, source line], the innermost first, as a stack; null of anything else. */
export function readFrames(value: unknown): StackFrame[] | null {
  if (!Array.isArray(value) || value.length === 0) return null;
  const frames = value.map((frame: unknown): StackFrame | null => {
    const [file, line, name, code] = Array.isArray(frame) ? (frame as unknown[]) : [];
    if (typeof file !== "string" || typeof line !== "number" || typeof name !== "string") return null;
    return { file, line, name, code: typeof code === "string" ? code : null };
  });
  return frames.every((frame) => frame !== null) ? frames : null;
}

/** A field as text: a number in digits, what is no scalar as JSON. */
export function formatField(value: unknown): string {
  if (typeof value === "string") return value;
  return typeof value === "number" ? value.toLocaleString("en-US") : JSON.stringify(value);
}
