// The rows of the list of programs: each with the figures of its executions, found by words and in the order asked for.
import { stripAnsi } from "../../lib/ansi";
import type { WireFigures } from "../../lib/executions";
import type { WireContext, WireContexts } from "../../lib/wire";
import { wordFilter } from "../../lib/word-filter";

/** The answer of /api/v1/programs. */
export interface WirePrograms {
  programs: (WireFigures & { program: number; context: number; device: string; share: number })[];
}

export type ProgramRow = ProgramRowOf<number, null> | ProgramRowOf<null, number>;

/** By the context that made it, or, where none did, by its number. */
interface ProgramRowOf<Context, Alone> {
  context: Context;
  alone: Alone;
  /** With colours. */
  name: string;
  device: string;
  /** Null where it never ran, or the capture has no profile. */
  figures: WireFigures | null;
  /** Share of its device's busy time. */
  share: number;
}

export const kProgramColumns = [
  { id: "name", title: "Program", hint: "In the order they were made" },
  { id: "total_ns", title: "Total", hint: "Time of all its executions" },
  { id: "share", title: "% of busy", hint: "The time in which it runs, of the busy time of its device" },
  { id: "count", title: "Runs", hint: "Executions" },
  { id: "mean_ns", title: "Mean", hint: "Of an execution" },
  { id: "median_ns", title: "Median", hint: "Of an execution" },
  { id: "p90_ns", title: "P90", hint: "Nine in ten executions are no longer" },
  { id: "max_ns", title: "Longest", hint: "Of the executions" },
] as const;
export type ProgramColumn = (typeof kProgramColumns)[number]["id"];

export interface ProgramOrder {
  column: ProgramColumn;
  /** Names and the order in which programs were made go up, times go down, unless it is the other way round. */
  reversed: boolean;
}

/** As contexts made them, then those that none made. */
export function listPrograms(
  contexts: readonly WireContext[],
  alone: WireContexts["programs"],
  wire: WirePrograms | undefined,
): ProgramRow[] {
  const byContext = new Map(wire?.programs.map((program) => [program.context, program]));
  const byNumber = new Map(wire?.programs.map((program) => [program.program, program]));
  const read = (found: WirePrograms["programs"][number] | undefined) => ({
    figures: found === undefined || found.count === 0 ? null : found,
    share: found?.share ?? 0,
  });
  const made = contexts.flatMap(({ name, program }, context): ProgramRow[] => {
    const found = byContext.get(context);
    return program ? [{ context, alone: null, name, device: found?.device ?? "", ...read(found) }] : [];
  });
  const others = alone.map(({ program, name, device }): ProgramRow => {
    return { context: null, alone: program, name, device, ...read(byNumber.get(program)) };
  });
  return [...made, ...others];
}

export function valueOf(row: ProgramRow, column: ProgramColumn): string | number | null {
  if (column === "name") return stripAnsi(row.name);
  if (row.figures === null) return null;
  return column === "share" ? row.share : row.figures[column];
}

/** Words of the filter must all occur in the name. What never ran comes last, either way round. */
export function arrangePrograms(rows: readonly ProgramRow[], filter: string, order: ProgramOrder | null): ProgramRow[] {
  const isKept = wordFilter(filter);
  const found = rows.filter(({ name }) => isKept(stripAnsi(name)));
  if (order === null) return found;
  const { column, reversed } = order;
  const direction = (column === "name" ? 1 : -1) * (reversed ? -1 : 1);
  return found.sort((a, b) => {
    const [left, right] = [valueOf(a, column), valueOf(b, column)];
    if (left === null || right === null) return Number(left === null) - Number(right === null);
    return direction * (left < right ? -1 : left > right ? 1 : 0);
  });
}

/** "total_ns", "!total_ns" reversed; null where it is none: as they were made. */
export function parseOrder(text: string | undefined): ProgramOrder | null {
  const reversed = text?.startsWith("!") ?? false;
  const column = kProgramColumns.find(({ id }) => id === text?.slice(reversed ? 1 : 0))?.id;
  return column === undefined ? null : { column, reversed };
}

export function formatOrder(order: ProgramOrder | null): string | null {
  return order === null ? null : `${order.reversed ? "!" : ""}${order.column}`;
}

/** The order after a click on a column's head: by it, then the other way round, then as they were made. */
export function turnOrder(order: ProgramOrder | null, column: ProgramColumn): ProgramOrder | null {
  if (order?.column !== column) return { column, reversed: false };
  return order.reversed ? null : { column, reversed: true };
}
