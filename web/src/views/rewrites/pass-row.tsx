// One row of the list: a context with its twist, or a pass with how often it matched.
import { barOf, type PassRow } from "../../lib/graph/pass-rows";
import { describeErrors } from "../../lib/rewrite-errors";
import { formatCount, formatPlural } from "../../lib/text";
import { AnsiText } from "../parts/ansi-text";

export const kRow_px = 23;

interface PassRowProps {
  row: PassRow;
  index: number;
  most: number;
  isCurrent: boolean;
  isNew: boolean;
  onGo: () => void;
  onToggle: () => void;
}

export function PassRowView({ row, index, most, isCurrent, isNew, onGo, onToggle }: PassRowProps) {
  const isContext = row.pass < 0;
  const classes = ["pass-row"];
  if (isCurrent) classes.push("current");
  if (isNew) classes.push("flash");
  if (!isContext && row.matches === 0 && row.inside === 0) classes.push("idle");
  return (
    <div
      id={`pass-row-${index}`}
      class={classes.join(" ")}
      role="treeitem"
      aria-level={row.level + 1}
      aria-selected={isCurrent}
      aria-expanded={row.isOpen ?? undefined}
      style={{ paddingLeft: `${isContext ? 10 : 2 + row.level * 12}px` }}
      onClick={() => {
        onGo();
        if (isContext || row.quiet > 0) onToggle();
      }}
    >
      <Twist row={row} onToggle={onToggle} />
      <span class="pass-name">
        <AnsiText text={row.name} />
      </span>
      {row.inside > 0 && (
        <span class="dim inside" title={sayInside(row)}>
          +{row.inside}
        </span>
      )}
      {row.errors.length > 0 && (
        <span class="error-mark" role="img" aria-label="raised an error" title={describeErrors(row.errors)}>
          ✕
        </span>
      )}
      {!isContext && row.matches > 0 && (
        <span class="match-bar" style={{ width: `${2 + 28 * barOf(row.matches, most)}px` }} />
      )}
      {row.matches > 0 && <span class="match-count">{formatCount(row.matches)}</span>}
    </div>
  );
}

const sayInside = ({ inside, matchesInside }: PassRow) =>
  `${formatPlural(inside, "pass", "passes")} ran inside it, with ${formatPlural(matchesInside, "match", "matches")}`;

/** Folds and unfolds what a row holds; one that holds nothing leaves the room for it. */
function Twist({ row, onToggle }: { row: PassRow; onToggle: () => void }) {
  if (row.isOpen === null) return <span class="twist" aria-hidden="true" />;
  return (
    <span
      class="twist"
      aria-hidden="true"
      onClick={(event) => {
        event.stopPropagation();
        onToggle();
      }}
    >
      {row.isOpen ? "▾" : "▸"}
    </span>
  );
}
