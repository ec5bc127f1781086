// One row of the list: a context with its twist, or a step with how often it matched.
import { barOf, type StepRow } from "../lib/step-rows";
import { formatCount } from "../lib/text";
import { AnsiText } from "./ansi-text";

export const kRow_px = 23;

interface StepRowProps {
  row: StepRow;
  index: number;
  most: number;
  isCurrent: boolean;
  isNew: boolean;
  onGo: () => void;
  onToggle: () => void;
}

export function StepRowView({ row, index, most, isCurrent, isNew, onGo, onToggle }: StepRowProps) {
  const isContext = row.step < 0;
  const classes = ["step-row"];
  if (isCurrent) classes.push("current");
  if (isNew) classes.push("flash");
  if (!isContext && row.matches === 0) classes.push("idle");
  return (
    <div
      id={`step-row-${index}`}
      class={classes.join(" ")}
      role="treeitem"
      aria-level={row.level + 1}
      aria-selected={isCurrent}
      aria-expanded={isContext ? row.isOpen : undefined}
      style={{ paddingLeft: `${isContext ? 10 : 14 + row.level * 12}px` }}
      onClick={() => {
        onGo();
        if (isContext) onToggle();
      }}
    >
      {isContext && <span class="twist">{row.isOpen ? "▾" : "▸"}</span>}
      <span class="step-name">
        <AnsiText text={row.name} />
      </span>
      {!isContext && row.matches > 0 && (
        <span class="match-bar" style={{ width: `${2 + 28 * barOf(row.matches, most)}px` }} />
      )}
      {row.matches > 0 && <span class="match-count">{formatCount(row.matches)}</span>}
    </div>
  );
}
