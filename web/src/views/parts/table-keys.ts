// A table is one stop for Tab; inside it the arrow keys lead from control to control. A row without controls, that does
// something when it is clicked, is one itself.
import type { RefObject } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";

const kControls = "button, a[href], input, select";

export function useTableKeys(table: RefObject<HTMLTableElement | null>): void {
  /** Where the focus was last: row and place in it, the head being the first row. */
  const last = useRef({ row: -1, place: 0 });

  // After each drawing, as rows come and go.
  useLayoutEffect(() => {
    const rows = listRows(table.current!);
    const flat = rows.flat();
    for (const control of flat) control.tabIndex = -1;
    const { row, place } = last.current;
    const stop = rows[row]?.[place] ?? rows[1]?.[0] ?? flat[0];
    if (stop !== undefined) stop.tabIndex = 0;
  });

  useLayoutEffect(() => {
    const element = table.current!;
    const onFocus = (event: FocusEvent) => {
      const rows = listRows(element);
      const row = rows.findIndex((controls) => controls.includes(event.target as HTMLElement));
      if (row < 0) return;
      for (const control of rows.flat()) control.tabIndex = control === event.target ? 0 : -1;
      last.current = { row, place: rows[row]!.indexOf(event.target as HTMLElement) };
    };
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.altKey || event.metaKey) return;
      const rows = listRows(element);
      const row = rows.findIndex((controls) => controls.includes(event.target as HTMLElement));
      if (row < 0) return;
      if (event.key === "Enter" && event.target instanceof HTMLTableRowElement) event.target.click();
      const next = step(rows, row, rows[row]!.indexOf(event.target as HTMLElement), event.key);
      if (next === undefined) return;
      next.focus();
      next.scrollIntoView({ block: "nearest" });
      event.preventDefault();
      event.stopPropagation();
    };
    element.addEventListener("focusin", onFocus);
    element.addEventListener("keydown", onKeyDown);
    return () => {
      element.removeEventListener("focusin", onFocus);
      element.removeEventListener("keydown", onKeyDown);
    };
  }, [table]);
}

function listRows(table: HTMLTableElement): HTMLElement[][] {
  return [...table.rows].map((row) => {
    const controls = [...row.querySelectorAll<HTMLElement>(kControls)];
    return controls.length > 0 || row.dataset.row === undefined ? controls : [row];
  });
}

/** The control that a key leads to; at an end the one that has the focus, and undefined for other keys. */
function step(rows: readonly HTMLElement[][], row: number, place: number, key: string): HTMLElement | undefined {
  const inRow = (controls: readonly HTMLElement[] | undefined) => controls?.[Math.min(place, controls.length - 1)];
  const here = rows[row]![place];
  switch (key) {
    case "ArrowLeft":
      return rows[row]![place - 1] ?? here;
    case "ArrowRight":
      return rows[row]![place + 1] ?? here;
    case "ArrowUp":
      return inRow(rows.slice(0, row).findLast((controls) => controls.length > 0)) ?? here;
    case "ArrowDown":
      return inRow(rows.slice(row + 1).find((controls) => controls.length > 0)) ?? here;
    case "Home":
      return rows.find((controls) => controls.length > 0)?.[0];
    case "End":
      return rows.findLast((controls) => controls.length > 0)?.[0];
    default:
      return undefined;
  }
}
