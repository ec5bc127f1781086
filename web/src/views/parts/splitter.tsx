// The bar between two panes: dragged, or moved by the arrow keys while it has the focus.

interface SplitterProps {
  /** The direction of the bar itself. */
  orientation: "vertical" | "horizontal";
  label: string;
  /** Between 0 and `most`. */
  value: number;
  most: number;
  class?: string;
  /** To the right, or down. */
  onMove: (px: number) => void;
  onDoubleClick?: () => void;
}

const kStep_px = 16;

export function Splitter({ orientation, label, value, most, onMove, onDoubleClick, ...more }: SplitterProps) {
  const isVertical = orientation === "vertical";
  const onPointerDown = (event: PointerEvent & { currentTarget: HTMLElement }) => {
    const bar = event.currentTarget;
    bar.setPointerCapture(event.pointerId);
    const placeOf = (at: PointerEvent) => (isVertical ? at.clientX : at.clientY);
    let last = placeOf(event);
    const onDrag = (drag: PointerEvent) => {
      onMove(placeOf(drag) - last);
      last = placeOf(drag);
    };
    bar.addEventListener("pointermove", onDrag);
    bar.addEventListener("lostpointercapture", () => bar.removeEventListener("pointermove", onDrag), { once: true });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const [back, on] = isVertical ? ["ArrowLeft", "ArrowRight"] : ["ArrowUp", "ArrowDown"];
    if (event.key !== back && event.key !== on) return;
    onMove(event.key === on ? kStep_px : -kStep_px);
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      class={more.class ?? "splitter"}
      role="separator"
      aria-orientation={orientation}
      aria-label={label}
      aria-valuenow={Math.round(value)}
      aria-valuemin={0}
      aria-valuemax={Math.round(most)}
      tabIndex={0}
      onPointerDown={onPointerDown}
      onKeyDown={onKeyDown}
      onDblClick={onDoubleClick}
    />
  );
}
