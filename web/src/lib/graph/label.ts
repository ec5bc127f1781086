// A node's label as it is drawn: lines of coloured runs, clipped by the same rule by which the server made room for it
// (server/layout/label_size.h). A column is kColumn_px wide; the renderer scales its font until that is so.
import { parseAnsi, splitLines } from "../ansi";

export const kColumn_px = 6.7;
export const kLine_px = 14;
export const kPadX_px = 10;
export const kPadY_px = 6;
export const kMaxColumns = 64;
export const kMaxLines = 10;
/** The label of a rewrite that raised, which has a traceback to show. */
const kError = { firstLine: "REWRITE_ERROR", maxColumns: 80, maxLines: 100 };

export interface LabelRun {
  text: string;
  /** Where the run begins. */
  column: number;
  /** As in lib/ansi.ts; -1 is the line's own. */
  colour: number;
}

/** Columns that a character takes: wide ones two, combining ones none. */
export function columnsOf(codePoint: number): number {
  if (codePoint < 0x300) return 1;
  if (kCombining.some(([first, last]) => first <= codePoint && codePoint <= last)) return 0;
  return kWide.some(([first, last]) => first <= codePoint && codePoint <= last) ? 2 : 1;
}

export function layOutLabel(label: string): LabelRun[][] {
  const isError = label.split("\n", 1)[0] === kError.firstLine;
  const maxLines = isError ? kError.maxLines : kMaxLines;
  const lines = splitLines(parseAnsi(label));
  const shown = lines.length > maxLines ? lines.slice(0, maxLines - 1) : lines;
  const laid = shown.map((runs) => clipLine(runs, isError ? kError.maxColumns : kMaxColumns));
  if (lines.length > maxLines) laid.push([{ text: "…", column: 0, colour: -1 }]);
  return laid;
}

function clipLine(runs: readonly { text: string; colour: number }[], maxColumns: number): LabelRun[] {
  const total = runs.reduce((sum, run) => sum + countColumns(run.text), 0);
  const room = total > maxColumns ? maxColumns - 1 : maxColumns;
  const laid: LabelRun[] = [];
  let column = 0;
  for (const { text, colour } of runs) {
    const run: LabelRun = { text: "", column, colour };
    laid.push(run);
    for (const character of text) {
      const width = columnsOf(character.codePointAt(0)!);
      if (column + width > room) {
        laid.push({ text: "…", column, colour: -1 });
        return laid;
      }
      run.text += character;
      column += width;
    }
  }
  return laid;
}

function countColumns(text: string): number {
  let columns = 0;
  for (const character of text) columns += columnsOf(character.codePointAt(0)!);
  return columns;
}

// Unicode's East Asian wide and fullwidth blocks, as the server has them.
const kWide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x4dbf],
  [0x4e00, 0xa4cf],
  [0xa960, 0xa97c],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1f300, 0x1f64f],
  [0x1f680, 0x1f6ff],
  [0x1f900, 0x1f9ff],
  [0x20000, 0x3fffd],
];

const kCombining: readonly (readonly [number, number])[] = [
  [0x0300, 0x036f],
  [0x200b, 0x200f],
  [0x20d0, 0x20ff],
  [0xfe00, 0xfe0f],
  [0xfeff, 0xfeff],
];
