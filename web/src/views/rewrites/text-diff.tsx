// The lines of a diff of two printed graphs, coloured by what they do; faint while the next one is on its way.
import { groupDiff } from "../../lib/graph/diff-lines";

/** same: what to say where there is no line. */
export function TextDiff({ lines, isStale, same }: { lines: readonly string[]; isStale: boolean; same: string }) {
  return (
    <div class={`diff ${isStale ? "stale" : ""}`}>
      {lines.length === 0 && <p class="dim">{same}</p>}
      {groupDiff(lines).map((block, i) => (
        <pre key={i} class={`wrap ${block.kind}`}>
          {block.lines.join("\n")}
        </pre>
      ))}
    </div>
  );
}
