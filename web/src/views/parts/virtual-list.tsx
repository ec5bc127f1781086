// A list of any length: only the rows on screen are in the page. Rows have one height. The row that is current is kept
// in view when it changes.
import { useSignal } from "@preact/signals";
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

interface VirtualListProps {
  count: number;
  rowHeight_px: number;
  /** Kept in view; -1 for none. */
  current: number;
  label: string;
  role: "tree" | "listbox" | "list";
  /** The id of the current row's element, for screen readers. */
  currentId?: string;
  renderRow: (index: number) => ComponentChildren;
}

const kSpareRows = 8;

export function VirtualList(props: VirtualListProps) {
  const { count, rowHeight_px, current, label, role, currentId, renderRow } = props;
  const box = useRef<HTMLDivElement>(null);
  const top = useSignal(0);
  const height = useSignal(600);

  useLayoutEffect(() => {
    const element = box.current!;
    const observer = new ResizeObserver(() => (height.value = element.clientHeight));
    observer.observe(element);
    return () => observer.disconnect();
  }, [height]);

  useLayoutEffect(() => {
    const element = box.current!;
    if (current < 0) return;
    const row = current * rowHeight_px;
    const room = 2 * rowHeight_px;
    if (row - room < element.scrollTop) element.scrollTop = row - room;
    else if (row + rowHeight_px + room > element.scrollTop + element.clientHeight) {
      element.scrollTop = row + rowHeight_px + room - element.clientHeight;
    }
  }, [current, rowHeight_px, count]);

  const first = Math.max(Math.floor(top.value / rowHeight_px) - kSpareRows, 0);
  const last = Math.min(Math.ceil((top.value + height.value) / rowHeight_px) + kSpareRows, count);
  const rows: ComponentChildren[] = [];
  for (let i = first; i < last; i++) rows.push(renderRow(i));
  return (
    <div
      ref={box}
      class="virtual-list"
      role={role}
      aria-label={label}
      aria-activedescendant={currentId}
      tabIndex={0}
      onScroll={(event) => (top.value = event.currentTarget.scrollTop)}
    >
      <div style={{ height: `${count * rowHeight_px}px` }}>
        <div style={{ transform: `translateY(${first * rowHeight_px}px)` }}>{rows}</div>
      </div>
    </div>
  );
}
