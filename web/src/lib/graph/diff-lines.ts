// A unified diff's lines by what they say, and grouped where neighbours say the same, so that a long diff is few
// pieces.

export type DiffKind = "added" | "removed" | "place" | "same";

export interface DiffBlock {
  kind: DiffKind;
  lines: string[];
}

/** The two header lines (--- and +++) carry no names here and are left out. */
export function groupDiff(lines: readonly string[]): DiffBlock[] {
  const blocks: DiffBlock[] = [];
  lines.forEach((line, i) => {
    if (i < 2 && /^(---|\+\+\+) ?\n?$/.test(line)) return;
    const kind = kindOfLine(line);
    const last = blocks[blocks.length - 1];
    if (last?.kind === kind) last.lines.push(line.trimEnd());
    else blocks.push({ kind, lines: [line.trimEnd()] });
  });
  return blocks;
}

function kindOfLine(line: string): DiffKind {
  if (line.startsWith("+")) return "added";
  if (line.startsWith("-")) return "removed";
  return line.startsWith("@@") ? "place" : "same";
}
