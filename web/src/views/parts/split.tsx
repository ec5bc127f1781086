// Two or three panes side by side: the outer ones can be resized (drag, or arrow keys on the bar) and folded away.
import type { ComponentChildren } from "preact";
import type { Side } from "../../state/panes";
import { useApp, useCommand } from "./app-context";
import { Splitter } from "./splitter";

interface SplitProps {
  /** Null for two panes only. */
  left: ComponentChildren | null;
  middle: ComponentChildren;
  right: ComponentChildren;
  leftLabel: string;
  rightLabel: string;
}

export function Split({ left, middle, right, leftLabel, rightLabel }: SplitProps) {
  const { panes } = useApp();
  const turn = (side: Side) => panes.fold(side, !panes.isFolded(side));
  useCommand("page.leftPane", () => left !== null && turn("left"));
  useCommand("page.rightPane", () => turn("right"));
  return (
    <div class="split">
      {left !== null && !panes.isFolded("left") && (
        <section class="pane left" aria-label={leftLabel} style={{ width: `${panes.left.value.size_px}px` }}>
          {left}
        </section>
      )}
      {left !== null && <Bar side="left" label={leftLabel} />}
      <section class="pane middle">{middle}</section>
      <Bar side="right" label={rightLabel} />
      {!panes.isFolded("right") && (
        <section class="pane right" aria-label={rightLabel} style={{ width: `${panes.right.value.size_px}px` }}>
          {right}
        </section>
      )}
    </div>
  );
}

const kLeast_px = 140;
const kMostShare = 0.6;

function Bar({ side, label }: { side: Side; label: string }) {
  const { panes } = useApp();
  const pane = panes[side];
  const isFolded = panes.isFolded(side);
  const most_px = window.innerWidth * kMostShare;
  const grow = (px: number) => {
    const size = pane.value.size_px + (side === "left" ? px : -px);
    pane.value = { ...pane.value, size_px: Math.min(Math.max(size, kLeast_px), most_px) };
    panes.fold(side, false);
  };
  const turn = () => panes.fold(side, !isFolded);
  const arrow = (side === "left") === isFolded ? "›" : "‹";
  return (
    <div class={`bar ${side} ${isFolded ? "folded" : ""}`}>
      <Splitter
        class="bar-line"
        orientation="vertical"
        label={`Width of ${label}`}
        value={isFolded ? 0 : pane.value.size_px}
        most={most_px}
        onMove={grow}
        onDoubleClick={turn}
      />
      <button
        class="fold"
        tabIndex={-1}
        aria-label={isFolded ? `Unfold ${label}` : `Fold ${label}`}
        title={`${isFolded ? "Unfold" : "Fold"} (${side === "left" ? "[" : "]"})`}
        onClick={turn}
      >
        {arrow}
      </button>
    </div>
  );
}
