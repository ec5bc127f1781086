// The columns of two memories compared.
import { parseLine, sayLine } from "../../lib/allocator";
import { formatBytes } from "../../lib/bytes";
import { signOf } from "../../lib/memory";
import { formatCount } from "../../lib/text";
import { Bytes, Figure } from "../parts/figure";
import { kNothing } from "../parts/list-view/field-column";
import type { Column } from "../parts/table";
import type { ComparedLine } from "./wire";

/** A line that moved: both of its numbers. */
function sayLines({ a_line, b_line, name }: ComparedLine): string {
  const [a, b] = [parseLine(a_line), parseLine(b_line)];
  if (a === null && b === null) return a_line || b_line || name;
  if (a === null || b === null || a.line === b.line) return sayLine(a_line || b_line);
  return `${sayLine(b_line)} (was line ${a.line})`;
}

export function comparedColumns(rows: readonly ComparedLine[]): readonly Column<ComparedLine>[] {
  const most = rows.reduce((sum, row) => Math.max(sum, Math.abs(row.delta_bytes)), 1);
  return [
    {
      id: "name",
      title: "Line",
      align: "left",
      isWide: true,
      show: (row) => (
        <span class="mono" title={[row.a_line, row.b_line].filter(Boolean).join("\n")}>
          {sayLines(row)}
        </span>
      ),
      value: (row) => row.b_line || row.a_line,
    },
    {
      id: "delta_bytes",
      title: "Grew by",
      show: (row) => (
        <span class={row.delta_bytes > 0 ? "removed" : row.delta_bytes < 0 ? "made" : "dim"}>
          <i class="compared-memory-bar" style={{ width: `${(Math.abs(row.delta_bytes) / most) * 90}px` }} />
          <Figure
            text={`${signOf(row.delta_bytes)}${formatBytes(Math.abs(row.delta_bytes))}`}
            exact={row.delta_bytes}
            unit="bytes"
          />
        </span>
      ),
      value: (row) => row.delta_bytes,
    },
    { id: "state", title: "", isFixed: true, show: sayState, value: (row) => row.state },
    side("a_bytes", "Before", (row) => row.a_bytes),
    side("b_bytes", "After", (row) => row.b_bytes),
    {
      id: "b_count",
      title: "Allocations",
      show: (row) => `${formatCount(row.a_count)} → ${formatCount(row.b_count)}`,
      value: (row) => row.b_count,
    },
  ];
}

const side = (id: string, title: string, of: (row: ComparedLine) => number): Column<ComparedLine> => ({
  id,
  title,
  show: (row) => (of(row) === 0 ? kNothing : <Bytes bytes={of(row)} />),
  value: of,
});

function sayState({ state }: ComparedLine) {
  if (state === "both") return "";
  const isMore = state === "added";
  return <span class={isMore ? "removed" : "made"}>{state}</span>;
}
