// Text with ANSI colours, as compilers write it for a terminal, cut into runs of one style. Understood: the select
// graphic rendition sequences (ESC [ … m) for 16 colours, bold, underline and reset; any other escape is left out.

export interface AnsiRun {
  text: string;
  /** 0 to 7 as in a terminal (black red green yellow blue magenta cyan white), 8 to 15 the bright ones; -1 is none. */
  colour: number;
  background: number;
  bold: boolean;
  underline: boolean;
}

const kEscape = /\u001b(?:\[([0-9;?]*)([@-~])|.)?/g;

export function parseAnsi(text: string): AnsiRun[] {
  const runs: AnsiRun[] = [];
  let style: Style = kPlain;
  let from = 0;
  const take = (to: number) => {
    if (to > from) runs.push({ text: text.slice(from, to), ...style });
  };
  for (const match of text.matchAll(kEscape)) {
    take(match.index);
    from = match.index + match[0].length;
    if (match[2] === "m") style = applyCodes(style, match[1] ?? "");
  }
  take(text.length);
  return runs;
}

/** The text alone. */
export function stripAnsi(text: string): string {
  return text.includes("\u001b") ? text.replace(kEscape, "") : text;
}

export function lengthOfRuns(runs: readonly AnsiRun[]): number {
  return runs.reduce((sum, { text }) => sum + text.length, 0);
}

/** The runs before the letter of that number, and those from there on. */
export function cutRuns(runs: readonly AnsiRun[], at: number): [before: AnsiRun[], after: AnsiRun[]] {
  const before: AnsiRun[] = [];
  const after: AnsiRun[] = [];
  let left = at;
  for (const run of runs) {
    const [head, tail] = [run.text.slice(0, Math.max(left, 0)), run.text.slice(Math.max(left, 0))];
    if (head !== "") before.push({ ...run, text: head });
    if (tail !== "") after.push({ ...run, text: tail });
    left -= run.text.length;
  }
  return [before, after];
}

/**
 * So many letters of them: a long end of a name is as telling as a beginning, so that what is in the middle goes. What lists
 * what it says, as "decode · 32 requests · 32 tokens", says the most of it first, and loses its end.
 */
export function cutRunsToFit(runs: readonly AnsiRun[], letters: number): readonly AnsiRun[] {
  const length = lengthOfRuns(runs);
  if (length <= letters) return runs;
  const end = runs.some(({ text }) => text.includes(" · ")) ? 0 : Math.floor((letters - 1) * 0.4);
  const [head] = cutRuns(runs, letters - 1 - end);
  const [, tail] = cutRuns(runs, length - end);
  return [...head, { ...kPlain, text: "…" }, ...tail];
}

const kPlain = { colour: -1, background: -1, bold: false, underline: false };

type Style = Omit<AnsiRun, "text">;

function applyCodes(style: Style, codes: string): Style {
  let next = { ...style };
  for (const code of codes.split(";").map(Number)) {
    if (code === 0) next = { ...kPlain };
    else if (code === 1) next.bold = true;
    else if (code === 22) next.bold = false;
    else if (code === 4) next.underline = true;
    else if (code === 24) next.underline = false;
    else if (code >= 30 && code <= 37) next.colour = code - 30;
    else if (code >= 90 && code <= 97) next.colour = code - 90 + 8;
    else if (code === 39) next.colour = -1;
    else if (code >= 40 && code <= 47) next.background = code - 40;
    else if (code >= 100 && code <= 107) next.background = code - 100 + 8;
    else if (code === 49) next.background = -1;
  }
  return next;
}

/** Cuts runs at line ends: one list of runs a line. */
export function splitLines(runs: readonly AnsiRun[]): AnsiRun[][] {
  const lines: AnsiRun[][] = [[]];
  for (const run of runs) {
    run.text.split("\n").forEach((text, i) => {
      if (i > 0) lines.push([]);
      if (text !== "") lines[lines.length - 1]!.push({ ...run, text });
    });
  }
  return lines;
}
