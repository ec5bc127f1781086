// The lines of a diff of two printed graphs (server/http/API.md) by what they say, and grouped where neighbours say the
// same, so that a long diff is few pieces.

export type DiffKind = "added" | "removed" | "moved" | "place" | "same";

export interface DiffBlock {
  kind: DiffKind;
  lines: string[];
}

export function groupDiff(lines: readonly string[]): DiffBlock[] {
  const blocks: DiffBlock[] = [];
  lines.forEach((line) => {
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
  if (line.startsWith("~")) return "moved";
  return line.startsWith("@@") ? "place" : "same";
}
