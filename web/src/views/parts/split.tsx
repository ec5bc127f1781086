// Two or three panes side by side: the outer ones can be resized (drag, or arrow keys on the bar) and folded away.
import type { Signal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import type { Pane } from "../../state/panes";
import { useApp, useCommand } from "./app-context";

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
  useCommand("page.leftPane", () => left !== null && fold(panes.left));
  useCommand("page.rightPane", () => fold(panes.right));
  const { left: l, right: r } = panes;
  return (
    <div class="split">
      {left !== null && !l.value.folded && (
        <section class="pane left" aria-label={leftLabel} style={{ width: `${l.value.size_px}px` }}>
          {left}
        </section>
      )}
      {left !== null && <Bar pane={l} side="left" label={leftLabel} />}
      <section class="pane middle">{middle}</section>
      <Bar pane={r} side="right" label={rightLabel} />
      {!r.value.folded && (
        <section class="pane right" aria-label={rightLabel} style={{ width: `${r.value.size_px}px` }}>
          {right}
        </section>
      )}
    </div>
  );
}

function fold(pane: Signal<Pane>): void {
  pane.value = { ...pane.value, folded: !pane.value.folded };
}

const kLeast_px = 140;

function Bar({ pane, side, label }: { pane: Signal<Pane>; side: "left" | "right"; label: string }) {
  const grow = (px: number) => {
    const most = window.innerWidth * 0.6;
    const size = pane.value.size_px + (side === "left" ? px : -px);
    pane.value = { folded: false, size_px: Math.min(Math.max(size, kLeast_px), most) };
  };
  const onPointerDown = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    if (event.target !== event.currentTarget) return;
    const bar = event.currentTarget;
    bar.setPointerCapture(event.pointerId);
    let x = event.clientX;
    const onMove = (move: PointerEvent) => {
      grow(move.clientX - x);
      x = move.clientX;
    };
    bar.addEventListener("pointermove", onMove);
    bar.addEventListener("lostpointercapture", () => bar.removeEventListener("pointermove", onMove), { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const by_px = event.key === "ArrowLeft" ? -16 : event.key === "ArrowRight" ? 16 : 0;
    if (by_px === 0) return;
    grow(by_px);
    event.preventDefault();
    event.stopPropagation();
  };
  const isFolded = pane.value.folded;
  const arrow = (side === "left") === isFolded ? "›" : "‹";
  return (
    <div
      class={`bar ${isFolded ? "folded" : ""}`}
      role="separator"
      aria-orientation="vertical"
      aria-label={`Width of ${label}`}
      aria-valuenow={pane.value.size_px}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDblClick={() => fold(pane)}
    >
      <button
        class="fold"
        tabIndex={-1}
        aria-label={isFolded ? `Unfold ${label}` : `Fold ${label}`}
        title={`${isFolded ? "Unfold" : "Fold"} (${side === "left" ? "[" : "]"})`}
        onClick={() => fold(pane)}
      >
        {arrow}
      </button>
    </div>
  );
}
