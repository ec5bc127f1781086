// What is made of an answer: values as text, links of rows, the chart where it has two columns of numbers.
import { linkToEvent, linkToPass, linkToProgram, linkToProgramAlone, linkToRule } from "../../lib/links";
import type { Link } from "../../lib/place";
import { formatRange } from "../../lib/time";
import type { WireAnswer, WireLink, WireValue } from "./wire";

/** As it is taken away: exact. */
export function textOfValue(value: WireValue): string | null {
  if (value === null) return null;
  return Array.isArray(value) ? value[0] : String(value);
}

export function isNumber(value: WireValue): boolean {
  return typeof value === "number" || Array.isArray(value);
}

/** The nearest double; null for what is no number. */
export function numberOfValue(value: WireValue): number | null {
  if (Array.isArray(value)) return Number(value[0]);
  return typeof value === "number" ? value : null;
}

/** Columns that hold numbers, and nothing but them and null. */
export function numberColumns({ columns, rows }: WireAnswer): number[] {
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

/** Of answers with two columns of numbers, ids aside: the second over the first. */
export function chartOf(answer: WireAnswer): Chart | null {
  const numeric = numberColumns(answer).filter((at) => !isId(answer.columns[at]!));
  if (numeric.length !== 2) return null;
  const [x, y] = numeric as [number, number];
  const points = answer.rows.flatMap((row, at) => {
    const [px, py] = [numberOfValue(row[x]!), numberOfValue(row[y]!)];
    return px === null || py === null ? [] : [{ x: px, y: py, row: at }];
  });
  return points.length < kLeastPoints ? null : { x: answer.columns[x]!, y: answer.columns[y]!, points };
}

/** Where the row leads; born: the state that its node is first in, where the answer has that. */
export function linkOfRow(link: WireLink | null, born: WireValue = null): Link | null {
  if (link === null) return null;
  const named = ([index, name]: [number, string]) => ({ index, name });
  if ("slice" in link) return linkToEvent(link.slice);
  if ("rule" in link) return linkToRule([...link.rule, null]);
  if ("program" in link) return linkToProgramAlone(named(link.program));
  if ("program_of" in link) return linkToProgram(named(link.program_of));
  if ("time" in link) return linkToTime(link.time);
  const match = link.match ?? (link.node === undefined ? 0 : (numberOfValue(born) ?? 0));
  const pass = linkToPass(named(link.context), link.pass === undefined ? null : named(link.pass), match);
  return link.node === undefined ? pass : { ...pass, keys: { ...pass.keys, node: String(link.node) } };
}

/** With as much room at either side; an instant with a microsecond. */
function linkToTime([from, to]: [number, number]): Link {
  const room_ns = Math.max(to - from, 1000);
  return { view: "timeline", keys: { time: formatRange({ from: from - room_ns, to: to + room_ns }) } };
}

/** What a link's kind is called, for the row's title. */
export function nameOfLink(link: WireLink): string {
  if ("slice" in link) return "the event on the timeline";
  if ("rule" in link) return "the rule";
  if ("program" in link || "program_of" in link) return "the program";
  if ("time" in link) return "the time on the timeline";
  if (link.node !== undefined) return "the node";
  if (link.match !== undefined) return "the match";
  return link.pass === undefined ? "the context" : "the pass";
}
