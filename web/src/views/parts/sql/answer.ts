// Forms of an answer: values as text, and the chart where it has two columns of numbers.
import type { WireRows, WireValue } from "./wire";

/** The digits of a whole number that a double cannot hold; null for what is none. */
function digitsOf(value: WireValue): string | null {
  if (!Array.isArray(value) || value.length !== 1 || typeof value[0] !== "string") return null;
  return /^-?\d+$/.test(value[0]) ? value[0] : null;
}

/** As it is taken away: exact. */
export function textOfValue(value: WireValue): string | null {
  if (value === null) return null;
  if (!Array.isArray(value)) return String(value);
  return digitsOf(value) ?? `[${value.map((one) => textOfValue(one) ?? "null").join(", ")}]`;
}

export function isNumber(value: WireValue): boolean {
  return typeof value === "number" || digitsOf(value) !== null;
}

/** The nearest double; null for what is no number. */
export function numberOfValue(value: WireValue): number | null {
  const digits = digitsOf(value);
  if (digits !== null) return Number(digits);
  return typeof value === "number" ? value : null;
}

/** Columns that hold numbers, and nothing but them and null. */
export function numberColumns({ columns, rows }: WireRows): number[] {
  return columns.flatMap((_, at) => {
    const isNumeric =
      rows.some((row) => isNumber(row[at]!)) && rows.every((row) => row[at] === null || isNumber(row[at]!));
    return isNumeric ? [at] : [];
  });
}

export interface Chart {
  /** Names of the columns. */
  x: string;
  y: string;
  points: { x: number; y: number; row: number }[];
}

const kLeastPoints = 2;
/** Whether a column of that name holds numbers that count nothing. */
export const isId = (name: string) => /(^|_)id$/i.test(name);

/** Commas between the thousands of a number from 10,000 on, digit by digit: no digit is lost. */
export function groupDigits(text: string): string {
  const parts = /^(-?)(\d{5,})(\.\d+)?$/.exec(text);
  return parts === null ? text : parts[1] + parts[2]!.replace(/\B(?=(\d{3})+$)/g, ",") + (parts[3] ?? "");
}

/** The chart of an answer with two columns of numbers, ids aside: the second over the first. */
export function chartOf(answer: WireRows): Chart | null {
  const numeric = numberColumns(answer).filter((at) => !isId(answer.columns[at]!));
  if (numeric.length !== 2) return null;
  const [x, y] = numeric as [number, number];
  const points = answer.rows.flatMap((row, at) => {
    const [px, py] = [numberOfValue(row[x]!), numberOfValue(row[y]!)];
    return px === null || py === null ? [] : [{ x: px, y: py, row: at }];
  });
  return points.length < kLeastPoints ? null : { x: answer.columns[x]!, y: answer.columns[y]!, points };
}
